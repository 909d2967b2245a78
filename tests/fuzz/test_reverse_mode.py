"""Transforms by reverse mode alone are those of `torch.func` where these are right."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fuzz.families.transforms import START, distance
from tests.fuzz.outcomes import outcome
from tests.fuzz.reverse_mode import by_reverse_mode
from tests.oracle import torch

TRANSFORMED = [
    "fn.grad(s, (1, -2))(x, w)",
    "fn.grad_and_value(s)(x, w)",
    "fn.grad(lambda x, w: (s(x, w), x * 2), has_aux=True)(x, w)",
    "fn.hessian(s, argnums=(0, 1))(x, w)",
    "fn.jacfwd(f, 1)(x, w)",
    "fn.jacrev(fn.jacrev(f), argnums=(0, 1))(x, w)",
    "fn.jvp(f, (x, w), (x.cos(), w.sin()))",
    "fn.jvp(fn.grad(s), (x, w), (x.cos(), w.sin()))[1]",
    "(lambda o, p: p(o))(*fn.vjp(f, x, w))",
    "fn.vmap(fn.grad(s), (1, None))(torch.stack([x, x * .7], 1), w)",
    "fn.vmap(f)(torch.stack([x, x * .7]), torch.stack([w, w + .1]))",
    "fn.linearize(f, x, w)[1](x, w.cos())",
    "torch.autograd.functional.hessian(s, (x, w), vectorize=True)",
]
FUNCTIONS = ["(w @ x).tanh() * x", "F.layer_norm(x, (3,), w[0])", "w.det() * x",
             "torch.cdist(x[None], w)[0]", "x.logcumsumexp(0)"]  # fmt: skip


def program(transformed, function="(w @ x).tanh() * x"):
    f = f"f = lambda x, w: {function}; s = lambda x, w: S(f(x, w))"
    return "\n".join([START, f, f"result = P({transformed})"])


@pytest.mark.parametrize("transformed", TRANSFORMED)
def test_transforms_of_primitives_equal_those_of_reverse_mode(transformed):
    text = program(transformed)
    expected, found = outcome(text, torch, {}), by_reverse_mode(text)
    assert expected.error is None
    assert distance(expected.value, found.value) < 1e-12


@pytest.mark.parametrize("function", FUNCTIONS)
def test_composed_functions_equal_those_that_they_stand_for(function):
    text = program("fn.grad(s, (0, 1))(x, w)", function)
    expected, found = outcome(text, torch, {}), by_reverse_mode(text)
    assert distance(expected.value, found.value) < 1e-9


def test_dual_numbers_are_directions():
    lines = ["FA = torch.autograd.forward_ad", "with FA.dual_level():",
             "    a, b = FA.make_dual(x, x.cos()), FA.make_dual(w, w.sin()); "
             "result = P(FA.unpack_dual(f(a, b)))"]  # fmt: skip
    text = "\n".join([*program("x").splitlines()[:2], *lines])
    expected, found = outcome(text, torch, {}), by_reverse_mode(text)
    assert distance(expected.value, found.value) < 1e-12
    assert np.isfinite(expected.value[1].values).all()
