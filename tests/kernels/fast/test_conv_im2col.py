"""Loops that gather columns and add them, against the plain functions."""

import numpy as np
import pytest

from edutorch.kernels import unfold as plain
from edutorch.kernels.fast import conv_im2col as fast
from edutorch.kernels.padded_buffers import conv_geometry, padded_buffer

RNG = np.random.default_rng(0)
HOW = ((2, 3), (1, 2), (1, 2))
LENGTHS = [5, 6]  # of lines of five windows: as they are, and as the buffer's


@pytest.mark.parametrize("length", LENGTHS)
def test_gather_takes_some_layers_of_the_windows(length):
    x = RNG.standard_normal((2, 3, 8, 13))
    x[0, 1, 2, 12] = np.inf  # which only some taps read
    expected = plain.unfold(x, (3, 2), *HOW).reshape(2, 3, 3, 1, 2, 4, 1, 5)
    got = np.full((3, 3, 1, 2, 2, 2, 1, length), np.nan)
    space = padded_buffer(conv_geometry(*HOW), (8, 1, 13), 5, x.dtype)
    fast.im2col(x.reshape(2, 3, 8, 1, 13), conv_geometry(*HOW), space, 1, 5, got)
    assert np.array_equal(got[..., :5], np.moveaxis(expected, 0, 4)[..., 1:3, :, :])
    assert not got[..., 5:].any()


@pytest.mark.parametrize("length", LENGTHS)
def test_add_columns_folds(length):
    columns = RNG.standard_normal((3, 3, 1, 2, 2, 4, 1, length))
    columns[..., 5:] = np.nan  # of no window
    x = np.empty((2, 3, 8, 1, 13))
    space = padded_buffer(conv_geometry(*HOW), (8, 1, 13), 10, x.dtype)
    flat = np.moveaxis(columns[..., :5], 4, 0).reshape(2, 18, 20)
    fast.col2im(columns, 5, conv_geometry(*HOW), space, x)
    expected = plain.fold(flat, (8, 13), (3, 2), *HOW)
    np.testing.assert_allclose(x[:, :, :, 0], expected, atol=1e-12)


@pytest.mark.parametrize("padding", [(0, 0, 0), (0, 1, 1)])
def test_volumes_have_a_piece_for_each_layer(padding):
    geometry = conv_geometry((1, 1, 1), padding, (1, 1, 1))
    x = RNG.standard_normal((1, 1, 4, 5, 6))
    wide = 5 + 2 * padding[2]
    got = np.empty((1, 2, 2, 2, 1, 3, 4 + 2 * padding[1], wide + 1))
    space = padded_buffer(geometry, (4, 5, 6), 4, x.dtype)
    fast.im2col(x, geometry, space, 0, wide, got)
    around = np.pad(x[0, 0], [(p, p) for p in padding])
    taps = np.lib.stride_tricks.sliding_window_view(around, (2, 2, 2))
    expected = np.moveaxis(taps, (0, 1, 2), (3, 4, 5))
    assert np.array_equal(got[0, :, :, :, 0, ..., :wide], expected)


def test_lines_of_another_length_are_refused():
    geometry, x = conv_geometry(*HOW), np.zeros((1, 1, 8, 1, 13))
    space = padded_buffer(geometry, (8, 1, 13), 10, x.dtype)
    for length, wide in ((7, 5), (5, 6), (6, 7), (4, 5), (6, 0), (6, -1)):
        columns = np.zeros((1, 3, 1, 2, 1, 4, 1, length))
        with pytest.raises(RuntimeError, match="sizes of the tensors"):
            fast.im2col(x, geometry, space, 0, wide, columns)
        with pytest.raises(RuntimeError, match="sizes of the tensors"):
            fast.col2im(columns, wide, geometry, space, x)
