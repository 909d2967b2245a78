"""Maximum pooling against the loop over windows."""

import warnings

import numpy as np
import pytest

from edutorch.kernels import max_pool as kernels

# size, kernel, stride, padding, dilation, ceil_mode
CASES = [
    ((9,), (3,), (2,), (1,), (1,), False),
    ((8, 6), (2, 2), (2, 2), (0, 0), (1, 1), False),
    ((9, 7), (2, 2), (2, 2), (0, 0), (1, 1), True),
    ((9, 7), (3, 2), (2, 1), (1, 1), (2, 1), True),
    ((9, 7), (3, 3), (3, 2), (1, 1), (1, 1), True),
    ((5, 6, 4), (3, 2, 2), (3, 2, 1), (1, 1, 1), (1, 1, 1), True),
]


def numbers(size, kind, order):
    """Few different numbers, so that there are ties; nan or -inf on request."""
    rng = np.random.default_rng(3)
    x = rng.integers(-2, 3, (2, 3, *size)).astype(float)
    if kind == "nan":
        x[rng.random(x.shape) < 0.1] = np.nan
    if kind == "-inf":
        x[rng.random(x.shape) < 0.8] = -np.inf
    if order == "batch last":
        x = np.moveaxis(np.ascontiguousarray(np.moveaxis(x, 0, -1)), -1, 0)
    return x


@pytest.mark.parametrize("order", ["standard", "batch last"])
@pytest.mark.parametrize("kind", ["ties", "nan", "-inf"])
@pytest.mark.parametrize("case", CASES)
def test_max_pool_equals_the_loop(case, kind, order):
    size, *params, ceil_mode = case
    x = numbers(size, kind, order)
    y, argmax = kernels.max_pool(x, *params, ceil_mode)
    values, index = kernels.max_pool_reference(x, *params, ceil_mode)
    np.testing.assert_array_equal(y, values)
    np.testing.assert_array_equal(
        kernels.max_pool_indices(argmax, size, *params), index
    )
    np.testing.assert_array_equal(kernels.max_pool_take(x, argmax, *params), y)


@pytest.mark.parametrize("case", CASES)
def test_max_pool_backward_is_the_transpose_of_take(case):
    size, *params, ceil_mode = case
    x = numbers(size, "ties", "standard")
    y, argmax = kernels.max_pool(x, *params, ceil_mode)
    g = np.random.default_rng(0).standard_normal(y.shape)
    gx = kernels.max_pool_backward(g, argmax, x.shape, *params)
    np.testing.assert_allclose((gx * x).sum(), (g * y).sum())


def test_max_pool_backward_of_inf_leaves_the_other_cells_alone():
    x = np.array([[[[1.0, 2.0], [0.0, 0.0]]]])
    params = ((2, 2), (2, 2), (0, 0), (1, 1))
    _, argmax = kernels.max_pool(x, *params)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gx = kernels.max_pool_backward(
            np.full((1, 1, 1, 1), np.inf), argmax, x.shape, *params
        )
    assert gx.tolist() == [[[[0, np.inf], [0, 0]]]]


def test_max_pool_of_integers_and_halves_keeps_the_dtype():
    for dtype in (np.int64, np.uint8, np.float16):
        y, _ = kernels.max_pool(np.array([[[3, 1, 2]]], dtype), (2,), (1,), (1,), (1,))
        assert y.dtype == dtype
        assert y.tolist() == [[[3, 3, 2, 2]]]


def test_lowest_is_below_every_number():
    assert kernels.lowest(np.dtype(np.float32)) == -np.inf
    assert kernels.lowest(np.dtype(np.int8)) == -128
