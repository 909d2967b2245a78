from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks import ch03_numeric as numeric
from edutorch.course.random_cases import seeded
from tests.course.checks.test_ch03_shapes import telling
from tests.course.solutions import ch03

SLOPES = numeric.SLOPES_SHOWN, numeric.slopes, numeric.SLOPE_MISTAKES
ERRORS = numeric.ERROR_SHOWN, numeric.error, numeric.ERROR_MISTAKES


@pytest.mark.parametrize("case", numeric.SLOPES_SHOWN)
def test_slopes_are_close_to_those_of_autograd(case):
    f, x = case.args
    leaf = x.clone().requires_grad_()
    f(leaf).backward()
    found = numeric.slopes(f, x, 1e-5)
    torch.testing.assert_close(found, leaf.grad, rtol=1e-8, atol=1e-8)


def test_error_is_that_of_the_factors():
    f = numeric.scaled((3.0, -2.0), (1.0, 1.25))
    assert numeric.error(f, torch.ones(2)) == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("shown", "right", "known", "name"),
    [(*kind, name) for kind in (SLOPES, ERRORS) for name in kind[2]],
)
def test_mistake_differs_from_the_rule_on_two_cases(shown, right, known, name):
    assert telling(shown, right, known[name]) >= 2


def test_gradient_that_x_has_already_must_stay():
    def gradient_error(f, x, h=1e-5):
        x.grad = None
        return ch03.gradient_error(f, x, h)

    with seeded(1), pytest.raises(CheckFailed, match="x was changed"):
        numeric.grade_error(gradient_error)


def test_helper_that_is_not_written_is_named(monkeypatch):
    def numeric_gradient(f, x, h=1e-5):
        raise NotImplementedError("your turn")

    monkeypatch.setattr(ch03, "numeric_gradient", numeric_gradient)
    with seeded(1), pytest.raises(CheckFailed, match="calls numeric_gradient, which"):
        numeric.grade_error(ch03.gradient_error)


def test_function_with_a_wrong_backward_is_shown_as_what_it_is():
    f = numeric.scaled(2.0, -1.0)
    assert f.__name__ == "f of slope 2 and backward times -1.0"
