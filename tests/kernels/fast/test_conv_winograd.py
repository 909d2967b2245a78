"""Tiles transformed by loops, against the matrices of the plain file."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import conv_winograd as plain
from edutorch.kernels.fast import conv_winograd as fast

RNG = np.random.default_rng(0)


def numbers(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def in_plain_mode(function, *arguments):
    with config.kernels("plain"):
        return function(*arguments)


def part(n, first, rows):
    return slice(0, n), slice(first, first + rows)


# Zeros around, cut off, one row of tiles, and rows that begin further below.
@pytest.mark.parametrize(
    ("shape", "padding", "count", "first", "rows"),
    [
        ((2, 3, 8, 8), (1, 1), (2, 4), 0, 2),
        ((2, 40, 7, 9), (2, 0), (2, 4), 0, 2),
        ((1, 33, 12, 15), (-1, -2), (3, 5), 0, 3),
        ((3, 2, 4, 100), (0, 1), (1, 50), 0, 1),
        ((2, 3, 21, 6), (1, 2), (6, 4), 2, 3),
        ((2, 3, 21, 6), (5, 7), (6, 4), 5, 1),
    ],
)
def test_input_tiles_are_a_matrix_times_the_tiles(shape, padding, count, first, rows):
    x, some = numbers(*shape), part(shape[0], first, rows)
    expected = in_plain_mode(plain._input_tiles, x, padding, count, some)
    v = np.full((24, expected[0, ..., 0].size, expected.shape[3]), 7, np.float32)
    v[:, shape[1] :] = 0
    fast.input_tiles(x, padding[0] - 4 * first, padding[1], count[1], v)
    np.testing.assert_allclose(v.reshape(expected.shape), expected, atol=1e-5)


@pytest.mark.parametrize(
    ("shape", "first", "rows"),
    [((2, 3, 8, 6), 0, 2), ((5, 2, 9, 7), 1, 2), ((1, 40, 6, 51), 0, 1)],
)
def test_gradient_tiles_are_a_matrix_times_the_tiles(shape, first, rows):
    g, wide = numbers(*shape), -(-shape[3] // 2)
    some = part(shape[0], first, rows)
    expected = in_plain_mode(plain._gradient_tiles, g, (99, wide), some)
    v = np.empty_like(expected)
    fast.gradient_tiles(g, -4 * first, wide, v)
    np.testing.assert_allclose(v, expected, atol=1e-5)


@pytest.mark.parametrize("blocks", [1, 2, 4, 5, 9])
@pytest.mark.parametrize(("h", "w"), [(8, 6), (10, 7), (5, 1)])
def test_output_tiles_are_a_matrix_times_the_products(blocks, h, w):
    wide, rows = -(-w // 2), -(-h // 4) - 1
    m, b = numbers(24, blocks, 3, 2 * max(1, rows) * wide), numbers(5)
    got, expected = np.zeros((2, 4, 5, h, w), np.float32)
    first = 1 if rows else 0
    some, kernels = (slice(1, 3), slice(first, first + max(1, rows))), slice(2, 5)
    in_plain_mode(plain._output_tiles, m, expected, b, kernels, some)
    fast.output_tiles(m, got, b, 2, 1, 2, 4 * first)
    np.testing.assert_allclose(got, expected, atol=1e-4)
    assert expected.any()
    assert not expected[0].any()


@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("channels", [32, 40, 100])
def test_kernel_tiles_are_a_matrix_times_the_kernels(channels, adjoint):
    w = numbers(*((channels, 9) if adjoint else (9, channels)), 3, 3)
    expected = in_plain_mode(plain._kernel_tiles, w, slice(2, 7), adjoint)
    u = np.full_like(expected, 7)
    fast.kernel_tiles(w.reshape(*w.shape[:2], 9), 2, adjoint, u)
    np.testing.assert_allclose(u, expected, atol=1e-5)


def test_gradients_of_kernels_are_the_transposed_matrix_times_those_of_tiles():
    u, w = numbers(24, 5, 40), np.empty((5, 40, 9), np.float32)
    fast.kernel_gradients(u, w)
    expected = in_plain_mode(plain._kernel_gradients, u).reshape(w.shape)
    np.testing.assert_allclose(w, expected, atol=1e-5)
