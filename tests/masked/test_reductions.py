"""Reductions of what a mask shows."""

from __future__ import annotations

import pytest

import edutorch
from tests.programs import Programs, attempt

programs = Programs(__file__)
NAMES = (
    "sum", "prod", "amax", "amin", "argmax", "argmin", "mean", "median", "norm", "var",
    "std", "logsumexp",
)  # fmt: skip


def numbers(torch):
    """Numbers, and a mask with a row that shows nothing."""
    x = torch.tensor([[3.0, -1.0, 2.0], [0.5, 4.0, 1.0], [1.0, 2.0, 7.0]])
    mask = torch.tensor([[True, False, True], [False, False, False], [True] * 3])
    return x, mask


def all_ways(torch, function, x, mask):
    """A reduction over one, the other, all dimensions, with what belongs to it."""
    found = []
    for dim in (0, -1, (0, 1), None):
        for keepdim in (False, True):
            leaf = x.clone().requires_grad_(x.is_floating_point())
            y = attempt(lambda d=dim, k=keepdim, v=leaf: function(v, d, k, mask))
            found.append(y if not isinstance(y, list) else y[:2])
            if not isinstance(y, list) and y.requires_grad:
                found.append(torch.autograd.grad((y * y).sum(), leaf))
    return found


def add(name):
    def program(torch):
        x, mask = numbers(torch)
        made = getattr(torch.masked, name)

        def function(v, dim, keepdim, mask):
            more = (2.0,) if name == "norm" else ()
            return made(v, *more, dim=dim, keepdim=keepdim, mask=mask)

        return [
            all_ways(torch, function, v, m)
            for v in (x.double(), x.long())
            for m in (mask, mask[0], mask[:, :1], None)
        ]

    program.__name__ = name
    programs.add(program)


for _name in NAMES:
    add(_name)


@programs.add
def dtypes_and_corrections(torch):
    x, mask = numbers(torch)
    m = torch.masked
    return [
        m.sum(x.int(), 0, mask=mask), m.sum(x, 0, dtype=torch.float64, mask=mask),
        m.var(x, 1, False, mask=mask), m.var(x, 1, correction=2, mask=mask),
        m.std(x.long(), 1, mask=mask), m.mean(x.long(), 1, dtype=torch.float32),
        m.norm(x, float("inf"), 1, mask=mask), m.norm(x, -float("inf"), 1, mask=mask),
        attempt(lambda: m.var(x, 1, True, correction=1, mask=mask)),
        attempt(lambda: m.norm(x.long(), -float("inf"), 1, mask=mask)),
    ]  # fmt: skip


test_reductions = programs.test()


@pytest.mark.parametrize("name", ["sum", "mean", "var"])
def test_what_is_hidden_changes_nothing(name):
    x, mask = numbers(edutorch)
    function = getattr(edutorch.masked, name)
    other = x.masked_fill(~mask, 99.0)
    first, second = (function(v, (0, 1), mask=mask) for v in (x, other))
    assert edutorch.equal(first, second)
