from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks import ch03_functions as functions
from edutorch.nn import functional as F
from tests.course.checks.test_ch03_shapes import telling
from tests.course.solutions import ch03


def test_right_values_are_those_of_silu():
    for x, g, v in functions._shown(3):
        leaf = x.clone().requires_grad_()
        y = F.silu(leaf)
        (first,) = torch.autograd.grad(y, leaf, g, create_graph=True)
        (second,) = torch.autograd.grad(first, leaf, v)
        torch.testing.assert_close(functions.SWISH(x), y.detach())
        torch.testing.assert_close(functions.GRADIENT(x, g), first.detach())
        torch.testing.assert_close(functions._second(functions._curve)(x, g, v), second)


RULES = (
    (1, functions.SWISH, functions.FORWARD_MISTAKES),
    (2, functions.GRADIENT, functions.BACKWARD_MISTAKES),
    (3, functions._second(functions._curve), functions.SECOND_MISTAKES),
)


@pytest.mark.parametrize(
    ("count", "right", "known", "name"),
    [(*rule, name) for rule in RULES for name in rule[2]],
)
def test_mistake_differs_from_the_rule_on_two_cases(count, right, known, name):
    assert telling(functions._shown(count), right, known[name]) >= 2


@pytest.mark.parametrize("name", functions.HESSIAN_MISTAKES)
def test_mistake_in_a_hessian_differs_on_two_cases(name):
    known = functions.HESSIAN_MISTAKES[name]
    right = functions.second_derivatives
    assert telling(functions.HESSIAN_SHOWN, right, known) >= 2


def test_second_derivatives_are_those_of_the_library():
    for f, x in functions.HESSIAN_SHOWN:
        table = torch.autograd.functional.hessian(f, x)
        torch.testing.assert_close(functions.second_derivatives(f, x), table)


def test_method_without_staticmethod_is_told():
    class Swish(ch03.Swish):
        def backward(self, g):
            return g

    with pytest.raises(CheckFailed, match="backward is not a static method"):
        functions.grade_swish(Swish)


def test_function_in_place_of_the_class_is_told():
    with pytest.raises(CheckFailed, match=r"torch\.autograd\.Function"):
        functions.grade_swish(ch03.Swish.apply)
