"""Trees of containers come apart and together as PyTorch's."""

from __future__ import annotations

import importlib
from collections import OrderedDict, defaultdict, deque
from typing import Any, NamedTuple

import pytest

from edutorch.utils import _pytree
from tests.programs import Programs, attempt

programs = Programs(__file__)


class Pair(NamedTuple):
    a: Any
    b: Any


def trees(torch):
    return importlib.import_module(f"{torch.__name__}.utils._pytree")


def sample():
    counts = defaultdict(int, k=7)
    return {
        "b": [1, (2, None)], "a": Pair(3, {"z": 4}), "d": deque([5], maxlen=3),
        "o": OrderedDict(q=6), "c": counts,
    }  # fmt: skip


@programs.add
def parts(torch):
    pt, tree = trees(torch), sample()
    leaves, spec = pt.tree_flatten(tree)
    back = pt.tree_unflatten([str(v) for v in leaves], spec)
    return [
        leaves, spec.num_leaves, spec.num_nodes, spec.num_children, repr(back),
        spec == pt.tree_structure(sample()), repr(pt.tree_structure([1, ({"k": 2},)])),
        repr(pt.tree_structure(5)), pt.tree_leaves(None), pt.tree_structure(5).is_leaf(),
        pt.tree_flatten([(1, 2), 3], is_leaf=lambda v: isinstance(v, tuple))[0],
        pt.treespec_pprint(pt.tree_structure([1, {"a": 2}])),
    ]  # fmt: skip


@programs.add
def maps(torch):
    pt = trees(torch)
    seen = []
    return [
        pt.tree_map(lambda a, b: a + b, [1, (2,)], [10, (20,)]),
        pt.tree_map(lambda a, b: [a, b], [1, 2], [[3], 4]),
        pt.tree_map(lambda a, b: a - b, {"x": 1, "y": 2}, {"y": 5, "x": 7}),
        pt.tree_map_only(int, str, [1, 2.5]), pt.tree_map_(seen.append, [1, [2]]), seen,
        pt.tree_map_only((int, str), lambda v: v * 2, [1, "a", 1.5]),
        pt.tree_all(bool, [1, [0]]), pt.tree_any(bool, [1, [0]]),
        pt.tree_all_only(int, bool, [1, 0.0]), pt.tree_any_only(str, bool, [1, ""]),
    ]  # fmt: skip


@programs.add
def refusals(torch):
    pt = trees(torch)
    spec = pt.tree_structure([1, 2])
    return [
        attempt(lambda: pt.tree_unflatten([1], spec)),
        attempt(lambda: pt.tree_map(lambda a, b: a, [1, 2], [1])),
        attempt(lambda: pt.tree_map(lambda a, b: a, [1], (1,))),
    ]


programs.test()


def test_classes_of_the_users_are_nodes_once_registered():
    class Box:
        def __init__(self, inside):
            self.inside = inside

    make = _pytree.register_pytree_node
    make(Box, lambda b: ([b.inside], None), lambda c, _: Box(*c))
    assert _pytree.tree_map(lambda v: v + 1, [Box(1)])[0].inside == 2
    with pytest.raises(ValueError, match="already registered"):
        make(Box, list, list)
    with pytest.raises(TypeError, match="Expected `treespec`"):
        _pytree.tree_unflatten([1], "spec")
    del _pytree.KINDS[Box]
