"""`select` and `narrow`."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "a.select(0, 1)",
    "torch.select(seq, -1, -1)",
    "a.narrow(1, 1, 2)",
    "torch.narrow(seq, 0, 0, 1)",
    "a.narrow(1, -2, 1)",
    "a.narrow(1, torch.tensor(1), 2)",
    "a.narrow(0, 0, 0)",
    "(f.select(1, 2).storage_offset(), f.narrow(1, 1, 2).storage_offset())",
    "y = f.clone(); y.select(1, 0).zero_(); y",
    "y = f.clone(); y.narrow(1, 1, 2).fill_(4); y",
]

SMOOTH = [
    "a.select(0, 1) ** 2",
    "seq.narrow(1, 1, 2) ** 2",
]

REFUSED = [
    "a.select(0, 2)",
    "a.select(2, 0)",
    "s.select(0, 0)",
    "a.narrow(0, 1, 2)",
    "a.narrow(0, 5, 1)",
    "a.narrow(0, 0, -1)",
    "a.narrow(0, r, 1)",
    "s.narrow(0, 0, 1)",
]


@pytest.mark.parametrize("case", CASES)
def test_slices_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_slices_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_slices_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
