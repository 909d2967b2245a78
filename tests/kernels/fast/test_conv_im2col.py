"""Loops that gather columns and add them, against the plain functions."""

import numpy as np

from edutorch.kernels import unfold as plain
from edutorch.kernels.fast import conv_im2col as fast
from edutorch.kernels.padded_buffers import conv_geometry, padded_buffer

RNG = np.random.default_rng(0)
HOW = ((2, 3), (1, 2), (1, 2))


def test_gather_takes_some_layers_of_the_windows():
    x = RNG.standard_normal((2, 3, 8, 13))
    expected = plain.unfold(x, (3, 2), *HOW).reshape(2, 3, 3, 1, 2, 4, 1, 5)
    got = np.empty((3, 3, 1, 2, 2, 2, 1, 5))
    space = padded_buffer(conv_geometry(*HOW), (8, 1, 13), 5, x.dtype)
    fast.gather(x.reshape(2, 3, 8, 1, 13), conv_geometry(*HOW), space, 1, got)
    assert np.array_equal(got, np.moveaxis(expected, 0, 4)[..., 1:3, :, :])


def test_add_columns_folds():
    columns = RNG.standard_normal((3, 3, 1, 2, 2, 4, 1, 5))
    x = np.empty((2, 3, 8, 1, 13))
    space = padded_buffer(conv_geometry(*HOW), (8, 1, 13), 10, x.dtype)
    fast.add_columns(columns, conv_geometry(*HOW), space, x)
    flat = np.moveaxis(columns, 4, 0).reshape(2, 18, 20)
    expected = plain.fold(flat, (8, 13), (3, 2), *HOW)
    np.testing.assert_allclose(x[:, :, :, 0], expected, atol=1e-12)
