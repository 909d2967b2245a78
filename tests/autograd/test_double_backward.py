"""Second derivatives that are zero have a graph, as in PyTorch."""

from __future__ import annotations

import pytest

import edutorch
from edutorch import func
from tests.oracle import torch

F = "nn.functional."
CASES = [
    (F + "leaky_relu", (6,), ()), (F + "hardtanh", (6,), ()), (F + "relu6", (6,), ()),
    (F + "hardshrink", (6,), ()), (F + "softshrink", (6,), ()),
    (F + "threshold", (6,), (0.1, 2.0)), (F + "relu", (6,), ()),
    (F + "rrelu", (6,), ()), (F + "prelu", (6,), None),
    (F + "max_pool1d", (1, 2, 6), (2,)), (F + "max_pool2d", (1, 2, 4, 4), (2,)),
    (F + "avg_pool2d", (1, 2, 4, 4), (2,)), (F + "avg_pool3d", (1, 2, 2, 4, 4), (2,)),
    (F + "adaptive_avg_pool2d", (1, 2, 4, 4), (2,)),
    (F + "adaptive_avg_pool2d", (1, 2, 4, 4), (1,)),
    (F + "adaptive_max_pool2d", (1, 2, 4, 4), (2,)),
    (F + "pad", (1, 2, 4), ((1, 1), "reflect")),
    (F + "pad", (1, 2, 4), ((1, 1), "replicate")),
    (F + "pad", (1, 2, 4), ((1, 1), "circular")), (F + "pad", (1, 2, 4), ((1, 1),)),
    ("norm", (6,), (0,)),
]  # fmt: skip


def _function(library, name):
    found = library
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _derivatives(library, name, shape, rest):
    """What is None, what requires grad, and all values, to the second order."""
    n = 1
    for size in shape:
        n *= size
    x = library.linspace(-1, 1.2, n, dtype=library.float64)
    x = x.reshape(shape).requires_grad_()
    if rest is None:
        rest = (library.tensor([0.25], dtype=library.float64),)
    y = _function(library, name)(x, *rest)
    (g,) = library.autograd.grad(y.sum(), x, create_graph=True, allow_unused=True)
    found = [y.requires_grad, g is None, g is not None and g.requires_grad]
    if g is None or not g.requires_grad:
        return found
    h = library.autograd.grad(g.sum(), x, create_graph=True, allow_unused=True)[0]
    found += [g.tolist(), h is None]
    return found if h is None else [*found, h.requires_grad, h.tolist()]


@pytest.mark.parametrize(("name", "shape", "rest"), CASES)
def test_second_derivatives_equal_pytorch(name, shape, rest):
    assert _derivatives(edutorch, name, shape, rest) == _derivatives(
        torch, name, shape, rest
    )


def test_a_gradient_that_only_selects_requires_grad_and_has_the_derivative_zero():
    x = edutorch.tensor([-1.0, 2.0], requires_grad=True)
    (g,) = edutorch.autograd.grad(
        edutorch.nn.functional.leaky_relu(x).sum(), x, create_graph=True
    )
    assert g.requires_grad
    assert g.grad_fn.name() == "LeakyReluBackwardBackward0"
    assert edutorch.autograd.grad(g.sum(), x)[0].tolist() == [0.0, 0.0]


def test_zeros_reach_what_lies_behind_other_operations():
    x = edutorch.tensor([1.0, 2.0], requires_grad=True)
    h = x * 3
    (g,) = edutorch.autograd.grad(h.relu().sum(), h, create_graph=True)
    found = edutorch.autograd.grad(g.sum(), [h, x], retain_graph=True)
    assert [f.tolist() for f in found] == [[0.0, 0.0], [0.0, 0.0]]
    g.sum().backward()
    assert x.grad.tolist() == [0.0, 0.0]


def test_zeros_add_nothing_to_what_comes_from_elsewhere():
    x = edutorch.tensor([1.0, 2.0], requires_grad=True)
    (g,) = edutorch.autograd.grad((x * x).relu().sum(), x, create_graph=True)
    assert edutorch.autograd.grad(g.sum(), x)[0].tolist() == [2.0, 2.0]


def test_a_bias_belongs_to_the_function_that_gives_all_gradients():
    x, w, b = (
        edutorch.ones(*shape, requires_grad=True)
        for shape in ((1, 1, 3), (1, 1, 2), (1,))
    )
    y = edutorch.nn.functional.conv1d(x, w, b)
    gradients = edutorch.autograd.grad(y.sum(), [x, w, b], create_graph=True)
    assert all(g.requires_grad for g in gradients)
    found = edutorch.autograd.grad(gradients[2].sum(), [x, w], allow_unused=True)
    assert found == (None, None)


def test_transforms_and_maps_pass_zeros_on():
    x = edutorch.tensor([[-1.0, 2.0], [3.0, -4.0]])
    f = edutorch.nn.functional.leaky_relu
    second = func.grad(lambda x: func.grad(lambda x: f(x).sum())(x).sum())
    assert second(x).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert edutorch.vmap(second)(x).tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert func.hessian(lambda x: f(x).sum())(x[0]).tolist() == [[0.0, 0.0]] * 2


def test_infinite_entries_count_as_others_do():
    x = edutorch.tensor([float("inf"), 1.0], requires_grad=True)
    index = edutorch.tensor([0, 1])
    y = x.scatter_reduce(0, index, edutorch.ones(2), "mean")
    (g,) = edutorch.autograd.grad(y.sum(), x)
    assert g.tolist() == [0.5, 0.5]
    assert edutorch.linalg.vander(x.detach(), N=2).tolist()[0] == [1.0, float("inf")]


def test_the_gradient_of_what_is_constant_in_pieces_is_a_constant():
    x, w = (edutorch.ones(2, requires_grad=True) for _ in range(2))
    for step in (edutorch.sign, edutorch.floor, edutorch.round):
        (g,) = edutorch.autograd.grad((step(x) * w).sum(), x, create_graph=True)
        assert g.tolist() == [0.0, 0.0]
        assert not g.requires_grad


@pytest.mark.parametrize("name", ["relu", "leaky_relu", "hardtanh", "softshrink"])
def test_slopes_depend_on_the_input_to_every_order(name):
    x, w = edutorch.arange(3.0), edutorch.ones(3)
    slope = getattr(edutorch.nn.functional, name)
    vhp = edutorch.autograd.functional.vhp
    f = lambda x, w: (w * slope(x)).sum()
    _, products = vhp(f, (x, w), (x, w), create_graph=True)
    assert [p.requires_grad for p in products] == [True, True]


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x**3, lambda x: x**2, lambda x: x.square(), lambda x: x**1,
        lambda x: x.float_power(3), lambda x: (x * x) ** 2, lambda x: x**-1,
        lambda x: x.copysign(x), lambda x: x.copysign(-2.0), lambda x: x**0,
    ],
)  # fmt: skip
def test_each_order_depends_on_the_input_as_long_as_in_pytorch(function):
    told = []
    for library in (torch, edutorch):
        # Powers of two: their quotients are exact, and what cancels leaves nothing.
        x = library.tensor([-2.0, 0.0, 0.5], dtype=library.float64, requires_grad=True)
        y, found = function(x), []
        for _ in range(6):
            if not y.requires_grad:
                break
            y = library.autograd.grad(y.sum(), x, create_graph=True)[0]
            found.append([y.requires_grad, y.nan_to_num().tolist()])
        told.append(found)
    assert told[0] == told[1]
