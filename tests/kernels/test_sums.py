"""Sums of columns, of rows, and of leading dimensions."""

import numpy as np
import pytest

import edutorch
from edutorch.kernels.sums import (
    blocked_row_dots,
    blocked_row_sums,
    column_sums,
    leading_sums,
    trailing_reduction,
)

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (511, 2), (512, 3), (100_003, 3)])
def test_column_sums_are_exact_to_rounding(shape):
    x = RNG.random(shape, np.float32) + 1
    found = column_sums(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, x.sum(0, np.float64), rtol=6e-7)
    wide = x.astype(np.float64)
    np.testing.assert_allclose(column_sums(wide), wide.sum(0), rtol=1e-12)


@pytest.mark.parametrize(
    ("shape", "dim"), [((2000, 3), (0,)), ((50, 40, 2), (0, 1)), ((600, 1, 2), (0,))]
)
def test_leading_sums_are_those_over_the_first_dimensions(shape, dim):
    x = RNG.random(shape, np.float32)
    np.testing.assert_allclose(leading_sums(x, dim), x.sum(dim), rtol=1e-5)


def test_leading_sums_of_column_major_memory_equal_numpys():
    x = RNG.random((2000, 3), np.float32).T
    np.testing.assert_allclose(leading_sums(x, (1,)), x.sum(1), rtol=1e-5)


@pytest.mark.parametrize(
    ("x", "dim"),
    [
        (np.ones((2000, 3, 1)), (0,)),  # float64
        (np.ones((3, 2000), np.float32), (1,)),
        (np.ones((2000, 3), np.float32), (0, 1)),
        (np.ones((20, 300, 1), np.float32), (0,)),
        (np.ones((2000, 0, 1), np.float32), (0,)),
        (np.ones((2000, 6), np.float32)[:, ::2], (0,)),
    ],
)
def test_leading_sums_leave_everything_else_to_numpy(x, dim):
    assert leading_sums(x, dim) is None


@pytest.mark.parametrize("rows", [1, 7, 32, 600])
def test_bias_gradient_is_the_sum_of_the_rows_to_the_last_bit(rows):
    x = edutorch.from_numpy(RNG.standard_normal((rows, 27)).astype(np.float32))
    b = edutorch.zeros(27, requires_grad=True)
    (b + edutorch.zeros(rows, 27)).backward(x)
    assert edutorch.equal(b.grad, x.sum(0))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 7), (3, 4099), (3, 100_352)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_row_sums_are_exact_to_rounding(shape, dtype):
    x = (RNG.random(shape) + 1).astype(dtype)
    near = {"rtol": 1e-6 if dtype == np.float32 else 1e-12}
    found, exact = blocked_row_sums(x), x.sum(1, np.float64)
    assert found.dtype == dtype
    np.testing.assert_allclose(found, exact, **near)
    exact = (x.astype(np.float64) ** 2).sum(1)
    np.testing.assert_allclose(blocked_row_dots(x, x), exact, **near)


@pytest.mark.parametrize(
    ("shape", "dim"),
    [
        ((700, 401), (1,)), ((7, 100, 401), (2, 1)), ((3, 90_001), (1,)),
        ((300_007,), None), ((600, 501), None), ((512, 513), (0, 1)),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_trailing_sums_of_large_arrays_equal_numpys(shape, dim, dtype):
    x = RNG.standard_normal(shape).astype(dtype)
    exact = x.sum(dim, np.float64)
    found = trailing_reduction(np.add, x, dim)
    assert found.dtype == dtype
    assert np.shape(found) == exact.shape
    limit = np.finfo(dtype).eps * np.abs(x).sum(dim, np.float64)
    assert (np.abs(found - exact) <= limit).all()
    np.testing.assert_array_equal(
        trailing_reduction(np.maximum, x, dim), np.maximum.reduce(x, dim)
    )


@pytest.mark.parametrize(
    ("x", "dim"),
    [
        (np.ones((700, 401), np.int64), (1,)),
        (np.ones((700, 401)), (0,)),
        (np.ones((401, 700)).T, (1,)),
        (np.ones((70, 40)), (1,)),
    ],
)
def test_trailing_reduction_leaves_everything_else_to_numpy(x, dim):
    assert trailing_reduction(np.add, x, dim) is None
