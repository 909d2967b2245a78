"""Products of stacks of matrices: bmm, beside PyTorch."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.bmm(squares, posdef)",
    "squares.bmm(squares)",
]
REFUSED = [
    "torch.bmm(squares, -3)",
    "torch.bmm(a, a)",
    "torch.bmm(squares, squares[:, :2])",
    "torch.bmm(mask[None], mask.t()[None])",
]


@pytest.mark.parametrize("case", CASES)
def test_stacks_of_products_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", CASES)
def test_stacks_of_products_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_stacks_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


@pytest.mark.parametrize("product", [torch.bmm, torch.matmul])
def test_gradients_of_lines_of_one_number_are_those_of_a_sum(product):
    torch.manual_seed(0)
    g = torch.randn(3, 1, 1)
    a, b = torch.randn(3, 1, 4), torch.randn(3, 4, 1)
    a, b = a.requires_grad_(), b.requires_grad_()
    product(a, b).backward(g)
    assert torch.equal(a.grad, g * b.detach().mT)
    assert torch.equal(b.grad, g * a.detach().mT)
