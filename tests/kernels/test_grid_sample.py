"""Values taken from cells of images, and added to them."""

import numpy as np
import pytest

from edutorch.kernels.grid_sample import (
    channels_last,
    gather_pixels,
    scatter_add_pixels,
)

RNG = np.random.default_rng(4)


def test_channels_lie_side_by_side_in_memory():
    x = RNG.standard_normal((2, 3, 4, 5))
    y = channels_last(x)
    assert np.array_equal(x, y)
    assert y.strides[1] == y.itemsize


@pytest.mark.parametrize("change", [np.asarray, channels_last])
def test_add_cells_is_the_transpose_of_take_cells(change):
    x = change(RNG.standard_normal((2, 3, 4, 5)))
    index, inside = RNG.integers(0, 20, (2, 7)), RNG.random((2, 7)) > 0.3
    y = gather_pixels(x, index, inside)
    g = RNG.standard_normal(y.shape)
    gx = scatter_add_pixels(g, index, inside, x.shape)
    np.testing.assert_allclose((g * y).sum(), (gx * x).sum())


def test_what_is_outside_spoils_nothing():
    x = np.full((1, 1, 2), np.nan)
    outside = np.zeros((1, 3), bool)
    index = np.zeros((1, 3), int)
    assert not gather_pixels(x, index, outside).any()
    assert not scatter_add_pixels(
        np.full((1, 1, 3), np.nan), index, outside, (1, 1, 2)
    ).any()


def test_halves_are_added_in_single_precision():
    x = np.ones((1, 1, 5000), np.float16)
    index = np.zeros((1, 5000), int)
    y = scatter_add_pixels(x, index, index == 0, (1, 1, 1))
    assert y.dtype == np.float16
    assert y.item() == 5000


def test_add_cells_when_there_are_more_images_than_cells_refuses():
    one = np.zeros((2, 3), np.int64)
    with pytest.raises(RuntimeError, match="Expected places in 1 images"):
        scatter_add_pixels(np.ones((2, 1, 3)), one, one == 0, (1, 1, 4))
