"""Whole entries added, overwritten, filled."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.index_add(1, torch.tensor([0, 0, 2]), b)",
    "torch.index_add(a, 0, torch.tensor([1]), b[:1], alpha=2)",
    "k.index_add(0, torch.tensor([0, 0]), l)",
    "y = a.clone(); y.index_add_(0, torch.tensor([0]), b[1:]); y",
    "a.index_copy(1, torch.tensor([2]), b[:, :1])",
    "torch.index_copy(a, 0, torch.tensor([1, 0]), b)",
    "y = a.clone(); y.index_copy_(0, torch.tensor([0]), b[1:]); y",
    "a.index_fill(1, torch.tensor([0, 2]), 3.0)",
    "a.index_fill(1, torch.tensor([0, 2, 0]), r.sum())",
    "k.index_fill(0, torch.tensor([0]), 2.7)",
    "s.index_fill(0, torch.tensor([0]), 2.0)",
    "y = a.clone(); y.index_fill_(0, torch.tensor([0]), 2.0); y",
]

# PyTorch builds these of other operations: its nodes have other names.
OTHER_NODES = [
    "y = a.clone(); y.put_(torch.tensor([0, 5]), r[:2]); y",
    "y = a.clone(); y.put_(torch.tensor([0, 0]), r[:2], accumulate=True); y",
    "torch.put(a, torch.tensor([-1]), r[:1])",
    "y = s.clone(); y.put_(torch.tensor([0]), r[:1]); y",
]

SMOOTH = [
    "a.index_add(1, torch.tensor([0, 0, 2]), b, alpha=2) ** 2",
    "a.index_copy(1, torch.tensor([2, 0]), b[:, :2]) ** 2",
    "a.index_fill(1, torch.tensor([0, 2]), r.sum()) ** 2",
]

REFUSED = [
    "torch.ones(3).index_add(0, torch.tensor([7]), torch.ones(1))",
    "torch.ones(3).index_add(0, torch.tensor([0, 1]), torch.ones(()))",
    "torch.ones(2, 3).index_add(1, torch.tensor([0]), torch.ones(2))",
    "torch.ones(()).index_copy(0, torch.tensor([0, 0]), torch.ones(()))",
    "a.index_add(0, torch.tensor([0]), r)",
    "a.index_add(0, torch.tensor([0]), b[:1, :2])",
    "s.index_add(0, torch.tensor([0]), r[:1])",
    "a.index_add(0, torch.tensor([7]), b[:1])",
    "a.index_add(0, torch.tensor([0, 1]), b[:1])",
    "a.index_add(0, torch.tensor([0]), f[:1])",
    "a.index_copy(0, torch.tensor([0]), r)",
    "a.index_copy(0, torch.tensor([7]), b[:1])",
    "a.index_copy(0, torch.tensor([0]), f[:1])",
    "a.index_fill(0, torch.tensor([7]), 1.0)",
    "a.index_fill(0, torch.tensor([0]), r)",
    "f.put_(torch.tensor([50]), torch.tensor([1.0]))",
    "f.put_(torch.tensor([0, 1]), torch.tensor([1.0]))",
    "f.put_(torch.tensor([0]), torch.tensor([1]))",
    "torch.zeros(1).expand(3).put_(torch.tensor([0]), torch.ones(1))",
    "torch.ones(3).index_fill(0, torch.tensor([0]), 1 + 2j)",
    "torch.ones(3).index_fill(0, torch.tensor([0]), torch.tensor(1 + 2j))",
]


@pytest.mark.parametrize("case", CASES)
def test_entries_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", OTHER_NODES)
def test_entries_equal_pytorch_but_for_nodes(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_entries_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_entries_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
