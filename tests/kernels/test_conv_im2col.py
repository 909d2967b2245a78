"""Columns of some images at a time: compiled loops against batch-last columns."""

from importlib.util import find_spec

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import conv, conv_im2col

with_numba = pytest.mark.skipif(find_spec("numba") is None, reason="needs Numba")
RNG = np.random.default_rng(5)

# n, c, o, size, kernel, stride, padding, dilation, groups
CASES = {
    "line": (3, 3, 4, (31,), (4,), (1,), (2,), (1,), 1),
    "line_strided_dilated": (3, 4, 6, (47,), (3,), (3,), (4,), (2,), 2),
    "image": (3, 2, 4, (9, 27), (3, 2), (1, 1), (1, 0), (1, 1), 1),
    "image_in_groups": (3, 4, 6, (8, 30), (2, 3), (2, 2), (1, 0), (2, 1), 2),
    "image_of_short_lines": (2, 3, 4, (11, 5), (3, 3), (2, 2), (1, 1), (1, 1), 1),
    "image_more_padding_than_kernel": (
        3, 2, 2, (4, 25), (2, 2), (3, 2), (4, 3), (1, 1), 1,
    ),
    "stride_over_kernel": (3, 2, 4, (11, 32), (2, 2), (5, 5), (0, 0), (1, 1), 1),
    "volume": (3, 2, 4, (5, 6, 27), (2, 3, 2), (1, 2, 1), (1, 0, 1), (2, 1, 2), 2),
}  # fmt: skip


def operands(case, dtype):
    n, c, o, size, kernel, *settings, groups = CASES[case]
    x = RNG.standard_normal((n, c, *size)).astype(dtype)
    w = RNG.standard_normal((o, c // groups, *kernel)).astype(dtype)
    return x, w, RNG.standard_normal(o).astype(dtype), (*settings, groups)


def both(function, *arguments):
    """What the function gives in fast mode, and in plain mode."""
    with config.kernels("fast"):
        fast = function(*arguments)
    with config.kernels("plain"):
        return fast, function(*arguments)


@pytest.fixture(params=[2**20, 1024])
def block_bytes(request, monkeypatch):
    """Many images in a block, and some layers of one."""
    monkeypatch.setattr(conv_im2col, "BLOCK_BYTES", request.param)
    monkeypatch.setattr(conv_im2col, "MIN_COLUMNS", 8)


@pytest.fixture(params=[0, 10**6])
def lines(request, monkeypatch):
    """Lines no longer than needed, and as long as the buffer's."""
    monkeypatch.setattr(conv_im2col, "MAX_EXTRA_PRODUCTS", request.param)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", CASES)
@pytest.mark.usefixtures("block_bytes", "lines")
def test_columns_by_image_equal_those_of_the_batch(case, dtype):
    x, w, b, settings = operands(case, dtype)
    near = {"rtol": 1e-4, "atol": 1e-3 if dtype == np.float32 else 1e-9}
    y, expected = both(conv.conv_forward, x, w, b, *settings)
    np.testing.assert_allclose(y, expected, **near)
    g = RNG.standard_normal(y.shape).astype(dtype)
    gw, expected = both(conv.conv_grad_weight, g, x, w.shape, *settings)
    np.testing.assert_allclose(gw, expected, **near)
    gx, expected = both(conv.conv_grad_input, g, w, x.shape, *settings)
    np.testing.assert_allclose(gx, expected, **near)
    assert {y.dtype, gw.dtype, gx.dtype} == {np.dtype(dtype)}


@with_numba
def test_all_cases_are_served_by_image():
    for case in CASES:
        x, w, b, (*settings, groups) = operands(case, np.float64)
        out = conv.conv_size(x.shape[2:], w.shape[2:], *settings)
        with config.kernels("fast"):
            assert conv_im2col.forward(x, w, b, *settings, groups, out) is not None


@with_numba
def test_short_lines_of_many_images_and_empty_ones_are_not_served():
    x, w = np.zeros((9, 2, 8, 8)), np.zeros((3, 2, 3, 3))
    settings = ((1, 1), (0, 0), (1, 1), 1)
    with config.kernels("fast"):
        assert conv_im2col.forward(x, w, None, *settings, (6, 6)) is None
        assert conv_im2col.forward(x[:2], w, None, *settings, (6, 6)) is not None
        assert conv_im2col.forward(x[:0], w, None, *settings, (6, 6)) is None


@with_numba
def test_columns_that_cannot_be_divided_are_not_served(monkeypatch):
    monkeypatch.setattr(conv_im2col, "MAX_BYTES", 2**10)
    x, w = np.zeros((1, 2, 40)), np.zeros((3, 2, 3))
    settings = ((1,), (0,), (1,), 1)
    with config.kernels("fast"):
        assert conv_im2col.forward(x, w, None, *settings, (38,)) is None
