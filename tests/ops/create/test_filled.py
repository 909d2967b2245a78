"""Tensors of one value."""

import pytest

import edutorch
from tests.ops.cases import alike, refused

CASES = [
    "torch.zeros(2, 3)",
    "torch.zeros((2, 3))",
    "torch.zeros([2, 3], dtype=torch.int32)",
    "torch.zeros(torch.Size([2]))",
    "torch.zeros(())",
    "torch.zeros(0)",
    "torch.zeros(size=(2, 3))",
    "torch.zeros(2, requires_grad=True)",
    "torch.zeros(torch.tensor(2))",
    "torch.zeros(2, out=torch.ones(2))",
    "torch.zeros(2, out=torch.ones(2, dtype=torch.int64))",
    "torch.ones(2, dtype=torch.bool)",
    "torch.ones((2,), dtype=torch.complex64)",
    "torch.ones(2, 1, device='cpu')",
    "torch.empty(2, 3).shape",
    "str(torch.empty((2, 3), dtype=torch.int8).dtype)",
    "torch.full((2, 2), 7)",
    "torch.full((2, 2), 7.0)",
    "torch.full((), True)",
    "torch.full((2,), 1j)",
    "torch.full((2,), scalar.detach())",
    "torch.full((2,), 1.5, dtype=torch.int64)",
    "torch.full((2,), 1, dtype=torch.float64, requires_grad=True)",
    "torch.full(size=(2,), fill_value=3)",
    "torch.eye(3)",
    "torch.eye(2, 3, dtype=torch.int64)",
    "torch.eye(0)",
    "torch.eye(2, requires_grad=True)",
]

REFUSED = [
    "torch.full((2,), -1.5, dtype=torch.uint8)",
    "torch.zeros(-1)",
    "torch.ones(-1)",
    "torch.zeros(1.5)",
    "torch.zeros((2, 3), 3)",
    "torch.zeros('a')",
    "torch.ones(2, dtype=torch.int64, requires_grad=True)",
    "torch.full(2, 1)",
    "torch.zeros(2, dtype=torch.float32, out=torch.zeros(2, dtype=torch.int64))",
    "torch.eye(-1)",
    "torch.eye(2, -1)",
]


@pytest.mark.parametrize("case", CASES)
def test_filled_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_filled_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_empty_with_channels_last_has_such_strides():
    x = edutorch.empty(2, 3, 4, 5, memory_format=edutorch.channels_last)
    assert x.stride() == (60, 1, 15, 3)
    assert x.is_contiguous(memory_format=edutorch.channels_last)
