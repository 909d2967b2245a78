"""Elements picked along a dimension."""

import pytest

from tests.ops.cases import alike, derivatives

CASES = [
    "a.max(0).values",
    "squares.median(1).values",
    "torch.cummax(ties, 1).values",
    "a.sort(1).values",
]

SMOOTH = [
    "a.max(0).values ** 2",
    "torch.cummax(a, 1).values ** 2",
    "a.sort(1).values ** 3",
]


@pytest.mark.parametrize("case", CASES)
def test_picked_elements_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_picked_elements_derivatives_equal_differences(case):
    derivatives(case)
