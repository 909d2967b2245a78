"""State dicts as flat dictionaries."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.distributed.checkpoint import FlatShard
from edutorch.distributed.checkpoint.entries import (
    described,
    flattened,
    nested,
    owned,
    with_states,
)


def test_state_comes_back_from_its_values():
    state = {"a": {0: 1, "1": 2}, "b": [3, [4, {}], []], "c": None, "d": (5, 6)}
    entries = flattened(state)
    assert [entry.name for entry in entries] == [
        "a.0", "a.1", "b.0", "b.1.0", "b.1.1", "b.2", "c", "d",
    ]  # fmt: skip
    assert nested((entry.path, entry.value) for entry in entries) == state


def test_values_are_replaced_where_they_stand():
    state = {"a": [1, 2]}
    flattened(state)[1].put(3)
    assert state == {"a": [1, 3]}


def test_names_must_be_different_and_keys_plain():
    with pytest.raises(ValueError, match=r"several values .* are named 'a\.b'"):
        flattened({"a": {"b": 1}, "a.b": 2})
    with pytest.raises(TypeError, match="is neither text nor int"):
        flattened({(1, 2): 3})


def test_objects_with_states_are_replaced_by_them():
    states = with_states({"model": torch.nn.Linear(1, 1), "step": 1})
    assert list(states["model"]) == ["weight", "bias"]
    assert states["step"] == 1


def test_parts_are_written_by_those_who_have_them_and_the_rest_once():
    x = torch.arange(4.0)
    everything = [
        {
            "x": described(FlatShard(x[2 * r : 2 * r + 2], 2 * r, (4,))),
            **{name: described(x) for name in "abc"},
        }
        for r in (0, 1)
    ]
    mine, other = (owned(rank, everything) for rank in (0, 1))
    assert mine["x"]["start"] == 0
    assert other["x"]["start"] == 2
    assert sorted([*mine, *other]) == ["a", "b", "c", "x", "x"]
    assert min(len(mine), len(other)) == 2


def test_ranks_that_disagree_are_refused():
    both = [{"x": described(torch.ones(2))}, {"x": described(torch.ones(3))}]
    with pytest.raises(ValueError, match="ranks disagree on x"):
        owned(0, both)
