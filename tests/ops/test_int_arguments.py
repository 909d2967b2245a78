"""Whole numbers as users give them."""

import numpy as np
import pytest

import edutorch
from edutorch.ops.int_arguments import ints_of


def test_ints_of_whole_numbers_of_any_kind_gives_pythons():
    found = ints_of([np.int64(2), edutorch.tensor(3), 1])
    assert found == (2, 3, 1)
    assert [type(n) for n in found] == [int, int, int]
    assert ints_of(edutorch.tensor(4)) == ints_of(np.int8(4)) == (4,)


@pytest.mark.parametrize(
    "value", [None, "a", 1.5, True, edutorch.ones(2), edutorch.tensor(1.0), object()]
)
def test_non_integer_is_refused_by_name(value):
    kind, x = type(value).__name__, edutorch.ones(1, 4, 4)
    with pytest.raises(TypeError, match=f"'kernel_size'.*tuple of ints.*{kind}"):
        edutorch.max_pool2d(x, value)
    with pytest.raises(TypeError, match=f"chunk.*'chunks'.*must be int, not {kind}"):
        edutorch.chunk(x, value)


def test_sequence_with_a_fraction_is_refused_with_its_place():
    with pytest.raises(TypeError, match="but found element of type float at pos 0"):
        ints_of((2.0, 2))


def test_sequence_that_begins_with_a_bool_is_refused():
    with pytest.raises(TypeError, match="but found element of type bool at pos 0"):
        ints_of((True, 2))
    assert ints_of((2, True)) == (2, 1)
