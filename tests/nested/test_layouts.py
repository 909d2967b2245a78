"""How parts lie in one plain tensor."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.nested.layouts import Irregular, Jagged, Strided, ragged_size


def test_irregular_sizes_equal_only_themselves():
    size = Irregular()
    assert size == size and size != Irregular()
    assert repr(3 * Irregular("j7")) == "3*j7"
    assert size >= 2 and not size > 2


def test_ragged_size_belongs_to_one_tensor_of_offsets():
    ends = torch.tensor([0, 2])
    assert ragged_size(ends) is ragged_size(ends)
    assert ragged_size(ends) is not ragged_size(torch.tensor([0, 2]))


def test_parts_of_jagged_values_skip_holes_and_join_without_them():
    structure = Jagged(torch.tensor([0, 3, 5]), torch.tensor([2, 1]))
    parts = structure.parts(torch.arange(5.0))
    assert [p.tolist() for p in parts] == [[0, 1], [3]]
    values, joined = structure.joined(parts)
    assert values.tolist() == [0, 1, 3]
    assert joined.offsets.tolist() == [0, 2, 3]
    assert joined.lengths is None


def test_strided_parts_have_their_own_shapes():
    structure = Strided(((1, 2), (2, 1)))
    assert [p.tolist() for p in structure.parts(torch.arange(4.0))] == [
        [[0, 1]],
        [[2], [3]],
    ]
    assert structure.size(0) == 2
    with pytest.raises(RuntimeError, match="Given dimension 1 is irregular"):
        structure.size(1)
