from __future__ import annotations

import json

import pytest

import edutorch as torch
from edutorch.course.interactions.graph_player import (
    CALLS,
    GRAPHS,
    GraphPlayer,
    frames_of,
)
from tests.widgets.shared_fixtures import FIXTURES

CASES = json.loads((FIXTURES / "graph_player" / "frames.json").read_text())
IDS = ["{name}-{leaves[a]}-{calls}".format(**case) for case in CASES]


@pytest.mark.parametrize("case", CASES, ids=IDS)
def test_steps_are_those_of_the_page(case):
    ours = frames_of(case["nodes"], case["leaves"], case["calls"])
    assert [vars(frame) for frame in ours] == case["frames"]


def library(name, leaves):
    """The nodes of a graph as tensors, after some number of forward passes."""
    tensors = dict(leaves)
    for node in GRAPHS[name]:
        x = [tensors[i] for i in node["inputs"]]
        if node["op"] == "detach":
            tensors[node["name"]] = x[0].detach()
        elif node["op"] != "leaf":
            sign = {"mul": "__mul__", "add": "__add__", "sub": "__sub__"}[node["op"]]
            tensors[node["name"]] = getattr(x[0], sign)(x[1])
    return tensors


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("calls", CALLS)
def test_values_and_gradients_are_those_of_the_library(name, calls):
    leaves = {
        x: torch.tensor(v, requires_grad=True) for x, v in (("a", -2.0), ("b", 3.0))
    }
    last = frames_of(GRAPHS[name], {"a": -2, "b": 3}, calls)[-1]
    for _ in range(1 if calls == "once" else 2):
        if "None" in calls:
            for leaf in leaves.values():
                leaf.grad = None
        tensors = library(name, leaves)
        for tensor in tensors.values():
            if tensor.requires_grad:
                tensor.retain_grad()
        tensors["L"].backward()
    for node in GRAPHS[name]:
        tensor = tensors[node["name"]]
        assert last.values[node["name"]] == tensor.item()
        expected = None if tensor.grad is None else tensor.grad.item()
        assert last.grads.get(node["name"]) == expected


def test_text_tells_every_step_and_the_gradients():
    lines = GraphPlayer().text().split("\n")
    assert lines[0] == "L = (a · b + a)²"
    assert lines[2] == "1. y = a · b = 3 · 4 = 12"
    assert lines[-1] == "gradients: a 150, b 90, y 30, z 30, L 1"


@pytest.mark.parametrize("name", GRAPHS)
@pytest.mark.parametrize("calls", CALLS)
def test_picture_stays_within_its_frame_and_tells_the_end(name, calls):
    picture = GraphPlayer(name, calls=calls).picture()
    boxes = [shape for kind, shape in picture.shapes if kind == "rect"]
    assert max(box["x"] + box["w"] for box in boxes) <= picture.width
    assert max(box["y"] + box["h"] for box in boxes) <= picture.height
    last = frames_of(GRAPHS[name], {"a": 3, "b": 4}, calls)[-1]
    assert f"∇ {last.grads['a']}" in picture.svg()


def test_boxes_of_no_graph_lie_on_each_other():
    for nodes in GRAPHS.values():
        places = [(node["x"], node["y"]) for node in nodes]
        assert len(set(places)) == len(places)


def test_settings_that_the_page_lacks_are_refused():
    with pytest.raises(KeyError, match="no graph 'cube'"):
        GraphPlayer("cube")
    with pytest.raises(ValueError, match="whole numbers from -5 to 5"):
        GraphPlayer(a=6)
    with pytest.raises(ValueError, match="whole numbers from -5 to 5"):
        GraphPlayer(b=0.5)
    with pytest.raises(ValueError, match="calls is one of"):
        GraphPlayer(calls="thrice")
