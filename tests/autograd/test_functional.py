"""`jacobian`, `hessian` and products with them, compared with PyTorch."""

from __future__ import annotations

import pytest

import edutorch as torch
from tests.programs import Programs, attempt

programs = Programs(__file__)


def vector(torch):
    return torch.tensor([1.0, 2.0])


def square(x):
    return x * x


def cubes(x):
    return (x**3).sum()


def linear(x):
    return x.sum()


@programs.add
def rows_and_columns(torch):
    x, f = vector(torch), torch.autograd.functional
    two = lambda x, y: (x * y, x.sum())
    v = (x, torch.ones(()))
    return [
        f.vjp(square, x, x), f.vjp(cubes, x), f.vjp(two, (x, x), v),
        f.jvp(square, x, x), f.jvp(two, (x, x), (x, x * 2)),
        f.jvp(lambda x: x.sum(), torch.tensor(2.0)), f.jvp(lambda x: (x, x * 3), x, x),
    ]  # fmt: skip


@programs.add
def products_with_hessians(torch):
    x, f = vector(torch), torch.autograd.functional
    two = lambda x, y: (x * y * x).sum()
    return [
        f.hvp(cubes, x, x), f.vhp(cubes, x, x), f.hvp(linear, x, x),
        f.hvp(two, (x, x), (x, x)), f.vhp(two, (x, x), (x, x)),
        f.hvp(lambda x: x**3, torch.tensor(2.0)),
    ]  # fmt: skip


@programs.add
def whole_matrices(torch):
    x, f = vector(torch), torch.autograd.functional
    two = lambda x, y: (x * y, x.sum())
    flat = lambda x: torch.stack([x, x * 2]) * x.sum()
    found = [f.jacobian(square, x), f.jacobian(two, (x, x)), f.jacobian(flat, x)]
    for strategy in ("forward-mode", "reverse-mode"):
        options = {"vectorize": True, "strategy": strategy}
        found += [f.jacobian(flat, x, **options), f.jacobian(two, (x, x), **options)]
    return found


@programs.add
def whole_hessians(torch):
    x, f = vector(torch), torch.autograd.functional
    two = lambda x, y: (x * y * y).sum()
    forward = {"vectorize": True, "outer_jacobian_strategy": "forward-mode"}
    return [
        f.hessian(cubes, x), f.hessian(two, (x, x)), f.hessian(linear, x),
        f.hessian(cubes, x, vectorize=True), f.hessian(cubes, x, **forward).detach(),
    ]  # fmt: skip


@programs.add
def strict_mode_is_refused_in_order(torch):
    x, f = vector(torch), torch.autograd.functional
    constant = lambda x: torch.ones(2)
    options = {"strict": True, "vectorize": True}
    return [
        attempt(lambda: f.hvp(constant, x, x, strict=True)),
        attempt(lambda: f.hessian(constant, x, strict=True)),
        attempt(lambda: f.jacobian(constant, x, **options)),
        attempt(lambda: f.jacobian(square, x, **options)),
        attempt(lambda: f.hessian(square, x, **options)),
    ]


@programs.add
def rows_in_one_pass_have_the_same_numbers(torch):
    x, f = torch.linspace(0.1, 2.0, 6).reshape(2, 3), torch.autograd.functional
    functions = (
        lambda x: torch.softmax(x @ x.T, 1), lambda x: x.cumsum(0).sort(1).values,
        lambda x: (x.logsumexp(1), x[:, 1:] / x.norm()), lambda x: torch.ones(2),
    )  # fmt: skip
    return [f.jacobian(function, x, vectorize=True) for function in functions]


@programs.add
def recorded_rows_in_one_pass_can_be_differentiated(torch):
    x, f = vector(torch).requires_grad_(), torch.autograd.functional
    jacobian = f.jacobian(lambda x: x**3, x, create_graph=True, vectorize=True)
    hessian = f.hessian(lambda x: (x**4).sum(), x, create_graph=True, vectorize=True)
    return [torch.autograd.grad(found.sum(), x) for found in (jacobian, hessian)]


@programs.add
def results_can_be_differentiated(torch):
    x, f = vector(torch).requires_grad_(), torch.autograd.functional
    found = []
    for result in (
        f.vjp(square, x, x, create_graph=True)[1],
        f.jvp(square, x, x, create_graph=True)[1],
        f.hvp(cubes, x, x, create_graph=True)[1],
        f.vhp(cubes, x, x, create_graph=True)[1],
        f.jacobian(square, x, create_graph=True),
        f.hessian(cubes, x, create_graph=True),
    ):
        found += [result.detach(), torch.autograd.grad(result.sum(), x)]
    return found, f.jacobian(square, x).requires_grad


@programs.add
def what_does_not_depend(torch):
    x, f = vector(torch), torch.autograd.functional
    constant, number = lambda x: torch.ones(2), lambda x: torch.ones(())
    first = lambda x, y: x * 2
    return [
        f.vjp(constant, x, x), f.jvp(constant, x, x), f.hvp(number, x, x),
        f.jacobian(constant, x), f.hessian(number, x), f.vjp(first, (x, x), x),
        f.vhp(number, x, x), f.jacobian(first, (x, x)), f.jvp(first, (x, x), (x, x)),
    ]  # fmt: skip


@programs.add
def what_does_not_depend_is_refused_in_strict_mode(torch):
    x, f = vector(torch), torch.autograd.functional
    constant, number = lambda x: torch.ones(2), lambda x: torch.ones(())
    first, xr = lambda x, y: x * 2, vector(torch).requires_grad_()
    graph = {"strict": True, "create_graph": True}
    return [
        attempt(lambda: f.vjp(constant, x, x, strict=True)),
        attempt(lambda: f.vjp(first, (x, x), x, strict=True)),
        attempt(lambda: f.vjp(linear, xr, **graph)),
        attempt(lambda: f.jvp(constant, x, x, strict=True)),
        attempt(lambda: f.jvp(first, (x, x), (x, x), strict=True)),
        attempt(lambda: f.jvp(lambda x: x * 2, xr, x, **graph)),
        attempt(lambda: f.jvp(torch.sign, x, x, strict=True)),
        attempt(lambda: f.jvp(lambda x, y: (x, y.sign()), (x, x), (x, x), strict=True)),
        attempt(lambda: f.hvp(lambda x: (x * xr).sum(), x, x, strict=True)),
        attempt(lambda: f.hvp(linear, x, x, strict=True)),
        attempt(lambda: f.hvp(number, x, x, strict=True)),
        attempt(lambda: f.vhp(linear, x, x, strict=True)),
        attempt(lambda: f.vhp(number, x, x, strict=True)),
        attempt(lambda: f.jacobian(constant, x, strict=True)),
        attempt(lambda: f.jacobian(first, (x, x), strict=True)),
        attempt(lambda: f.jacobian(lambda x: x * 2, xr, **graph)),
        attempt(lambda: f.hessian(linear, x, strict=True)),
        attempt(lambda: f.hessian(number, x, strict=True)),
    ]


def answers(torch, **options):
    """What all the functions say, of functions that depend on inputs and others."""
    f, x = torch.autograd.functional, vector(torch)

    def indep(a, b):
        return (a * 2).sum()

    def total(x):
        return x.sum()

    return [
        attempt(lambda: f.jacobian(square, x, **options)),
        attempt(lambda: f.jacobian(lambda a, b: (a * b, a + b), (x, x), **options)),
        attempt(lambda: f.jacobian(indep, (x, x), **options)),
        attempt(lambda: f.hessian(cubes, x, **options)),
        attempt(lambda: f.hessian(total, x, **options)),
        attempt(lambda: f.vjp(square, x, x, **options)),
        attempt(lambda: f.vjp(indep, (x, x), **options)),
        attempt(lambda: f.jvp(square, x, x, **options)),
        attempt(lambda: f.jvp(indep, (x, x), (x, x), **options)),
        attempt(lambda: f.hvp(lambda x: (x * x).sum(), x, x, **options)),
        attempt(lambda: f.hvp(total, x, x, **options)),
        attempt(lambda: f.vhp(lambda x: (x * x).sum(), x, x, **options)),
        attempt(lambda: f.vhp(indep, (x, x), (x, x), **options)),
    ]


@programs.add
def inputs_without_grad_have_graphs_too(torch):
    return answers(torch, create_graph=True)


@programs.add
def strictness_says_what_depends_on_nothing(torch):
    return answers(torch, strict=True)


@programs.add
def strictness_says_which_derivatives_depend_on_nothing(torch):
    return answers(torch, strict=True, create_graph=True)


@programs.add
def misuse_is_refused(torch):
    x, f, y = vector(torch), torch.autograd.functional, torch.ones(3)
    forward = {"strategy": "forward-mode"}
    return [
        attempt(lambda: f.vjp(square, x)),
        attempt(lambda: f.vjp(square, x, y)),
        attempt(lambda: f.vjp(square, x, (x, x))),
        attempt(lambda: f.vjp(square, 3)),
        attempt(lambda: f.vjp(square, (x, 3))),
        attempt(lambda: f.vjp(lambda x: 3, x)),
        attempt(lambda: f.jvp(square, x)),
        attempt(lambda: f.hvp(square, x, x)),
        attempt(lambda: f.hvp(lambda x: (x, x), x, x)),
        attempt(lambda: f.vhp(square, x, x)),
        attempt(lambda: f.jacobian(square, x, strategy="z")),
        attempt(lambda: f.jacobian(square, x, **forward)),
        attempt(lambda: f.jacobian(square, x, vectorize=True, strict=True)),
        attempt(lambda: f.jacobian(square, x, create_graph=True, **forward)),
        attempt(lambda: f.hessian(square, x)),
        attempt(lambda: f.hessian(lambda x: 3, x)),
        attempt(lambda: f.hessian(lambda x: (x.sum(), x.sum()), x)),
        attempt(lambda: f.hessian(cubes, x, outer_jacobian_strategy="z")),
    ]


test_functional = programs.test()


def test_a_strict_hessian_asks_the_jacobian_whether_it_depends_on_an_input():
    x, w = torch.ones(2), torch.ones(3)
    said = "the jacobian of the user-provided function with respect to input 1 is indep"
    for function in (lambda x, w: x.sin().sum(), lambda x, w: (x * x).sum() + w.sum()):
        with pytest.raises(RuntimeError, match=said):
            torch.autograd.functional.hessian(function, (x, w), strict=True)
