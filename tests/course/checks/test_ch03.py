from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check
from tests.course.solutions import ch03

SOLUTIONS = {
    "03.1": ch03.numeric_gradient,
    "03.2": ch03.gradient_error,
    "03.3": ch03.sum_to,
    "03.4": ch03.matmul_backward,
    "03.5": ch03.Swish,
    "03.6": ch03.hessian,
}


def double(*values):
    return torch.tensor([*values], dtype=torch.float64)


@pytest.mark.parametrize("number", SOLUTIONS)
def test_check_of_the_solution_passes(number):
    assert check(number, SOLUTIONS[number]).points > 0


def test_examples_of_numeric_gradients_hold():
    def cubes(x):
        return (x**3).sum()

    found = ch03.numeric_gradient(cubes, double(2.0), h=0.1)
    assert found.tolist() == pytest.approx([12.01])
    forward = (2.1**3 - 2**3) / 0.1
    assert forward == pytest.approx(12.61)
    assert ch03.gradient_error(cubes, double(1.0), h=0.5) == pytest.approx(0.25 / 3.25)
    assert ch03.gradient_error(cubes, double(1.0)) < 1e-9
    assert ch03.gradient_error(cubes, double(0.0)) == pytest.approx(0.01)


def test_examples_of_shapes_hold():
    g = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    assert ch03.sum_to(g, (3,)).tolist() == [5, 7, 9]
    assert ch03.sum_to(g, (2, 1)).tolist() == [[6], [15]]
    assert ch03.sum_to(g, ()).item() == 21
    a = g = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    ga, gb = ch03.matmul_backward(g, a, torch.tensor([[1.0, 0.0], [2.0, -1.0]]))
    assert ga.tolist() == [[1, 0], [3, 2]]
    assert gb.tolist() == [[10, 14], [14, 20]]


def test_examples_of_derivatives_hold():
    x = double(1.0).requires_grad_()
    y = ch03.Swish.apply(x)
    (first,) = torch.autograd.grad(y, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x)
    found = [y.item(), first.item(), second.item()]
    assert found == pytest.approx([0.7311, 0.9277, 0.3024], abs=5e-5)
    table = ch03.hessian(lambda x: x[0] ** 2 * x[1], double(1.0, 2.0))
    assert table.tolist() == [[4, 2], [2, 0]]


def test_solutions_agree_with_the_library():
    x = double(0.3, -1.0, 2.0)
    assert torch.autograd.gradcheck(ch03.Swish.apply, (x.requires_grad_(),))
    assert torch.autograd.gradgradcheck(ch03.Swish.apply, (x,))

    def f(x):
        return (x.sin() * x.prod()).sum()

    table = torch.autograd.functional.hessian(f, x)
    torch.testing.assert_close(ch03.hessian(f, x), table)


@pytest.mark.parametrize("number", ["03.1", "03.3", "03.6"])
def test_check_of_a_result_asks_for_the_function(number):
    with pytest.raises(CheckFailed, match="without"):
        check(number, torch.ones(2))
