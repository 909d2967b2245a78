"""Saving and loading the state of an optimizer."""

from __future__ import annotations

from collections import defaultdict

import pytest

import edutorch as torch
from edutorch.optim.state_dict import load_state, pack_state


def groups():
    a, b = (torch.nn.Parameter(torch.ones(2)) for _ in range(2))
    return a, b, [{"params": [a], "lr": 1}, {"params": [b, a], "lr": 2}]


def test_pack_gives_each_parameter_one_number():
    _, b, found = groups()
    state = defaultdict(dict, {b: {"x": 1}, "note": {"y": 2}})
    packed = pack_state(state, found)
    assert [g["params"] for g in packed["param_groups"]] == [[0], [1, 0]]
    assert packed["state"] == {1: {"x": 1}, "note": {"y": 2}}


def test_a_parameter_twice_in_a_group_has_the_number_of_its_last_place():
    a = torch.nn.Parameter(torch.ones(2))
    packed = pack_state(defaultdict(dict), [{"params": [a, a]}])
    assert packed["param_groups"][0]["params"] == [1, 1]


def test_load_puts_parameters_back_and_keeps_other_keys():
    _, b, found = groups()
    packed = pack_state(defaultdict(dict, {b: {"v": torch.ones(2)}, "k": {}}), found)
    state, loaded = load_state(found, packed)
    assert state["k"] == {}
    assert state[b]["v"].tolist() == [1.0, 1.0]
    assert loaded[1]["params"][0] is b


def test_load_casts_values_inside_containers():
    a = torch.nn.Parameter(torch.ones(2, dtype=torch.float64))
    mine = [{"params": [a]}]
    values = {"list": [torch.ones(2)], "deep": {"x": torch.ones(1)}, "name": "text"}
    values["step"] = torch.tensor(3.0)
    packed = {"state": {0: values}, "param_groups": [{"params": [0]}]}
    found = load_state(mine, packed)[0][a]
    assert found["list"][0].dtype is torch.float64
    assert found["deep"]["x"].dtype is torch.float64
    assert found["step"].dtype is torch.float32
    assert found["name"] == "text"


def test_load_when_groups_differ_is_refused():
    _, _, found = groups()
    with pytest.raises(ValueError, match="different number of parameter groups"):
        load_state(found, {"state": {}, "param_groups": []})
