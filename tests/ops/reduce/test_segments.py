"""Reductions of segments."""

import pytest

from tests.ops.cases import alike, derivatives, refused

L = "torch.tensor([1, 0, 1])"
W = "torch.tensor([[2, 1, 0], [0, 1, 2]])"
WAYS = ("sum", "mean", "max", "min", "prod")

CASES = [
    *(f"torch.segment_reduce(a, '{w}', lengths={L})" for w in WAYS),
    *(f"torch.segment_reduce(positive, '{w}', lengths={W}, axis=1)" for w in WAYS),
    *(f"torch.segment_reduce(a, '{w}', lengths={L}, initial=1)" for w in WAYS),
    "torch.segment_reduce(a, 'sum', offsets=torch.tensor([0, 1, 2]))",
]

SMOOTH = [
    f"torch.segment_reduce(a, '{w}', lengths={W}, axis=1, initial=0.5)" for w in WAYS
]

REFUSED = [
    f"torch.segment_reduce(a, 'largest', lengths={L})",
    "torch.segment_reduce(a, 'sum')",
    "torch.segment_reduce(a, 'sum', lengths=torch.tensor([1, 2]))",
    "torch.segment_reduce(a, 'sum', lengths=torch.tensor([3, -1]))",
    f"torch.segment_reduce(a, 'sum', indices={L})",
]


@pytest.mark.parametrize("case", CASES)
def test_segments_equal_pytorch(case):
    alike(__file__, case, nodes=False)


@pytest.mark.parametrize("case", SMOOTH)
def test_segments_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_segments_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
