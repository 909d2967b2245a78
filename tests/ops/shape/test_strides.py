"""Views by strides."""

import pytest

from tests.ops.cases import alike, derivatives, refused

CASES = [
    "seq.unfold(2, 3, 1)",
    "seq.unfold(1, 2, 2)",
    "row.unfold(0, 3, 1)",
    "scalar.unfold(0, 1, 1)",
    "seq.unfold(-1, 2, 3)",
    "singles.unfold(1, 2, 1).stride()",
    "a.as_strided((2, 2), (1, 1))",
    "a.as_strided((2,), (3,), 1)",
    "torch.as_strided(seq, (3, 2), (5, 1), 2)",
    "a[1].as_strided((2,), (1,))",
    "a.t().as_strided((2, 2), (1, 2))",
    "(singles[1].as_strided((2,), (1,)).storage_offset(), singles.as_strided((3,), (2,)).stride())",
    "y = singles.clone(); y.as_strided((2,), (4,)).zero_(); y",
    "y = a.clone(); y.as_strided((2,), (4,)).mul_(2); y",
    "y = seq.clone(); y.unfold(2, 2, 2)[0].mul_(3); y",
]

SMOOTH = [
    "seq.unfold(2, 3, 1) ** 2",
    "row.unfold(0, 2, 1) ** 2",
    "a.as_strided((2, 2), (1, 1)) ** 2",
    "a.t().as_strided((3,), (1,)) ** 2",
]

REFUSED = [
    "a.unfold(0, 3, 1)",
    "a.unfold(0, 2, 0)",
    "a.unfold(0, -1, 1)",
    "scalar.unfold(0, 2, 1)",
    "a.as_strided((7,), (1,))",
    "a.as_strided((2,), (-1,))",
    "a.as_strided((2,), (1, 1))",
]


@pytest.mark.parametrize("case", CASES)
def test_strided_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", SMOOTH)
def test_strided_derivatives_equal_differences(case):
    derivatives(case)


@pytest.mark.parametrize("case", REFUSED)
def test_strided_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
