"""Compiled maximum pooling against the loop over windows."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import max_pool as kernels

# size, kernel, stride, padding, dilation, ceil_mode
CASES = [
    ((9, 70), (2, 2), (2, 2), (0, 0), (1, 1), False),
    ((8, 6), (2, 2), (2, 2), (0, 0), (1, 1), False),
    ((9, 7), (2, 2), (2, 2), (0, 0), (1, 1), True),
    ((9, 7), (3, 3), (2, 2), (1, 1), (1, 1), False),
    ((9, 7), (3, 2), (2, 1), (1, 1), (2, 1), True),
    ((9,), (3,), (2,), (1,), (1,), False),
    ((5, 6, 4), (3, 2, 2), (3, 2, 1), (1, 1, 1), (1, 1, 1), True),
]


def numbers(size, kind, order):
    """Few different numbers, so that there are ties; nan, inf or -inf on request."""
    rng = np.random.default_rng(3)
    x = rng.integers(-2, 3, (2, 3, *size)).astype(np.float32)
    x[rng.random(x.shape) < 0.1] *= -1  # a zero of either sign
    if kind != "ties":
        part = 0.8 if kind == "-inf" else 0.1
        x[rng.random(x.shape) < part] = float(kind)
    if order == "channels last":
        x = np.moveaxis(np.ascontiguousarray(np.moveaxis(x, 1, -1)), -1, 1)
    return x


@pytest.mark.parametrize("order", ["standard", "channels last"])
@pytest.mark.parametrize("kind", ["ties", "nan", "inf", "-inf"])
@pytest.mark.parametrize("case", CASES)
def test_compiled_max_pool_equals_the_loop(case, kind, order):
    size, *params, ceil_mode = case
    x = numbers(size, kind, order)
    with config.kernels("fast"):
        y, argmax = kernels.max_pool(x, *params, ceil_mode)
    values, index = kernels.max_pool_reference(x, *params, ceil_mode)
    np.testing.assert_array_equal(y, values)
    np.testing.assert_array_equal(
        kernels.max_pool_indices(argmax, size, *params), index
    )


@pytest.mark.parametrize("order", ["standard", "channels last"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("case", CASES)
def test_compiled_gradient_equals_the_plain_one(case, dtype, order):
    size, *params, ceil_mode = case
    x = numbers(size, "-inf", order).astype(dtype)
    y, argmax = kernels.max_pool(x, *params, ceil_mode)
    g = np.random.default_rng(0).standard_normal(y.shape).astype(dtype)
    gradients = []
    for mode in ("fast", "plain"):
        with config.kernels(mode):
            gx = kernels.max_pool_backward(g, argmax, x.shape, *params)
        assert gx.dtype == dtype
        gradients.append(gx)
    scale = {"float16": 1e-3, "float32": 1e-6, "float64": 1e-14}[dtype]
    np.testing.assert_allclose(*gradients, rtol=scale, atol=scale)


def test_gradient_of_more_taps_than_a_byte_counts_is_computed_by_numpy():
    x = np.random.default_rng(0).standard_normal((1, 1, 20, 20)).astype(np.float32)
    params = ((17, 17), (3, 3), (0, 0), (1, 1))
    with config.kernels("fast"):
        y, argmax = kernels.max_pool(x, *params)
        gx = kernels.max_pool_backward(np.ones_like(y), argmax, x.shape, *params)
    assert argmax.dtype == np.uint16
    assert gx.sum() == y.size


def test_sizes_that_do_not_fit_are_refused():
    from edutorch.kernels.fast import max_pool as fast

    x, y = np.zeros((1, 4, 4), np.float32), np.zeros((1, 2, 3), np.float32)
    with pytest.raises(RuntimeError, match="do not match"):
        fast.max_pool_2x2(x, y, np.zeros(y.shape, np.uint8))
