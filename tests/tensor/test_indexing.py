"""Indices in brackets, taken apart."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.tensor.indexing import parse


def test_integers_slices_and_ellipsis_are_basic():
    parsed = parse((0, ..., slice(1, 3)), (2, 3, 4))
    assert parsed.indices == ()
    x = torch.arange(24).reshape(2, 3, 4)
    assert x.numpy()[parsed.basic].tolist() == x.numpy()[0, ..., 1:3].tolist()


def test_index_tensors_are_advanced_and_know_their_dimension():
    index = torch.tensor([0, 1])
    parsed = parse((slice(None), index), (2, 3))
    assert len(parsed.indices) == 1
    assert parsed.slots[1] == 0 and parsed.slots[0] is None


@pytest.mark.parametrize(
    ("index", "kind", "words"),
    [
        ((0, 0, 0), IndexError, "too many indices for tensor of dimension 2"),
        (5, IndexError, "index 5 is out of bounds for dimension 0 with size 2"),
        (slice(None, None, -1), ValueError, "step must be greater than zero"),
    ],
)
def test_what_is_not_there_is_refused_with_pytorchs_message(index, kind, words):
    with pytest.raises(kind, match=words):
        parse(index, (2, 3))


def test_a_start_counted_from_the_end_makes_a_view():
    assert parse(slice(0, 9), (3,)).basic == ()
    assert parse(slice(-3, 3), (3,)).basic == (slice(0, 3, 1),)
    assert parse(slice(1, 9), (0,)).basic == (slice(0, 0, 1),)


def test_an_end_counted_from_the_last_element_makes_a_view_of_nothing():
    assert parse(slice(None, -1), (0,)).basic == (slice(0, 0, 1),)
    assert parse(slice(None, 3), (0,)).basic == ()
