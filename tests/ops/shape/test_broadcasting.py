"""Bringing several shapes to one."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "row.broadcast_to(size=(2, 3))",
    "a.sum_to_size(size=(2, 1))",
    "torch.broadcast_to(row, (2, 3))",
    "row.broadcast_to(4, 2, 3)",
    "torch.broadcast_tensors(row, a[:, :1])",
    "torch.broadcast_tensors(scalar, a)",
    "torch.broadcast_shapes((2, 1), (3,))",
    "torch.broadcast_shapes((2, 3), 3)",
    "torch.broadcast_shapes()",
    "a.sum_to_size(3)",
    "a.sum_to_size(2, 1)",
    "a.sum_to_size(1, 1)",
    "a.sum_to_size(2, 3)",
    "scalar.sum_to_size(())",
    "mask.sum_to_size(3)",
    "row.expand(2, 3)",
    "row.expand(4, 2, 3)",
    "row.expand(size=(2, 3))",
    "a[:1].expand(2, -1)",
    "a.expand(2, 3)",
    "scalar.expand(3)",
    "row.expand_as(a)",
    "(singles[:1].expand(4, 3).stride(), singles[:, :1].expand(2, 3).stride())",
    "row.detach().expand(2, 3).is_contiguous()",
]

SMOOTH = [
    "torch.broadcast_to(row, (2, 3)) ** 2",
    "a.sum_to_size(3) ** 2",
    "row.expand(4, 2, 3) ** 2",
    "a[:, :1].expand(2, 3) ** 2",
]

REFUSED = [
    "scalar.expand()",
    "row.expand(size=3)",
    "torch.zeros(1, dtype=torch.uint64).expand(())",
    "torch.broadcast_to(a, (3, 3))",
    "row.broadcast_to(2, 2)",
    "torch.broadcast_tensors(a, row[:2])",
    "torch.broadcast_shapes((2, 3), (4,))",
    "torch.broadcast_shapes((2, -1), (3,))",
    "torch.broadcast_shapes((2, 3), -1)",
    "a.sum_to_size(2)",
    "a.sum_to_size(2, 2, 3)",
    "a.expand(3)",
    "a.expand(3, 3)",
    "a.expand(-1, 2, 3)",
    "y = row.detach().expand(2, 3); y[0] = 1",
    "y = row.detach().expand(2, 3); y.add_(1)",
]


@pytest.mark.parametrize("case", CASES)
def test_broadcast_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_broadcast_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_broadcast_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
