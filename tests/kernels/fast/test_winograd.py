"""Tiles turned by loops, against the matrices of the plain file."""

import numpy as np
import pytest

from edutorch.kernels.fast import winograd as fast
from edutorch.kernels.winograd import INPUT, OUTPUT

RNG = np.random.default_rng(0)


def numbers(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def tiles(x, size, high, wide):
    """Tiles of (N, C, H, W) with steps of 2, as (size², C, N tiles)."""
    parts = [
        x[n, :, 2 * i : 2 * i + size, 2 * j : 2 * j + size].reshape(x.shape[1], -1).T
        for n in range(len(x))
        for i in range(high)
        for j in range(wide)
    ]
    return np.stack(parts, -1)


def test_input_tiles_are_a_matrix_times_the_tiles():
    x, v = numbers(2, 3, 7, 8), np.empty((16, 3, 24), np.float32)
    for top, left in ((1, 2), (0, 0), (-1, -2), (0, 1)):
        fast.input_tiles(x, top, left, 4, v)
        room = np.zeros((2, 3, 14, 16), np.float32)
        room[:, :, 2 + top : 9 + top, 3 + left : 11 + left] = x
        room = room[:, :, 2:10, 3:13]
        expected = np.einsum("ij,jct->ict", INPUT, tiles(room, 4, 3, 4))
        np.testing.assert_allclose(v, expected, atol=1e-5)


def test_input_tiles_leave_out_what_sticks_out():
    x, v = numbers(1, 2, 12, 15), np.empty((16, 2, 4), np.float32)
    fast.input_tiles(x, 1, 0, 2, v)
    room = np.zeros((1, 2, 6, 6), np.float32)
    room[:, :, 1:] = x[:, :, :5, :6]
    expected = np.einsum("ij,jct->ict", INPUT, tiles(room, 4, 2, 2))
    np.testing.assert_allclose(v, expected, atol=1e-5)


# Several images at a time, or several rows, with fewer at the end.
@pytest.mark.parametrize(("n", "high", "wide"), [(2, 2, 3), (5, 7, 9), (1, 7, 50)])
def test_gradient_tiles_are_a_matrix_times_the_tiles(n, high, wide):
    g = numbers(n, 3, 2 * high, 2 * wide)
    v = np.empty((16, 3, n * high * wide), np.float32)
    fast.gradient_tiles(g, v)
    expected = np.einsum("ij,jct->ict", OUTPUT.T, tiles(g, 2, high, wide))
    np.testing.assert_allclose(v, expected, atol=1e-5)


@pytest.mark.parametrize(("n", "high", "wide"), [(2, 2, 3), (5, 7, 9), (1, 7, 50)])
def test_output_tiles_are_a_matrix_times_the_products(n, high, wide):
    m = numbers(16, 3, n * high * wide)
    y = np.empty((n, 3, 2 * high, 2 * wide), np.float32)
    fast.output_tiles(m, y)
    expected = np.einsum("ij,jct->ict", OUTPUT, m)
    np.testing.assert_allclose(tiles(y, 2, high, wide), expected, atol=1e-5)


@pytest.mark.parametrize(("n", "high", "wide"), [(5, 7, 9), (1, 7, 50), (3, 1, 300)])
def test_input_tiles_of_many_images_and_rows_equal_those_of_each(n, high, wide):
    x = numbers(n, 2, 2 * high, 2 * wide)
    v = np.empty((16, 2, n * high * wide), np.float32)
    fast.input_tiles(x, 1, 1, wide, v)
    room = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    expected = np.einsum("ij,jct->ict", INPUT, tiles(room, 4, high, wide))
    np.testing.assert_allclose(v, expected, atol=1e-5)
