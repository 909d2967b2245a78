"""Rows added to rows by a loop, against the plain function."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import scatter
from edutorch.kernels.fast import scatter as fast

RNG = np.random.default_rng(0)


def in_mode(mode, *arguments):
    with config.kernels(mode):
        return scatter.scatter_add_rows(*arguments)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64])
@pytest.mark.parametrize("index_dtype", [np.int64, np.int32])
def test_rows_are_added_as_by_the_plain_function(dtype, index_dtype):
    index = RNG.integers(0, 50, 90).astype(index_dtype)
    rows = (9 * RNG.standard_normal((90, 40))).astype(dtype)
    got, expected = (in_mode(mode, index, rows, 60) for mode in ("fast", "plain"))
    assert got.dtype == dtype
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("wrong", [-61, 60])
def test_rows_that_are_not_there_are_refused(wrong):
    index = np.full(90, wrong)
    with pytest.raises(IndexError):
        in_mode("fast", index, np.ones((90, 40)), 60)


def test_the_loop_adds_rows_of_one_index():
    y = np.zeros((3, 2))
    fast.scatter_add_rows(np.array([[1.0, 2], [3, 4], [5, 6]]), y, np.array([2, 0, 2]))
    assert y.tolist() == [[3, 4], [0, 0], [6, 8]]
