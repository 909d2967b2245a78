"""Sizes, dimensions and scalings of transforms."""

import pytest

import edutorch as torch
from edutorch.ops.spectral.arguments import dims_and_sizes, half_sizes, opposite_norm


def test_dims_and_sizes_without_dims_takes_the_last_ones():
    x = torch.ones(2, 3, 4)
    assert dims_and_sizes("f", x, None, None, None) == ((0, 1, 2), [2, 3, 4])
    assert dims_and_sizes("f", x, (5, -1), None, None) == ((1, 2), [5, 4])
    assert dims_and_sizes("f", x, None, -1, None) == ((2,), [4])


def test_half_sizes_doubles_the_last_size_where_none_is_given():
    assert half_sizes("f", torch.ones(2, 3), None, None, None) == ((0, 1), [2, 4])
    assert half_sizes("f", torch.ones(2, 3), (2, 5), None, None) == ((0, 1), [2, 5])


def test_norm_of_the_inverse_names_the_other_direction():
    assert [opposite_norm(n) for n in (None, "forward", "ortho")] == [
        "forward", "backward", "ortho",
    ]  # fmt: skip
    with pytest.raises(RuntimeError, match="Invalid normalization mode"):
        opposite_norm("x")
