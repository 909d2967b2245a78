"""The strong Wolfe line search on functions of one variable."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.optim.line_search import ENOUGH, FLAT, Point, strong_wolfe

FUNCTIONS = {
    "parabola": lambda t: (t - 2.0) ** 2,
    "steep": lambda t: (t - 0.01) ** 2 * 50,
    "quartic": lambda t: (t - 3.0) ** 4,
    "waves": lambda t: t.sin() * -1 - 0.1 * t,
    "far": lambda t: (t - 500.0) ** 2,
}


def evaluate(f, t):
    x = torch.as_tensor(t, dtype=torch.float64).detach().clone().requires_grad_()
    y = f(x)
    (g,) = torch.autograd.grad(y, x)
    return Point(t, y.item(), g.reshape(1), g)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_search_ends_where_loss_fell_and_slope_is_flat(name):
    f = FUNCTIONS[name]
    start = evaluate(f, 0.0)
    d = torch.ones(1, dtype=torch.float64)
    point, used = strong_wolfe(lambda t: evaluate(f, t), start, 1.0, d)
    assert point.loss <= start.loss + ENOUGH * point.t * start.slope
    assert abs(point.slope) <= -FLAT * start.slope
    assert used < 25


def test_search_that_may_not_try_takes_the_first_step_or_none():
    start = evaluate(FUNCTIONS["far"], 0.0)
    d = torch.ones(1, dtype=torch.float64)
    found, used = strong_wolfe(
        lambda t: evaluate(FUNCTIONS["far"], t), start, 1.0, d, max_iterations=0
    )
    assert (found.t, used) == (1.0, 1)
