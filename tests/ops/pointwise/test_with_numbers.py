"""Arithmetic with numbers inside composed functions."""

import pytest

import edutorch as torch
from edutorch.ops.pointwise import with_numbers

FUNCTIONS = {
    "add_number": (lambda x: x + 2, "AddBackward1"),
    "sub_number": (lambda x: x - 2, "SubBackward1"),
    "mul_number": (lambda x: x * 2, "MulBackward1"),
    "div_number": (lambda x: x / 2, "DivBackward1"),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_numbers_have_nodes_without_an_edge_for_them(name):
    plain, node = FUNCTIONS[name]
    x = torch.tensor([1.0, 3.0], requires_grad=True)
    y = getattr(with_numbers, name)(x, 2)
    assert torch.equal(y, plain(x))
    assert y.grad_fn.name() == node and len(y.grad_fn.next_functions) == 1
    slopes = [torch.autograd.grad(z.sum(), x)[0] for z in (y, plain(x))]
    assert torch.equal(*slopes)


def test_number_minus_has_the_node_of_tensors():
    x = torch.tensor([1.0, 3.0], requires_grad=True)
    y = with_numbers.number_minus(2, x)
    assert torch.equal(y, 2 - x)
    assert y.grad_fn.name() == "SubBackward0"
    assert y.grad_fn.next_functions[0] == (None, 0)
