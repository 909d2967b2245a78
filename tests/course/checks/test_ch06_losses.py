from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks import ch06_losses as rules
from edutorch.course.random_cases import draws
from tests.notebooks.chapters import solutions


@pytest.mark.parametrize(
    ("grade", "known"),
    [
        (rules.grade_bce, rules.BCE_MISTAKES),
        (rules.grade_smoothed, rules.SMOOTH_MISTAKES),
    ],
    ids=["bce", "smoothed"],
)
def test_every_known_mistake_is_refused(grade, known):
    for mistaken in known.values():
        with pytest.raises(CheckFailed):
            grade(mistaken)


def test_bce_of_paper_is_the_librarys_where_logits_are_small():
    for draw in draws(4, ("float64",)):
        z, y = draw.tensor(5), draw.tensor(5, low=0.0, high=1.0)
        assert rules._paper(z, y).tolist() == pytest.approx(rules._bce(z, y).tolist())


def test_drawn_logits_go_beyond_what_exp_can_say():
    sizes = [
        rules._fresh_pairs(draw)[0].abs().amax() for draw in draws(40, ("float32",))
    ]
    assert max(size.item() for size in sizes) > 89


def test_solution_of_bce_has_the_gradient_p_minus_y_at_0_as_well():
    solution: dict[str, object] = {"torch": torch}
    exec(solutions("06")["06.3"], solution)
    bias = torch.zeros(1, requires_grad=True)
    y = torch.tensor([1.0] * 3 + [0.0] * 5)
    loss = solution["bce_with_logits"](bias.expand(8), y)
    loss.mean().backward()
    assert bias.grad.item() == pytest.approx(0.5 - 3 / 8)


def test_bce_without_history_is_compared_by_its_losses_alone():
    zero = torch.zeros(())
    rules.grade_bce(
        lambda z, y: (torch.logaddexp(z, zero.to(z.dtype)) - z * y).detach()
    )
