"""Planes in their room: padding around, columns sorted by their rest."""

import numpy as np

from edutorch.kernels.fast.sliding_windows import enter, leave, tap_place, window
from edutorch.kernels.rooms import geometry, room

HOW = geometry((2, 3), (1, 2), (1, 2))  # of a plane of 4 x 7: rows are layers


def plane():
    return np.arange(1.0, 29).reshape(4, 1, 7)


def entered():
    x = plane()
    space = room(HOW, x.shape, 6, x.dtype)
    enter(x, HOW, -1, space)
    return space


def test_enter_sorts_layers_and_columns_by_their_rest():
    space = entered()
    assert space.shape == (2, 1, 3, 3, 1, 4)
    assert not space[0, :, :, 0].any()  # the padding in front
    rows = space[1, 0, :, 0, 0]  # those of the first layer
    assert rows.tolist() == [[0, 2, 5, 0], [0, 3, 6, 0], [1, 4, 7, 0]]


def test_enter_takes_some_layers():
    x = plane()
    space = room(HOW, x.shape, 4, x.dtype)
    enter(x, HOW, 1, space)
    assert np.array_equal(space, entered()[:, :, :, 1:])


def test_leave_undoes_enter():
    x = np.empty((4, 1, 7))
    leave(entered(), HOW, x)
    assert np.array_equal(x, plane())


def test_window_finds_the_cells_of_a_tap():
    space, wide = entered(), np.pad(plane()[:, 0], ((1, 1), (2, 2)))
    for k in range(4):
        row, column = k // 2, 2 * (k % 2)  # kernels of 2 x 2, dilated in the rows
        cells = window(space, tap_place(k, (2, 1, 2), HOW), 1, 0)
        assert cells[:3].tolist() == wide[2 + row, column : column + 7 : 3].tolist()
