"""Elements chosen by a mask."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.masked_fill(m, 1.5)",
    "torch.masked_fill(a, m, r.sum())",
    "r.masked_fill(m, 0)",
    "k.masked_fill(m, 2.7)",
    "f.masked_fill(m, float('-inf'))",
    "s.masked_fill(torch.tensor(True), 2)",
    "y = a.clone(); y.masked_fill_(m, 2.0); y",
    "a.masked_select(m)",
    "torch.masked_select(r, m)",
    "a.masked_select(torch.tensor([True, False, True]))",
    "s.masked_select(torch.tensor(True))",
    "a.masked_scatter(m, b)",
    "r.masked_scatter(m, b)",
    "y = a.clone(); y.masked_scatter_(m, b); y",
]

SMOOTH = [
    "a.masked_fill(m, r.sum()) ** 2",
    "r.masked_fill(m, 0.5) ** 2",
    "a.masked_select(m) ** 2",
    "r.masked_select(m) ** 2",
    "a.masked_scatter(m, b) ** 2",
]

REFUSED = [
    "a.masked_fill(k, 1.0)",
    "a.masked_fill(torch.tensor([True, False]), 1.0)",
    "a.masked_fill(m, r)",
    "a.masked_fill(m, 1j)",
    "k.masked_fill(m, torch.tensor(1j))",
    "y = f.clone(); y.masked_fill_(torch.tensor([[[True]]]), 1.0)",
    "a.masked_select(torch.tensor([True, False]))",
    "a.masked_select(k)",
    "a.masked_scatter(m, r[:1])",
    "a.masked_scatter(m, f)",
    "a.masked_scatter(k, b)",
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
