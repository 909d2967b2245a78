"""Sorting."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.sort(a)",
    "torch.sort(a, stable=False)",
    "torch.sort(a, stable=None)",
    "torch.sort(a, 0, descending=True)",
    "torch.sort(ints, dim=1, descending=True)",
    "torch.sort(ties, stable=True)",
    "torch.sort(ties, stable=True, descending=True)",
    "torch.sort(mask, stable=True)",
    "torch.sort(specials)",
    "torch.sort(specials, descending=True)",
    "torch.arange(2).reshape(2, 1).expand(2, 20).sort(1, descending=True)",
    "torch.ones(1).expand(20).argsort()",
    "torch.ones(20).argsort()",
    "scalar.sort()",
    "a.argsort(0)",
    "torch.argsort(ints, descending=True)",
    "torch.msort(a)",
    "[y.stride() for y in torch.zeros(3, 2).t().unsqueeze(0).sort(2)]",
    "torch.zeros(1, 3).t().argsort(0).stride()",
    "torch.topk(a, 2)",
    "torch.topk(a, 1, 0, largest=False)",
    "torch.topk(ints, 2)",
    "a.topk(0)",
    "specials.topk(3)",
    "scalar.topk(1)",
    "torch.kthvalue(a, 2)",
    "[y.stride() for y in torch.kthvalue(img, 2, 1, True)]",
    "torch.kthvalue(a, 1, 0, True)",
    "ints.kthvalue(3)",
    "scalar.kthvalue(1)",
    "torch.topk(a.t(), 2, 0)",
]

SMOOTH = [
    "torch.sort(a, 0).values",
    "torch.topk(a, 2).values",
    "torch.kthvalue(a, 2).values",
    "torch.msort(a)",
]

REFUSED = [
    "torch.topk(a, 4)",
    "torch.kthvalue(a, 0)",
    "torch.sort(a, 2)",
    "torch.topk(complexes, 1)",
]


@pytest.mark.parametrize("case", CASES)
def test_sorted_results_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_sorted_results_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_sorted_results_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
