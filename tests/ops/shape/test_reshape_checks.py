"""Tests of `edutorch.ops.shape.reshape_checks`."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.ops.shape.reshape_checks import infer_shape, viewable


@pytest.mark.parametrize(
    ("sizes", "count", "expected"),
    [((2, 3), 6, (2, 3)), ((2, -1), 6, (2, 3)), ((), 1, ()), ((0, 3), 0, (0, 3))],
)
def test_full_shape_infers_the_missing_size(sizes, count, expected):
    assert infer_shape(sizes, count) == expected


@pytest.mark.parametrize(
    ("sizes", "count"), [((2, 2), 6), ((-2, -3), 6), ((4, -1), 6), ((-1, -1), 6)]
)
def test_full_shape_of_another_count_is_refused(sizes, count):
    with pytest.raises(RuntimeError):
        infer_shape(sizes, count)


def test_array_is_viewable_where_merged_dimensions_leave_no_gap():
    x = np.zeros((4, 3, 2))
    assert viewable(x, (12, 2))
    assert viewable(x[:2], (6, 2))
    assert viewable(x[:, :, ::2], (12,))


def test_viewable_is_false_where_a_copy_is_needed():
    x = np.zeros((4, 3, 2))
    assert not viewable(x.swapaxes(0, 1), (12, 2))
    assert not viewable(x[:, :2], (8, 2))
