"""Tensors like another one."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.zeros_like(ints)",
    "torch.zeros_like(a)",
    "torch.ones_like(ints, dtype=torch.float64)",
    "torch.ones_like(singles, requires_grad=True)",
    "torch.full_like(ints, 2)",
    "torch.full_like(ints, 2.7)",
    "torch.full_like(singles, scalar.detach())",
    "torch.empty_like(singles.t()).stride()",
    "torch.zeros_like(singles.t()).stride()",
    "torch.empty_like(torch.zeros(1, 3).t()).stride()",
    "torch.full_like(torch.zeros(3, 2).t().unsqueeze(1), 2).stride()",
    "torch.rand_like(torch.zeros(1, 3).t()).stride()",
    "torch.rand_like(torch.zeros(3, 2, device='meta').t()).stride()",
    "torch.randn_like(torch.zeros((), device='meta')).shape",
    "F.dropout(torch.zeros(3, 2, device='meta').t()).stride()",
    "torch.zeros_like(singles.t(), memory_format=torch.contiguous_format).stride()",
    "torch.zeros_like(input=singles)",
    "ints.new_zeros(2, 2)",
    "singles.new_ones((2,))",
    "singles.new_ones(2, dtype=torch.int64)",
    "singles.new_empty(2, 2).shape",
    "singles.new_full((2,), True)",
    "ints.new_full((2,), 3.5, dtype=torch.float32)",
    "singles.new_tensor([[1, 2]])",
    "ints.new_tensor([1.7])",
    "singles.new()",
    "singles.new([[1, 2]])",
    "ints.new([1.7])",
    "singles.new(singles)",
    "singles.new_zeros(size=(1, 2), requires_grad=True)",
]

REFUSED = [
    "torch.zeros_like([1])",
    "torch.ones_like(3)",
    "singles.new_zeros(-1)",
]


@pytest.mark.parametrize("case", CASES)
def test_like_functions_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_likes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
