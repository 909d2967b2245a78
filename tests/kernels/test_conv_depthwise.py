"""Depthwise convolutions: compiled loops against gathered columns."""

from importlib.util import find_spec

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import conv, conv_depthwise

with_numba = pytest.mark.skipif(find_spec("numba") is None, reason="needs Numba")
RNG = np.random.default_rng(4)

# n, c, o, size, kernel, stride, padding, dilation
CASES = {
    "line": (2, 3, 3, (11,), (4,), (1,), (2,), (1,)),
    "line_strided_dilated": (2, 3, 6, (17,), (3,), (3,), (4,), (2,)),
    "image": (3, 4, 4, (9, 7), (3, 3), (1, 1), (1, 1), (1, 1)),
    "image_several_kernels": (2, 3, 9, (8, 9), (2, 3), (2, 3), (1, 0), (2, 1)),
    "image_more_padding_than_kernel": (1, 2, 2, (4, 5), (2, 2), (3, 2), (4, 3), (1, 1)),
    "stride_over_kernel": (2, 2, 4, (11, 12), (2, 2), (5, 5), (0, 0), (1, 1)),
    "volume": (2, 3, 6, (5, 6, 7), (2, 3, 2), (1, 2, 2), (1, 0, 1), (2, 1, 2)),
    "large": (8, 32, 32, (24, 24), (3, 3), (1, 1), (1, 1), (1, 1)),
}


def operands(case, dtype):
    n, c, o, size, kernel, *params = CASES[case]
    x = RNG.standard_normal((n, c, *size)).astype(dtype)
    w = RNG.standard_normal((o, 1, *kernel)).astype(dtype)
    b = RNG.standard_normal(o).astype(dtype)
    return x, w, b, tuple(params)


def both(function, *arguments):
    """What the function gives in fast mode, and in plain mode."""
    with config.kernels("fast"):
        fast = function(*arguments)
    with config.kernels("plain"):
        return fast, function(*arguments)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", CASES)
def test_loops_equal_columns(case, dtype):
    x, w, b, params = operands(case, dtype)
    groups = x.shape[1]
    near = {"rtol": 1e-4, "atol": 1e-3 if dtype == np.float32 else 1e-9}
    y, expected = both(conv.conv_forward, x, w, b, *params, groups)
    np.testing.assert_allclose(y, expected, **near)
    g = RNG.standard_normal(y.shape).astype(dtype)
    gw, expected = both(conv.conv_grad_weight, g, x, w.shape, *params, groups)
    np.testing.assert_allclose(gw, expected, **near)
    gx, expected = both(conv.conv_grad_input, g, w, x.shape, *params, groups)
    np.testing.assert_allclose(gx, expected, **near)
    assert {y.dtype, gw.dtype, gx.dtype} == {np.dtype(dtype)}


@with_numba
def test_loops_serve_floats_in_fast_mode_only():
    x, w, b, params = operands("image", np.float64)
    with config.kernels("fast"):
        assert conv_depthwise.forward(x, w, b, *params, (9, 7)) is not None
        whole = x.astype(np.int64)
        assert conv_depthwise.forward(whole, w, b, *params, (9, 7)) is None
        assert conv_depthwise.forward(x[:0], w, b, *params, (9, 7)) is None
    with config.kernels("plain"):
        assert conv_depthwise.forward(x, w, b, *params, (9, 7)) is None


def test_any_memory_order_gives_the_same():
    x, w, b, params = operands("image", np.float64)
    transposed = np.asfortranarray(x)[:, :, ::-1]
    y, expected = both(conv.conv_forward, transposed, w, b, *params, 4)
    np.testing.assert_allclose(y, expected)
    g = np.broadcast_to(np.ones(()), y.shape)
    gx, expected = both(conv.conv_grad_input, g, w, x.shape, *params, 4)
    np.testing.assert_allclose(gx, expected)
