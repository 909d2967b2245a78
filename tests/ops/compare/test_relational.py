"""Comparisons."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "singles.detach() == np.ones(3)",
    "singles != np.array(2.5)",
    "singles == np.array(['a'])",
    "singles == [1]",
    "a == b",
    "ties == 2",
    "ints == ints2",
    "specials == 0",
    "mask == mask2",
    "singles == ints",
    "a != b",
    "ties != 2",
    "ints != ints2",
    "specials != 0",
    "mask != mask2",
    "singles != ints",
    "a < b",
    "ties < 2",
    "ints < ints2",
    "specials < 0",
    "mask < mask2",
    "singles < ints",
    "a <= b",
    "ties <= 2",
    "ints <= ints2",
    "specials <= 0",
    "mask <= mask2",
    "singles <= ints",
    "a > b",
    "ties > 2",
    "ints > ints2",
    "specials > 0",
    "mask > mask2",
    "singles > ints",
    "a >= b",
    "ties >= 2",
    "ints >= ints2",
    "specials >= 0",
    "mask >= mask2",
    "singles >= ints",
    "a.eq(row)",
    "torch.not_equal(ints, ints2)",
    "torch.greater(ints, 2)",
    "torch.less_equal(ints, ints2)",
    "complexes == complexes",
    "complexes != 1",
    "2 < ints",
    "torch.equal(ints, ints)",
    "torch.equal(ints, ints2)",
    "torch.equal(ints, row)",
    'a == "x"',
    "a != None",
    "y = singles * 1; y.gt_(0); y",
    "y = singles * 1; y.less_(0); y",
    "y = a * 1; y.lt_(0); y",
    "y = a * 1; y.eq_(b); y",
    "y = singles * 1; y.ge_(row); y",
]

REFUSED = [
    "singles < [1]",
    "[1] >= singles",
    "singles < np.ones(3)",
    "torch.eq(singles, np.ones(3))",
    "complexes < complexes",
    "a < torch.ones(4)",
    "complexes >= 1",
    "1 > complexes",
    "torch.equal(singles, 2)",
    "torch.equal(None, singles)",
    "torch.equal(np.array(3), singles)",
]


@pytest.mark.parametrize("case", CASES)
def test_comparisons_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_comparisons_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
