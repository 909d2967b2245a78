"""Fast scatter-add against `np.add.at`."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import scatter

RNG = np.random.default_rng(2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, np.complex128])
def test_scatter_add_flat_equals_add_at(dtype):
    index, values = RNG.integers(0, 7, 50), (RNG.standard_normal(50) * 9).astype(dtype)
    expected = np.zeros(7, dtype)
    np.add.at(expected, index, values)
    got = scatter.scatter_add_flat(index, values, 7)
    assert got.dtype == dtype
    np.testing.assert_allclose(got, expected, rtol=1e-5)


def test_scatter_add_flat_of_halves_adds_in_float32():
    got = scatter.scatter_add_flat(np.zeros(4096, int), np.ones(4096, np.float16), 1)
    assert got.tolist() == [4096]


def test_scatter_add_rows_equals_add_at():
    index, rows = RNG.integers(0, 5, 30), RNG.standard_normal((30, 4))
    expected = np.zeros((5, 4))
    np.add.at(expected, index, rows)
    np.testing.assert_allclose(scatter.scatter_add_rows(index, rows, 5), expected)


def test_scatter_add_rows_of_nothing_is_zero():
    assert not scatter.scatter_add_rows(np.zeros(0, int), np.zeros((0, 4)), 5).any()


def test_gather_planes_is_the_transpose_of_scatter_planes():
    x, index = RNG.standard_normal((2, 3, 4, 5)), RNG.integers(0, 20, (2, 3, 2, 2))
    y = scatter.gather_planes(x, index)
    g = RNG.standard_normal(y.shape)
    gx = scatter.scatter_planes(g, index, x.shape)
    np.testing.assert_allclose((g * y).sum(), (gx * x).sum())


@pytest.mark.parametrize("mode", ["plain", "fast"])
@pytest.mark.parametrize("wrong", [-1, 8, 10**9])
@pytest.mark.parametrize("width", [2, 100])
def test_scatter_add_rows_when_an_index_is_no_row_refuses_it(wrong, width, mode):
    index = np.array([0, wrong, 7])
    with config.kernels(mode), pytest.raises(IndexError, match="out of range"):
        scatter.scatter_add_rows(index, np.ones((3, width), np.float32), 8)
