"""Cells: places in a storage, counted in elements."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.tensor.geometry import Geometry


def test_cells_of_an_array_are_counted_from_the_beginning_of_its_memory():
    x = np.arange(24.0).reshape(2, 3, 4)
    assert Geometry.of(x[1:, ::2].transpose(2, 0, 1)) == ((4, 1, 2), (1, 12, 8), 12)
    assert Geometry.of(x[:, None, 0]) == ((2, 1, 4), (12, 4, 1), 0)


def test_cells_reach_as_far_as_their_last_element():
    assert Geometry((2, 3), (3, 1), 4).reach == 10
    assert Geometry((2, 0), (3, 1), 4).reach == 4
    assert Geometry((), (), 4).reach == 5


@pytest.mark.parametrize(
    ("shape", "stride", "overlap"),
    [
        ((2, 3), (3, 1), False), ((3, 2), (1, 3), False), ((2, 2), (1, 1), True),
        ((3,), (0,), True), ((1,), (0,), False), ((4, 1), (2, 0), False),
    ],
)  # fmt: skip
def test_cells_overlap_where_a_place_may_be_met_twice(shape, stride, overlap):
    assert Geometry(shape, stride, 0).overlapping() is overlap


def test_look_refuses_what_lies_beyond_the_memory():
    x = np.arange(6.0)[2:]
    assert Geometry((2, 2), (1, 2), 1).view_of(x).tolist() == [[1, 3], [2, 4]]
    with pytest.raises(RuntimeError) as refusal:
        Geometry((3,), (2,), 2).view_of(x)
    assert str(refusal.value) == (
        "setStorage: sizes [3], strides [2], storage offset 2, and itemsize 8 requiring"
        " a storage size of 56 are out of bounds for storage of size 48"
    )


def test_numbered_names_the_place_of_every_element():
    assert Geometry((2, 2), (1, 2), 1).element_positions().tolist() == [[1, 3], [2, 4]]
