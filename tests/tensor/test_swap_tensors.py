"""Tensors are exchanged with all that refers to them."""

from __future__ import annotations

import weakref

import pytest

import edutorch
from tests.programs import Programs

programs = Programs(__file__)


@programs.add
def exchange(torch):
    a = torch.arange(3.0)
    b = torch.nn.Parameter(torch.ones(2, 2))
    a.note = "mine"
    b.grad = torch.zeros(2, 2)
    shared, view = a, a[1:]
    torch.utils.swap_tensors(a, b)
    view.add_(10)
    return [
        shared is a, a.tolist(), b.tolist(), type(a).__name__, type(b).__name__,
        b.note, hasattr(a, "note"), a.requires_grad, b.requires_grad,
        a.grad.shape, a.is_leaf, view.tolist(),
    ]  # fmt: skip


@programs.add
def modules_find_the_new_values(torch):
    m = torch.nn.Linear(2, 1, bias=False)
    optimizer = torch.optim.SGD(m.parameters(), lr=1.0)
    other = torch.nn.Parameter(torch.tensor([[3.0, 4.0]]))
    torch.utils.swap_tensors(m.weight, other)
    m(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    return [m.weight.tolist(), m(torch.ones(1, 2)).item()]


programs.test()


def test_tensors_that_somebody_refers_to_weakly_are_refused():
    a, b = edutorch.ones(1), edutorch.ones(1)
    kept = weakref.ref(b)
    with pytest.raises(RuntimeError, match="Cannot swap t2 because it has weakref"):
        edutorch.utils.swap_tensors(a, b)
    assert kept() is b
