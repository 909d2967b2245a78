"""Folding a graph by module; `layout` is tested on the same fixtures."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.widgets import GraphView
from edutorch.widgets.fold import auto_expanded, fold, open_to
from tests.widgets.shared_fixtures import NAMES, fixture


@pytest.mark.parametrize("name", NAMES)
def test_fold_when_given_a_fixture_agrees_with_typescript(name):
    case = fixture(name)
    folded = fold(case["data"], set(case["expanded"]))
    keys = ("id", "kind", "node", "path", "parent", "title", "sub", "nodes")
    expected = [{k: box[k] for k in keys} for box in case["expected"]["boxes"]]
    assert [vars(box) for box in folded.boxes] == expected
    edges = [{"from": e.start, "to": e.end, "sources": e.sources} for e in folded.edges]
    assert edges == case["expected"]["edges"]


@pytest.mark.parametrize("name", NAMES)
def test_auto_expanded_when_nothing_is_chosen_agrees_with_typescript(name):
    case = fixture(name)
    if case["auto"]:
        assert sorted(auto_expanded(case["data"])) == case["expanded"]


def test_fold_when_all_is_open_draws_every_op_once():
    data = fixture("lenet")["data"]
    ids = [box.node for box in fold(data, open_to(data, 9)).boxes if box.kind == "op"]
    assert ids == [n["id"] for n in data["nodes"] if n["kind"] == "op"]


def test_fold_when_an_op_failed_tells_the_exception_in_place_of_its_shape():
    data = fixture("scalars")["data"]
    last = data["nodes"][-1] | {"error": "RuntimeError: mat1 ...", "dtype": ""}
    folded = fold(data | {"nodes": [*data["nodes"][:-1], last]}, ())
    assert folded.boxes[-1].sub == "RuntimeError"


def test_equal_blocks_of_a_deep_model_are_one_box_with_their_number():
    layer = nn.TransformerEncoderLayer(8, 2, 16, batch_first=True)
    model = nn.TransformerEncoder(layer, 12, enable_nested_tensor=False)
    with GraphView(model) as view:
        model(torch.randn(2, 3, 8)).sum().backward()
        data = view.refresh()
    assert len(data["nodes"]) > 400
    boxes = fold(data, auto_expanded(data)).boxes
    (block,) = [box for box in boxes if box.kind == "repeat"]
    assert block.title == "(0–11): TransformerEncoderLayer ×12"
    assert len(boxes) < 10


def test_fold_when_given_an_empty_snapshot_is_empty():
    folded = fold({"nodes": [], "edges": [], "modules": []}, ())
    assert folded.boxes == []
    assert folded.edges == []


def test_fold_when_a_list_of_modules_has_one_call_names_it_with_the_list():
    data = fixture("attention")["data"]
    titles = [box.title for box in fold(data, open_to(data, 9)).boxes]
    assert "(layers.0): Attention" in titles and "(layers)" not in titles
