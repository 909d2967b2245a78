"""Elements chosen by a mask."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.masked_fill(mask, 1.5)",
    "torch.masked_fill(a, mask, row.sum())",
    "row.masked_fill(mask, 0)",
    "ints.masked_fill(mask, 2.7)",
    "singles.masked_fill(mask, float('-inf'))",
    "scalar.masked_fill(torch.tensor(True), 2)",
    "y = a.clone(); y.masked_fill_(mask, 2.0); y",
    "a.masked_select(mask)",
    "torch.masked_select(row, mask)",
    "a.masked_select(torch.tensor([True, False, True]))",
    "scalar.masked_select(torch.tensor(True))",
    "a.masked_scatter(mask, b)",
    "row.masked_scatter(mask, b)",
    "y = a.clone(); y.masked_scatter_(mask, b); y",
    "y = singles.clone(); y.masked_fill_(mask, y[0, 1])",
]

SMOOTH = [
    "a.masked_fill(mask, row.sum()) ** 2",
    "row.masked_fill(mask, 0.5) ** 2",
    "a.masked_select(mask) ** 2",
    "row.masked_select(mask) ** 2",
    "a.masked_scatter(mask, b) ** 2",
]

REFUSED = [
    "torch.masked_fill(1.5, mask, 2)",
    "a.masked_fill(ints, 1.0)",
    "a.masked_fill(torch.tensor([True, False]), 1.0)",
    "a.masked_fill(mask, row)",
    "a.masked_fill(mask, 1j)",
    "ints.masked_fill(mask, torch.tensor(1j))",
    "y = singles.clone(); y.masked_fill_(torch.tensor([[[True]]]), 1.0)",
    "a.masked_select(torch.tensor([True, False]))",
    "a.masked_select(ints)",
    "a.masked_scatter(mask, row[:1])",
    "a.masked_scatter(mask, singles)",
    "a.masked_scatter(ints, b)",
]


@pytest.mark.parametrize("case", CASES)
def test_masked_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_masked_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_masked_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
