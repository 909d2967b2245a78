"""Adding, copying and filling whole entries."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "row.detach().expand(4, 3).index_fill(1, torch.tensor([0]), 2.0).stride()",
    "a.index_add(1, torch.tensor([0, 0, 2]), b)",
    "torch.index_add(a, 0, torch.tensor([1]), b[:1], alpha=2)",
    "ints.index_add(0, torch.tensor([0, 0]), ints2)",
    "y = a.clone(); y.index_add_(0, torch.tensor([0]), b[1:]); y",
    "a.index_copy(1, torch.tensor([2]), b[:, :1])",
    "torch.index_copy(a, 0, torch.tensor([1, 0]), b)",
    "y = a.clone(); y.index_copy_(0, torch.tensor([0]), b[1:]); y",
    "a.index_fill(1, torch.tensor([0, 2]), 3.0)",
    "a.index_fill(1, torch.tensor([0, 2, 0]), row.sum())",
    "a.index_fill(1, torch.tensor([0, -1, 2, 2, 0, 0, -1]), 3.0)",
    "ints.index_fill(0, torch.tensor([0]), 2.7)",
    "scalar.index_fill(0, torch.tensor([0]), 2.0)",
    "torch.ones(1, 3).expand(2, 3).index_fill(1, torch.tensor([0]), 2.0).stride()",
    "singles.t().index_fill(1, torch.tensor([0]), 2.0).stride()",
    "y = a.clone(); y.index_fill_(0, torch.tensor([0]), 2.0); y",
    "y = singles.clone(); y.index_fill_(0, torch.tensor([0]), y[1, 1])",
]

SMOOTH = [
    "a.index_add(1, torch.tensor([0, 0, 2]), b, alpha=2) ** 2",
    "a.index_copy(1, torch.tensor([2, 0]), b[:, :2]) ** 2",
    "a.index_fill(1, torch.tensor([0, 2]), row.sum()) ** 2",
]

REFUSED = [
    "torch.index_fill(uint8s, 0, torch.tensor([0]), torch.tensor(-0.5))",
    "torch.index_copy(torch.ones(3, 2), 0, torch.tensor([0]), torch.ones(1, 1))",
    "torch.index_copy(torch.ones(()), 0, torch.tensor([0]), torch.ones(1, 1))",
    "torch.index_copy(torch.ones(3, 2), 0, torch.tensor([[0]]), torch.ones(1, 2))",
    "torch.ones(3).index_add(0, torch.tensor([7]), torch.ones(1))",
    "torch.ones(3).index_add(0, torch.tensor([0, 1]), torch.ones(()))",
    "torch.ones(2, 3).index_add(1, torch.tensor([0]), torch.ones(2))",
    "torch.ones(()).index_copy(0, torch.tensor([0, 0]), torch.ones(()))",
    "a.index_add(0, torch.tensor([0]), row)",
    "a.index_add(0, torch.tensor([0]), b[:1, :2])",
    "scalar.index_add(0, torch.tensor([0]), row[:1])",
    "a.index_add(0, torch.tensor([7]), b[:1])",
    "a.index_add(0, torch.tensor([0, 1]), b[:1])",
    "a.index_add(0, torch.tensor([0]), singles[:1])",
    "a.index_copy(0, torch.tensor([0]), row)",
    "a.index_copy(0, torch.tensor([7]), b[:1])",
    "a.index_copy(0, torch.tensor([0]), singles[:1])",
    "a.index_fill(0, torch.tensor([7]), 1.0)",
    "a.index_fill(0, torch.tensor([0]), row)",
    "torch.ones(3).index_fill(0, torch.tensor([0]), 1 + 2j)",
    "torch.ones(3).index_fill(0, torch.tensor([0]), torch.tensor(1 + 2j))",
    "uint8s.index_add(0, torch.tensor([0, 1]), uint8s, alpha=300)",
    "y = singles.clone(); y.index_add_(0, torch.tensor([0, 1]), y)",
    "y = torch.tensor([0, 1]); y.index_fill_(0, y, 1)",
    "y = singles.clone(); y.index_copy_(0, torch.tensor([0]), y)",
]


@pytest.mark.parametrize("case", CASES)
def test_index_updates_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_entries_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_entries_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
