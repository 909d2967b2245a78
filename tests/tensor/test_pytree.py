"""Nested containers."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple

import edutorch as torch
from edutorch.tensor.pytree import (
    broadcast,
    flatten,
    format_spec,
    tensors_of,
    tree_map,
    unflatten,
)


class Pair(NamedTuple):
    a: Any
    b: Any


def test_containers_are_put_together_as_they_were():
    tree = {"x": [1, (2, 3)], "y": Pair(4, OrderedDict(z=5))}
    leaves, structure = flatten(tree)
    again = unflatten(leaves, structure)
    assert leaves == [1, 2, 3, 4, 5]
    assert again == tree
    assert type(again["y"]) is Pair
    assert type(again["y"].b) is OrderedDict


def test_structures_can_be_compared():
    assert flatten((1, [2]))[1] == flatten((3, [4]))[1]
    assert flatten((1, [2]))[1] != flatten((1, (2,)))[1]


def test_a_prefix_stands_for_whole_containers():
    assert broadcast(0, {"a": 1, "b": (2, 3)}) == [0, 0, 0]
    assert broadcast((0, {"a": None}), (1, {"a": (2, 3)})) == [0, None, None]
    assert broadcast((0, 1), (1,)) is None


def test_leaves_are_mapped_and_tensors_found():
    x = torch.ones(1)
    assert tree_map(lambda v: v * 2, (1, [2])) == (2, [4])
    assert tensors_of({"a": x, "b": 3}) == [x]


def test_structures_are_spelled_as_pytorch_does():
    structure = flatten({"a": 1, "b": (2, [])})[1]
    assert format_spec(structure).splitlines()[0] == "TreeSpec(dict, ['a', 'b'], [*,"
