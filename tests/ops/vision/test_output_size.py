"""The size that an interpolated image gets."""

import pytest

from edutorch.ops.vision.output_size import sizes_and_scales


def test_factors_give_sizes_rounded_down_and_are_kept():
    assert sizes_and_scales((1, 1, 3, 5), None, 1.5, False) == ((4, 7), (1.5, 1.5))


def test_recomputed_factors_are_forgotten():
    assert sizes_and_scales((1, 1, 3), None, [1.5], True) == ((4,), (None,))


def test_a_factor_that_is_no_number_is_refused():
    with pytest.raises(TypeError):
        sizes_and_scales((1, 1, 3), None, "a", False)
