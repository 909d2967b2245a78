"""Dimensions as users give them."""

from __future__ import annotations

import pytest

from edutorch.ops.dims import dim_of, dims_of, kept_shape


def test_negative_dimensions_count_from_the_end():
    assert dim_of(-1, 3) == 2 and dim_of(0, 0) == 0
    assert dims_of((-1, 0), 3) == (2, 0)
    assert dims_of(None, 3) is None


def test_missing_and_repeated_dimensions_are_refused():
    with pytest.raises(IndexError, match=r"range of \[-2, 1\], but got 2"):
        dim_of(2, 2)
    with pytest.raises(RuntimeError, match="dim 1 appears multiple times"):
        dims_of((1, -1), 2)


def test_kept_shape_has_ones_where_was_reduced():
    assert kept_shape((2, 3, 4), (1,)) == (2, 1, 4)
    assert kept_shape((2, 3), None) == (1, 1)
