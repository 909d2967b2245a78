"""Distinct values, counts and bins."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.bucketize(256, torch.tensor([1, 2], dtype=torch.uint8))",
    "torch.searchsorted(torch.tensor([1, 2], dtype=torch.int8), -129)",
    "torch.unique(ties.detach())",
    "torch.unique(ties.detach(), return_inverse=True)",
    "torch.unique(ints, return_inverse=True, return_counts=True)",
    "torch.unique(ties.detach(), dim=0)",
    "torch.unique(torch.cat([ints, ints]), dim=0, return_inverse=True, return_counts=True)",
    "ints.unique()",
    "torch.unique(ties.detach(), return_counts=True, dim=1)",
    "torch.unique_consecutive(torch.tensor([1, 1, 2, 2, 1]))",
    "torch.unique_consecutive(torch.tensor([1, 1, 2, 2, 1]), return_inverse=True, return_counts=True)",
    "torch.unique_consecutive(ties.detach(), dim=1)",
    "torch.unique_consecutive(torch.tensor(3))",
    "torch.bincount(torch.tensor([1, 0, 1, 4]))",
    "torch.bincount(torch.tensor([1, 0]), minlength=4)",
    "torch.bincount(torch.tensor([1, 0, 1]), torch.tensor([0.5, 1, 2]))",
    "torch.bincount(torch.tensor([], dtype=torch.int64))",
    "torch.bincount(torch.tensor([1, 0, 1]), torch.ones(3).half())",
    "torch.bincount(torch.tensor([1, 0]), torch.tensor([1j, 2]))",
    "torch.bincount(torch.tensor([], dtype=torch.int64), torch.ones(2), 3)",
    "torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([[3, 6], [0, 4]]))",
    "torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3, 6]), right=True)",
    "torch.searchsorted(torch.tensor([[1, 3], [2, 4]]), torch.tensor([[3], [3]]), out_int32=True)",
    "torch.searchsorted(torch.tensor([1, 3, 5]), 3)",
    "torch.bucketize(torch.tensor([[3, 6]]), torch.tensor([1, 3, 5]))",
    "torch.bucketize(torch.tensor([3, 6]), torch.tensor([1, 3, 5]), right=True)",
    'torch.searchsorted(torch.tensor([1, 3, 5]), torch.tensor([3]), side="right")',
]

REFUSED = [
    "torch.searchsorted(row.detach(), [1.0])",
    "torch.bucketize([1.0], row.detach())",
    "torch.bincount(torch.tensor([-1]))",
    "torch.bincount(singles)",
    "torch.bincount(ints)",
]


@pytest.mark.parametrize("case", CASES)
def test_counts_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_counts_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
