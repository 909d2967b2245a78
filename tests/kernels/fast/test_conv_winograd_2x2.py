"""Small tiles transformed by loops, against the matrices of the plain file."""

import numpy as np
import pytest

from edutorch import config
from edutorch.kernels import conv_winograd_2x2 as plain
from edutorch.kernels.fast import conv_winograd_2x2 as fast

RNG = np.random.default_rng(0)


def numbers(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def in_plain_mode(function, *arguments):
    with config.kernels("plain"):
        return function(*arguments)


# Zeros around, cut off, one row of tiles, and rows that begin further below.
@pytest.mark.parametrize(
    ("shape", "padding", "count", "first", "rows"),
    [
        ((2, 5, 8, 8), (1, 1), (4, 4), 0, 4),
        ((2, 40, 7, 9), (2, 0), (4, 4), 0, 4),
        ((1, 33, 12, 15), (-1, -2), (5, 5), 0, 5),
        ((3, 4, 2, 100), (0, 1), (1, 50), 0, 1),
        ((2, 4, 21, 6), (1, 2), (11, 4), 2, 3),
        ((2, 4, 21, 6), (5, 7), (11, 4), 10, 1),
    ],
)
def test_input_tiles_are_a_matrix_times_the_tiles(shape, padding, count, first, rows):
    x, some = numbers(*shape), (slice(0, shape[0]), slice(first, first + rows))
    channels = slice(1, shape[1] - 1)
    expected = in_plain_mode(plain._input_tiles, x, channels, padding, count, some)
    v = np.full_like(expected, 7)
    fast.input_tiles(x, 1, padding[0] - 2 * first, padding[1], count[1], v)
    np.testing.assert_allclose(v, expected, atol=1e-5)


@pytest.mark.parametrize(("h", "w"), [(8, 6), (9, 7), (5, 1)])
def test_output_tiles_are_a_matrix_times_the_products(h, w):
    wide, rows = -(-w // 2), -(-h // 2) - 1
    m, b = numbers(16, 3, 2 * rows * wide), numbers(5)
    got, expected = np.zeros((2, 4, 5, h, w), np.float32)
    some, kernels = (slice(1, 3), slice(1, 1 + rows)), slice(2, 5)
    in_plain_mode(plain._output_tiles, m, expected, b, kernels, some)
    fast.output_tiles(m, got, b, 2, 1, 2, 2)
    np.testing.assert_allclose(got, expected, atol=1e-5)
    assert expected.any()
    assert not expected[0].any()


@pytest.mark.parametrize("adjoint", [False, True])
@pytest.mark.parametrize("channels", [8, 33])
def test_kernel_tiles_are_a_matrix_times_the_kernels(channels, adjoint):
    w = numbers(*((channels, 9) if adjoint else (9, channels)), 3, 3)
    expected = in_plain_mode(plain._kernel_tiles, w, slice(2, 7), adjoint)
    u = np.full((16, channels, 5) if adjoint else (16, 5, channels), 7, np.float32)
    first, channel = (0, 2) if adjoint else (2, 0)
    fast.kernel_tiles(w.reshape(*w.shape[:2], 9), first, channel, adjoint, u)
    u = u.swapaxes(1, 2) if adjoint else u
    np.testing.assert_allclose(u, expected, atol=1e-5)


def test_parts_outside_of_the_arrays_are_refused():
    x, v = numbers(1, 3, 4, 4), np.zeros((16, 2, 4), np.float32)
    with pytest.raises(RuntimeError, match="do not match"):
        fast.input_tiles(x, 2, 1, 1, 2, v)
    with pytest.raises(RuntimeError, match="do not match"):
        fast.output_tiles(v, x, np.zeros(3, np.float32), 1, 0, 2, 0)
    with pytest.raises(RuntimeError, match="do not match"):
        fast.kernel_tiles(numbers(4, 3, 9), 3, 0, False, numbers(16, 2, 3))
