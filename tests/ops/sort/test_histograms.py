"""Histograms."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, refused

CASES = [
    "torch.histc(torch.zeros(5000).half(), 2, -1, 1)",
    "torch.histc(torch.zeros(300).bfloat16(), 2, -1, 1)",
    "torch.histogram(torch.full((7,), 1e6), 1000).hist.argmax()",  # edges coincide
    "torch.histogram(torch.linspace(-0.3, 0.4, 31, dtype=torch.float64), 10).hist",
    "torch.histc(singles, 4, torch.tensor(0), torch.tensor(1))",
    "torch.histc(singles, 4)",
    "torch.histc(singles, bins=3, min=-1, max=1)",
    "torch.histc(torch.ones(3), 2)",
    "torch.histc(torch.arange(301) / 100, 100, 0, 1)",  # edges that rounding moves
    "torch.histc((torch.arange(301) / 100).half(), 300, 0, 3)",
    "torch.histc((torch.arange(60) / 20).bfloat16(), 7, 0.1, 0.8)",
    "torch.histogram(singles, 4)",
    "torch.histogram(singles.exp(), density=True)",
    "torch.histogram(singles, 4, range=(-1.0, 2.0))",
    "torch.histogram(singles, torch.tensor([-2.0, 0.0, 1.0]))",
    "torch.histogram(singles, 4, weight=singles * singles, density=True)",
    "torch.histogram(singles, 4, range=(5.0, 5.0))",
    "torch.histogram(torch.zeros(0), 4)",
    "torch.histogram(torch.ones(3), 4)",
    "torch.histogram(a.detach(), 3)",
    "singles.histogram(3)",
    "torch.histogramdd(singles, [2, 3, 2])[0]",
    "torch.histogramdd(singles, 2)[1]",
    "torch.histogramdd(singles, [2, 2, 2], weight=torch.tensor([1.0, 3.0]), density=True)[0]",
    "torch.histogramdd(singles, [2, 2, 2], range=[-2.0, 2.0, -1.0, 1.0, 0.0, 3.0])[0]",
    "torch.histogramdd(singles, [torch.tensor([-3.0, 0.0, 3.0])] * 3)[0]",
    "torch.histogramdd(torch.zeros(2, 3, 2), [2, 2])[0]",
]

REFUSED = [
    "torch.histc(singles, 4, 1, 0)",
    "torch.histc(singles, 0)",
    "torch.histogram(singles.long(), 4)",
    "torch.histogram(singles, 0)",
    "torch.histogram(singles, 4, range=(5.0, 1.0))",
    "torch.histogram(singles, 4, weight=singles[0])",
    "torch.histogram(singles, singles)",
    "torch.histogram(singles, torch.ones(3).double())",
    "torch.histogram(singles, torch.ones(0))",
    "torch.histogram(singles, 4, range=(0.0, float('inf')))",
    "torch.histogram(specials, 4)",
    "torch.histogramdd(singles, [2])",
    "torch.histogramdd(singles[0], [2])",
    "torch.histogramdd(singles, [2, 2, 2], weight=singles[0])",
    "torch.histogramdd(singles, [2, 2, 2], range=[0.0, 1.0])",
]


@pytest.mark.parametrize("case", CASES)
def test_histograms_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_histograms_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)


def test_edges_of_a_histogram_share_no_memory_with_the_given_ones():
    edges = torch.tensor([0.0, 1.0, 2.0])
    result = torch.histogram(torch.tensor([0.5]), edges)
    result.bin_edges[0] = 9
    assert edges.tolist() == [0, 1, 2]


def test_edges_of_a_histogram_in_several_dimensions_are_the_given_tensors():
    edges = torch.tensor([0.0, 1.0, 2.0])
    assert torch.histogramdd(torch.zeros(2, 1), [edges]).bin_edges[0] is edges


def test_histograms_of_nothing_look_for_no_range():
    nothing = torch.zeros(0, dtype=torch.float16)
    assert torch.histogram(nothing, 1).bin_edges.tolist() == [0, 1]
    for kind in (torch.int64, torch.complex64):
        with pytest.raises(NotImplementedError, match="histogram_cpu"):
            torch.histogram(nothing.to(kind), 1)
