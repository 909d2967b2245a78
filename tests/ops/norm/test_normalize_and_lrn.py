"""Vectors of length 1, channels that inhibit their neighbours."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "F.normalize(a)",
    "F.normalize(a, 1, 0)",
    "F.normalize(img, dim=(1, 2))",
    "F.local_response_norm(img, 2)",
    "F.local_response_norm(seq, 3, 1.0, 0.5, 2.0)",
]

SMOOTH = [
    "F.normalize(a)",
    "F.local_response_norm(seq, 2)",
]

REFUSED = [
    "F.normalize(a, dim=3)",
    "F.local_response_norm(a, 2)",
]


@pytest.mark.parametrize("case", CASES)
def test_response_norm_equals_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_response_norm_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_response_norm_refused_by_pytorch_is_refused_alike(case):
    refused(__file__, case)
