"""Padded buffers: zeros around, columns grouped by their remainder."""

import numpy as np

from edutorch.kernels.fast.padded_buffers import (
    copy_into,
    copy_out_of,
    tap_starts,
)
from edutorch.kernels.padded_buffers import conv_geometry, padded_buffer

HOW = conv_geometry((2, 3), (1, 2), (1, 2))  # of a plane of 4 x 7: rows are layers


def plane():
    return np.arange(1.0, 29).reshape(4, 1, 7)


def entered():
    x = plane()
    space = padded_buffer(HOW, x.shape, 6, x.dtype)
    copy_into(x, HOW, -1, space)
    return space


def test_enter_sorts_layers_and_columns_by_their_rest():
    space = entered()
    assert space.shape == (2, 1, 3, 3, 1, 4)
    assert not space[0, :, :, 0].any()  # the padding in front
    rows = space[1, 0, :, 0, 0]  # those of the first layer
    assert rows.tolist() == [[0, 2, 5, 0], [0, 3, 6, 0], [1, 4, 7, 0]]


def test_enter_takes_some_layers():
    x = plane()
    space = padded_buffer(HOW, x.shape, 4, x.dtype)
    copy_into(x, HOW, 1, space)
    assert np.array_equal(space, entered()[:, :, :, 1:])


def test_leave_undoes_enter():
    x = np.empty((4, 1, 7))
    copy_out_of(entered(), HOW, x)
    assert np.array_equal(x, plane())


def test_window_finds_the_cells_of_a_tap():
    space, wide = entered(), np.pad(plane()[:, 0], ((1, 1), (2, 2)))
    starts = tap_starts((2, 1, 2), HOW, space)
    for k in range(4):
        row, column = k // 2, 2 * (k % 2)  # kernels of 2 x 2, dilated in the rows
        second = space.reshape(-1)[starts[k] + space[0, 0, 0, 0].size :]
        assert second[:3].tolist() == wide[2 + row, column : column + 7 : 3].tolist()
