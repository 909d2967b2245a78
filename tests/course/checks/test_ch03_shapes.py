from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks import ch03_shapes as shapes
from edutorch.course.compare import same_numbers
from edutorch.course.compare_functions import Case
from edutorch.course.random_cases import draws, seeded


def outcome(function, case):
    case = case if isinstance(case, Case) else Case(case)
    try:
        return function(*case.args, **case.kwargs)
    except (RuntimeError, IndexError, TypeError) as error:
        return type(error)


def telling(cases, right, made):
    """On how many cases the clearest form of a mistake differs from the right one."""
    counts = []
    for one in made if isinstance(made, tuple) else (made,):
        differs = 0
        for case in cases:
            value, wanted = outcome(one, case), outcome(right, case)
            differs += isinstance(value, type) or not same_numbers(value, wanted, 1e-5)
        counts.append(differs)
    return max(counts)


def test_sums_are_those_of_the_library():
    for g, shape in shapes.SUM_SHOWN:
        assert torch.equal(shapes.summed(g, shape), g.sum_to_size(shape))


def test_gradients_are_those_of_autograd():
    with seeded(3):
        drawn = [shapes._fresh_matmul(draw).args for draw in draws(20, ("float64",))]
    for g, a, b in (*shapes.MATMUL_SHOWN, *drawn):
        a, b = a.clone().requires_grad_(), b.clone().requires_grad_()
        (a @ b).backward(g)
        ga, gb = shapes.gradients(g, a.detach(), b.detach())
        torch.testing.assert_close(ga, a.grad)
        torch.testing.assert_close(gb, b.grad)


@pytest.mark.parametrize("name", shapes.SUM_MISTAKES)
def test_mistake_in_a_sum_differs_on_two_cases(name):
    known = shapes.SUM_MISTAKES[name]
    assert telling(shapes.SUM_SHOWN, shapes.summed, known) >= 2


@pytest.mark.parametrize("name", shapes.MATMUL_MISTAKES)
def test_mistake_in_a_product_differs_on_two_cases(name):
    made = shapes.MATMUL_MISTAKES[name]
    forms = tuple(map(shapes._in_a_row, made if isinstance(made, tuple) else (made,)))
    right = shapes._in_a_row(shapes.gradients)
    assert telling(shapes.MATMUL_SHOWN, right, forms) >= 2


def test_failure_of_one_gradient_alone_is_told():
    with pytest.raises(CheckFailed, match=r"^expects two gradients"):
        shapes.grade_matmul(lambda g, a, b: g @ b.mT)
