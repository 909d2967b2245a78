from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks.ch17_accumulation import (
    GRADIENT_MISTAKES,
    LOSS_MISTAKES,
    _Attempt,
    _weighted,
    accumulate,
)
from edutorch.course.random_cases import draws
from edutorch.nn import functional as F
from tests.course.solutions import ch17


def attempt():
    """Five rows, of which two fit, after they went through the model."""
    (draw,) = draws(1, ("float32",))
    made = _Attempt(draw, 5, 100, 250)
    made.model.pieces = [made.x[:2], made.x[2:4], made.x[4:]]
    return made


def test_pieces_give_the_gradients_and_the_loss_of_the_whole_batch():
    made = attempt()
    loss = ch17.accumulate(made.model, made.x, made.y, 100, 250)
    whole = F.cross_entropy(made.plain(made.x), made.y)
    whole.backward()
    assert loss == pytest.approx(whole.item(), abs=1e-6)
    for p, q in zip(
        made.model.parameters(), made.plain.parameters(), strict=True
    ):  # fmt: skip
        assert torch.allclose(p.grad, q.grad, atol=1e-6)


def test_peak_on_a_simulated_gpu_falls_with_the_limit():
    peaks = []
    with torch.cuda.simulate(devices=1, memory="64MB"):
        for fit in (256, 64, 16):
            torch.manual_seed(0)
            net = torch.nn.Sequential(
                torch.nn.Linear(20, 100), torch.nn.Tanh(), torch.nn.Linear(100, 5)
            ).to("cuda")
            x = torch.randn(256, 20, device="cuda")
            y = torch.randint(0, 5, (256,), device="cuda")
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
            ch17.accumulate(net, x, y, 420, 420 * fit)
            peaks.append(torch.cuda.max_memory_allocated() - before)
    assert peaks[0] > 3 * peaks[1] > 4 * peaks[2]


@pytest.mark.parametrize("words", GRADIENT_MISTAKES)
def test_mistaken_weights_give_other_gradients(words):
    made = attempt()
    right, other = (
        made.gradients(summed) for summed in (_weighted, GRADIENT_MISTAKES[words])
    )
    assert any(not torch.allclose(right[name], other[name]) for name in right)


@pytest.mark.parametrize("words", LOSS_MISTAKES)
def test_mistaken_sum_is_another_loss(words):
    made = attempt()
    losses = made.losses(made.plain)
    right, other = (summed(losses, 5) for summed in (_weighted, LOSS_MISTAKES[words]))
    assert abs(float(right) - float(other)) > 1e-4


def test_graphs_that_wait_for_one_backward_are_refused():
    def late(model, x, y, row_bytes, limit):
        size, total = limit // row_bytes, 0.0
        for a, b in zip(x.split(size), y.split(size), strict=True):
            total = total + F.cross_entropy(model(a), b, reduction="sum")
        (total / len(x)).backward()
        return total.item() / len(x)

    with pytest.raises(CheckFailed, match="5 rows are held at once: 500 bytes"):
        accumulate(late)
