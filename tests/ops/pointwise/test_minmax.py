"""Maximum, minimum and their kin."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "torch.maximum(a, b)",
    "torch.minimum(a, r)",
    "torch.maximum(t, t)",
    "torch.minimum(t, torch.ones(3))",
    "torch.maximum(v, -v)",
    "torch.maximum(k, l)",
    "torch.maximum(m, n)",
    "torch.maximum(f, k)",
    "torch.fmax(a, b)",
    "torch.fmin(a, b)",
    "torch.fmax(v, -v)",
    "torch.fmin(v, v * 0)",
    "torch.fmax(t, t)",
    "torch.fmin(t, t)",
]

SMOOTH = [
    "torch.maximum(a, b)",
    "torch.minimum(a, r)",
    "torch.fmax(a, b)",
    "torch.fmin(a, b)",
]

REFUSED = [
    "torch.maximum(a, 2)",
    "torch.maximum(z, z)",
]


@pytest.mark.parametrize("case", CASES)
def test_extremes_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_extremes_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_extremes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
