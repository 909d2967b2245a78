"""Histograms."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.histogram(f, 4)",
    "torch.histogram(f.exp(), density=True)",
    "torch.histogram(f, 4, range=(-1.0, 2.0))",
    "torch.histogram(f, torch.tensor([-2.0, 0.0, 1.0]))",
    "torch.histogram(f, 4, weight=f * f, density=True)",
    "torch.histogram(f, 4, range=(5.0, 5.0))",
    "torch.histogram(torch.zeros(0), 4)",
    "torch.histogram(torch.ones(3), 4)",
    "torch.histogram(a.detach(), 3)",
    "f.histogram(3)",
    "torch.histogramdd(f, [2, 3, 2])[0]",
    "torch.histogramdd(f, 2)[1]",
    "torch.histogramdd(f, [2, 2, 2], weight=torch.tensor([1.0, 3.0]), density=True)[0]",
    "torch.histogramdd(f, [2, 2, 2], range=[-2.0, 2.0, -1.0, 1.0, 0.0, 3.0])[0]",
    "torch.histogramdd(f, [torch.tensor([-3.0, 0.0, 3.0])] * 3)[0]",
    "torch.histogramdd(torch.zeros(2, 3, 2), [2, 2])[0]",
]

REFUSED = [
    "torch.histogram(f.long(), 4)",
    "torch.histogram(f, 0)",
    "torch.histogram(f, 4, range=(5.0, 1.0))",
    "torch.histogram(f, 4, weight=f[0])",
    "torch.histogram(f, f)",
    "torch.histogram(f, torch.ones(3).double())",
    "torch.histogram(f, torch.ones(0))",
    "torch.histogram(f, 4, range=(0.0, float('inf')))",
    "torch.histogram(v, 4)",
    "torch.histogramdd(f, [2])",
    "torch.histogramdd(f[0], [2])",
    "torch.histogramdd(f, [2, 2, 2], weight=f[0])",
    "torch.histogramdd(f, [2, 2, 2], range=[0.0, 1.0])",
]


@pytest.mark.parametrize("case", CASES)
def test_histograms_equal_pytorch(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", REFUSED)
def test_histograms_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
