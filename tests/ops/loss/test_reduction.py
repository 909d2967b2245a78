"""Reductions, and the names they had."""

import pytest

import edutorch as torch
from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.l1_loss(a, b, False)",
    "F.l1_loss(a, b, True, True)",
    "F.l1_loss(a, b, reduce=False)",
    "F.l1_loss(a, b, size_average=False, reduce=True)",
]

SMOOTH = [
    "F.l1_loss(a, b, reduction='sum')",
]

REFUSED = [
    "F.nll_loss(a, cls, reduction='')",
]


def test_reduction_of_different_shapes_warns():
    with pytest.warns(UserWarning, match="likely lead to incorrect results"):
        torch.nn.functional.mse_loss(torch.ones(2), torch.ones(1))


def test_reduction_by_old_name_warns():
    with pytest.warns(UserWarning, match="use reduction='sum' instead"):
        torch.nn.functional.mse_loss(torch.ones(2), torch.ones(2), size_average=False)


@pytest.mark.parametrize("case", CASES)
def test_reduction_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_reduction_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_reduction_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
