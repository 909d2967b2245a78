"""Comparisons."""

import pytest

from tests.ops.cases import alike, refused

CASES = [
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
