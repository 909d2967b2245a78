"""Tiles turned by loops, against the matrices of the plain file."""

import numpy as np

from edutorch.kernels.fast import winograd as fast
from edutorch.kernels.winograd import INPUT, OUTPUT

RNG = np.random.default_rng(0)


def numbers(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def tiles(x, size, high, wide):
    """Tiles of (N, C, H, W) with steps of 4, as (size², C, N tiles)."""
    parts = [
        x[n, :, 4 * i : 4 * i + size, 4 * j : 4 * j + size].reshape(x.shape[1], -1).T
        for n in range(len(x))
        for i in range(high)
        for j in range(wide)
    ]
    return np.stack(parts, -1)


def test_input_tiles_are_a_matrix_times_the_tiles():
    x, v = numbers(2, 3, 9, 12), np.empty((36, 3, 12), np.float32)
    for top, left in ((1, 2), (0, 0), (-1, -2)):
        fast.input_tiles(x, top, left, 3, v)
        room = np.zeros((2, 3, 14, 20), np.float32)
        room[:, :, 2 + top : 11 + top, 3 + left : 15 + left] = x
        room = room[:, :, 2:12, 3:17]
        expected = np.einsum("ij,jct->ict", INPUT, tiles(room, 6, 2, 3))
        np.testing.assert_allclose(v, expected, atol=1e-4)


def test_input_tiles_leave_out_what_sticks_out():
    x, v = numbers(1, 2, 12, 15), np.empty((36, 2, 4), np.float32)
    fast.input_tiles(x, 1, 0, 2, v)
    room = np.zeros((1, 2, 10, 10), np.float32)
    room[:, :, 1:] = x[:, :, :9, :10]
    expected = np.einsum("ij,jct->ict", INPUT, tiles(room, 6, 2, 2))
    np.testing.assert_allclose(v, expected, atol=1e-4)


def test_gradient_tiles_are_a_matrix_times_the_tiles():
    g, v = numbers(2, 3, 8, 12), np.empty((36, 3, 12), np.float32)
    fast.gradient_tiles(g, v)
    expected = np.einsum("ij,jct->ict", OUTPUT.T, tiles(g, 4, 2, 3))
    np.testing.assert_allclose(v, expected, atol=1e-4)


def test_output_tiles_are_a_matrix_times_the_products():
    m, y = numbers(36, 3, 12), np.empty((2, 3, 8, 12), np.float32)
    fast.output_tiles(m, y)
    expected = np.einsum("ij,jct->ict", OUTPUT, m)
    np.testing.assert_allclose(tiles(y, 4, 2, 3), expected, atol=1e-4)
