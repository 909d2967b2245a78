"""GradScaler: scales, skipped steps, growth; numbers are PyTorch 2.13's."""

import math
import pickle

import pytest

import edutorch as torch
from edutorch.amp import GradScaler


def training(bad_steps=(), steps=5, **options):
    """Scales and weights of a loss w² whose gradient is bad at some steps."""
    w = torch.tensor([1.0], requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.25)
    scaler = GradScaler("cpu", **{"init_scale": 4.0, "growth_interval": 2, **options})
    found = []
    for i in range(steps):
        optimizer.zero_grad()
        loss = (w * w).sum() * (math.inf if i in bad_steps else 1.0)
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        found.append((scaler.get_scale(), w.item()))
    return found


def test_scaler_leaves_training_as_it_is_and_grows():
    assert training() == [
        (4.0, 0.5), (8.0, 0.25), (8.0, 0.125), (16.0, 0.0625), (16.0, 0.03125),
    ]  # fmt: skip


def test_scaler_leaves_bad_steps_out_and_backs_off():
    assert training(bad_steps=(1, 2)) == [
        (4.0, 0.5), (2.0, 0.5), (1.0, 0.5), (1.0, 0.25), (2.0, 0.125),
    ]  # fmt: skip


def test_scaler_does_not_grow_beyond_what_is_finite():
    scaler = GradScaler("cpu", init_scale=3e38, growth_interval=1)
    w = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.0)
    w.grad = torch.zeros(1)
    scaler.scale(torch.zeros(1))
    scaler.step(optimizer)
    scaler.update()
    assert scaler.get_scale() == pytest.approx(3e38)
    assert scaler.state_dict()["_growth_tracker"] == 0


def begun():
    w = torch.zeros(1, requires_grad=True)
    w.grad = torch.ones(1) * 4
    scaler = GradScaler("cpu", init_scale=4.0)
    scaler.scale(w)
    return scaler, torch.optim.SGD([w], lr=1.0)


def test_scaler_unscales_once_for_clipping():
    scaler, optimizer = begun()
    scaler.unscale_(optimizer)
    w = optimizer.param_groups[0]["params"][0]
    assert w.grad.item() == 1.0
    with pytest.raises(RuntimeError, match=r"^unscale_\(\) has already been called"):
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    assert w.item() == -1.0
    with pytest.raises(RuntimeError, match=r"^step\(\) has already been called"):
        scaler.step(optimizer)
    with pytest.raises(RuntimeError, match=r"^unscale_\(\) is being called after"):
        scaler.unscale_(optimizer)
    with pytest.raises(AssertionError, match="^A GradScaler instance may only be"):
        pickle.dumps(scaler)


def test_scaler_unscales_sparse_gradients():
    weight = torch.ones(3, 2, requires_grad=True)
    scaler = GradScaler("cpu", init_scale=8.0)
    optimizer = torch.optim.SGD([weight], lr=1.0)
    y = torch.nn.functional.embedding(torch.tensor([1, 1]), weight, sparse=True)
    scaler.scale(y.sum()).backward()
    scaler.step(optimizer)
    assert weight.tolist() == [[1.0, 1.0], [-1.0, -1.0], [1.0, 1.0]]


def test_scaler_refuses_half_gradients_of_parameters():
    scaler, _ = begun()
    h = torch.zeros(1, dtype=torch.float16, requires_grad=True)
    h.grad = torch.ones(1, dtype=torch.float16)
    with pytest.raises(ValueError, match="^Attempting to unscale FP16 gradients"):
        scaler.unscale_(torch.optim.SGD([h], lr=1.0))


@pytest.mark.parametrize(
    ("misuse", "kind", "words"),
    [
        (lambda s, o: s.step(o), AssertionError, "Attempted step but _scale is None"),
        (lambda s, o: s.update(), AssertionError, "Attempted update but _scale is No"),
        (lambda s, o: s.unscale_(o), AssertionError, "Attempted unscale_ but _scale"),
        (lambda s, o: s.step(o, closure=1), RuntimeError, "Closure use is not curre"),
        (lambda s, o: s.load_state_dict({}), RuntimeError, "The source state dict is"),
        (lambda s, o: s.scale(3), ValueError, "outputs must be a Tensor or an itera"),
    ],
)
def test_scaler_refuses_misuse_with_pytorchs_message(misuse, kind, words):
    _, optimizer = begun()
    with pytest.raises(kind, match=f"^{words}"):
        misuse(GradScaler("cpu"), optimizer)


def test_scaler_wants_checks_before_an_update():
    scaler, _ = begun()
    with pytest.raises(AssertionError, match="^No inf checks were recorded prior"):
        scaler.update()
    with pytest.raises(AssertionError, match="^No inf checks were recorded for this"):
        scaler.step(torch.optim.SGD([torch.zeros(1)], lr=1.0))


@pytest.mark.parametrize("factors", [{"growth_factor": 1.0}, {"backoff_factor": 1.0}])
def test_scaler_refuses_factors_that_do_not_grow_or_shrink(factors):
    with pytest.raises(AssertionError, match="factor must be"):
        GradScaler("cpu", **factors)


def test_scaler_takes_a_scale_from_outside():
    scaler, _ = begun()
    scaler.update(3.0)
    assert scaler.get_scale() == 3.0
    scaler.update(torch.tensor(5.0))
    assert scaler.get_scale() == 5.0
    with pytest.raises(AssertionError, match="^new_scale should be a float or"):
        scaler.update(torch.ones(2))


def test_scaler_scales_nested_outputs():
    scaler = GradScaler("cpu", init_scale=2.0)
    a, (b,) = scaler.scale([torch.ones(1), (torch.ones(1),)])
    assert a.item() == b.item() == 2.0


def test_scaler_is_saved_and_restored():
    scaler, _ = begun()
    scaler.set_growth_factor(3.0)
    scaler.set_backoff_factor(0.25)
    scaler.set_growth_interval(7)
    again = GradScaler("cpu")
    again.load_state_dict(scaler.state_dict())
    assert again.state_dict() == scaler.state_dict()
    assert pickle.loads(pickle.dumps(scaler)).state_dict() == scaler.state_dict()
    settings = again.get_growth_factor(), again.get_backoff_factor()
    assert (*settings, again.get_growth_interval()) == (3.0, 0.25, 7)


def test_scaler_that_is_off_does_nothing():
    scaler = GradScaler("cpu", enabled=False)
    _, optimizer = begun()
    assert scaler.scale(3) == 3
    assert scaler.step(optimizer) is None
    scaler.unscale_(optimizer)
    scaler.update()
    scaler.load_state_dict({})
    assert (scaler.state_dict(), scaler.get_scale()) == ({}, 1.0)
    assert not scaler.is_enabled()


def test_scaler_tells_optimizers_that_unscale_themselves():
    class Own(torch.optim.SGD):
        _step_supports_amp_scaling = True

        def step(self):
            return self.grad_scale.item(), self.found_inf.item()

    scaler, optimizer = begun()
    optimizer = Own(optimizer.param_groups[0]["params"], lr=1.0)
    assert scaler.step(optimizer) == (4.0, 0.0)
    assert not hasattr(optimizer, "grad_scale")
