"""Tensors like another one."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.zeros_like(k)",
    "torch.zeros_like(a)",
    "torch.ones_like(k, dtype=torch.float64)",
    "torch.ones_like(f, requires_grad=True)",
    "torch.full_like(k, 2)",
    "torch.full_like(k, 2.7)",
    "torch.full_like(f, s.detach())",
    "torch.empty_like(f.t()).stride()",
    "torch.zeros_like(f.t()).stride()",
    "torch.zeros_like(f.t(), memory_format=torch.contiguous_format).stride()",
    "torch.zeros_like(input=f)",
    "k.new_zeros(2, 2)",
    "f.new_ones((2,))",
    "f.new_ones(2, dtype=torch.int64)",
    "f.new_empty(2, 2).shape",
    "f.new_full((2,), True)",
    "k.new_full((2,), 3.5, dtype=torch.float32)",
    "f.new_tensor([[1, 2]])",
    "k.new_tensor([1.7])",
    "f.new()",
    "f.new([[1, 2]])",
    "k.new([1.7])",
    "f.new(f)",
    "f.new_zeros(size=(1, 2), requires_grad=True)",
]

REFUSED = [
    "torch.zeros_like([1])",
    "torch.ones_like(3)",
    "f.new_zeros(-1)",
]


@pytest.mark.parametrize("case", CASES)
def test_likes_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_likes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
