"""Nested state dicts as flat ones, and back."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.distributed.checkpoint.flattening import (
    expand_stateful,
    flatten,
    unflatten,
)


def test_state_comes_back_from_its_values():
    state = {"a": {0: 1, "1": 2}, "b": [3, [4, {}], []], "c": None, "d": (5, 6)}
    entries = flatten(state)
    assert [entry.name for entry in entries] == [
        "a.0", "a.1", "b.0", "b.1.0", "b.1.1", "b.2", "c", "d",
    ]  # fmt: skip
    assert unflatten((entry.path, entry.value) for entry in entries) == state


def test_values_are_replaced_where_they_stand():
    state = {"a": [1, 2]}
    flatten(state)[1].put(3)
    assert state == {"a": [1, 3]}


def test_names_must_be_different_and_keys_plain():
    with pytest.raises(ValueError, match=r"several values .* are named 'a\.b'"):
        flatten({"a": {"b": 1}, "a.b": 2})
    with pytest.raises(TypeError, match="is neither text nor int"):
        flatten({(1, 2): 3})


def test_objects_with_states_are_replaced_by_them():
    states = expand_stateful({"model": torch.nn.Linear(1, 1), "step": 1})
    assert list(states["model"]) == ["weight", "bias"]
    assert states["step"] == 1
