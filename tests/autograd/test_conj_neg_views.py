"""Conjugates and negatives as views, in the graph."""

from __future__ import annotations

import pytest

import edutorch as torch
from tests.tensor.test_conj_neg_view import complexes


def test_conjugates_record_pytorchs_nodes():
    y = complexes(True).conj()
    assert y.grad_fn.name() == y.conj().grad_fn.name() == "ConjBackward0"
    assert y.imag.grad_fn.name() == "SelectBackward0"
    assert y[0].grad_fn.next_functions[0][0] is y.grad_fn
    assert y.is_leaf is False and torch.ones(1).conj().is_leaf


def test_writing_to_a_conjugate_has_the_gradient_of_its_place():
    x = complexes(True)
    y = x * 1
    y.conj()[0].mul_(1 + 1j)  # the same as y[0] * (1 - 1j)
    assert y.grad_fn.name().endswith("CopySlices")
    (y * (1 - 2j)).real.sum().backward()
    assert x.grad.tolist() == [[-1 + 3j] * 3, [1 + 2j] * 3]


def test_writing_to_an_imaginary_part_of_a_conjugate_has_its_gradient():
    x = complexes(True)
    y = x * 1
    z = y.conj().imag
    z.mul_(3)
    (y * (1 - 2j)).real.sum().backward(retain_graph=True)
    assert x.grad.tolist() == [[1 + 6j] * 3] * 2
    x.grad = None
    z.sum().backward()
    assert x.grad.tolist() == [[-3j] * 3] * 2


def test_gradients_of_conjugates_can_be_differentiated():
    def function(x):
        y = x.conj()
        return torch.view_as_real((y[0] * x[1] + y.imag.sum()).resolve_conj())

    x = complexes().to(torch.complex128).requires_grad_()
    real = torch.view_as_real(x.detach()).clone().requires_grad_()
    inner = lambda r: function(torch.view_as_complex(r))
    assert torch.autograd.gradcheck(inner, (real,))
    assert torch.autograd.gradgradcheck(inner, (real,))


def test_a_gradient_that_is_a_lazy_view_can_grow():
    x = complexes(True)
    x.grad = torch.full((2, 3), 1j).conj()
    x.real.sum().backward()
    assert x.grad.tolist() == [[1 - 1j] * 3] * 2


def test_views_of_lazy_views_are_refused_where_their_memory_has_no_such_view():
    x = torch.tensor([1 + 2j, 3 - 1j, 2j])
    for wide in (x.expand(2, 3).conj(), x.conj().expand(2, 3).imag):
        with pytest.raises(RuntimeError, match="view size is not compatible"):
            wide.view(3, 2)
        assert wide.reshape(3, 2).tolist() == wide.clone().view(3, 2).tolist()
    assert x.conj().view(3, 1).tolist() == [[1 - 2j], [3 + 1j], [-2j]]
