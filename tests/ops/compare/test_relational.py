"""Comparisons."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
    "f.detach() == np.ones(3)",
    "f != np.array(2.5)",
    "f == np.array(['a'])",
    "f == [1]",
    "a == b",
    "t == 2",
    "k == l",
    "v == 0",
    "m == n",
    "f == k",
    "a != b",
    "t != 2",
    "k != l",
    "v != 0",
    "m != n",
    "f != k",
    "a < b",
    "t < 2",
    "k < l",
    "v < 0",
    "m < n",
    "f < k",
    "a <= b",
    "t <= 2",
    "k <= l",
    "v <= 0",
    "m <= n",
    "f <= k",
    "a > b",
    "t > 2",
    "k > l",
    "v > 0",
    "m > n",
    "f > k",
    "a >= b",
    "t >= 2",
    "k >= l",
    "v >= 0",
    "m >= n",
    "f >= k",
    "a.eq(r)",
    "torch.not_equal(k, l)",
    "torch.greater(k, 2)",
    "torch.less_equal(k, l)",
    "z == z",
    "z != 1",
    "2 < k",
    "torch.equal(k, k)",
    "torch.equal(k, l)",
    "torch.equal(k, r)",
    'a == "x"',
    "a != None",
    "y = f * 1; y.gt_(0); y",
    "y = f * 1; y.less_(0); y",
]

REFUSED = [
    "f < [1]",
    "[1] >= f",
    "f < np.ones(3)",
    "torch.eq(f, np.ones(3))",
    "z < z",
    "a < torch.ones(4)",
    "z >= 1",
    "1 > z",
    "torch.equal(f, 2)",
    "torch.equal(None, f)",
    "torch.equal(np.array(3), f)",
]


@pytest.mark.parametrize("case", CASES)
def test_comparisons_equal_pytorch(case):
    alike(__file__, case)


@pytest.mark.parametrize("case", REFUSED)
def test_comparisons_refused_by_pytorch_are_refused_alike(case):
    refused(__file__, case)
