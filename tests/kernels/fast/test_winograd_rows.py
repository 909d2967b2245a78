"""Rows of tiles, two outputs wide, as products with small matrices."""

import numpy as np
import pytest

from edutorch.kernels.conv_winograd import CT, DT
from edutorch.kernels.fast.winograd_rows import (
    copy_padded_row,
    transform_row,
    write_row,
)

RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("left", "expected"),
    [(2, [0, 0, 1, 2, 3, 0]), (-1, [2, 3, 0, 0, 0, 0]), (4, [0, 0, 0, 0, 1, 2])],
)
def test_a_row_is_copied_between_zeros_or_cut_off(left, expected):
    padded = np.zeros(6)
    copy_padded_row(np.array([1.0, 2, 3]), left, padded)
    assert padded.tolist() == expected


def test_a_row_becomes_tiles_two_apart():
    row, t = RNG.standard_normal(8), np.full((4, 5), 7.0)
    transform_row(row, t, 1, 3)
    tiles = np.lib.stride_tricks.sliding_window_view(row, 4)[::2]
    np.testing.assert_allclose(t[:, 1:4], CT @ tiles.T)
    assert (t[:, [0, 4]] == 7).all()


@pytest.mark.parametrize("wide", [5, 6])
def test_tiles_become_a_row_whose_last_tile_may_stick_out(wide):
    lines, row = RNG.standard_normal((4, 5)), np.empty(wide)
    write_row(lines, 1, 0.5, row)
    expected = (DT @ lines[:, 1:4]).T.reshape(-1)[:wide] + 0.5
    np.testing.assert_allclose(row, expected)
