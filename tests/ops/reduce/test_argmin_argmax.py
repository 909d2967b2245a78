"""The indices of the largest and the smallest elements."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "torch.argmax(a)",
    "torch.argmax(a, 1)",
    "torch.argmax(ints, 0, keepdim=True)",
    "scalar.argmax()",
    "specials.argmax()",
    "torch.argmin(a)",
    "torch.argmin(a, 1)",
    "torch.argmin(ints, 0, keepdim=True)",
    "scalar.argmin()",
    "specials.argmin()",
    "torch.argmax(singles, 1, out=torch.empty(2, dtype=torch.int64))",
]

REFUSED = [
    "torch.ones(0).argmax()",
    "torch.argmax(singles, 1, out=torch.empty(2))",
]


@pytest.mark.parametrize("case", CASES)
def test_places_of_extremes_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_places_of_extremes_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
