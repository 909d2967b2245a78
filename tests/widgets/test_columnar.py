"""Graphs written small; `widgets/test/columnar.test.ts` reads the same file back."""

from __future__ import annotations

import json

import edutorch as torch
from edutorch.widgets import GraphView
from edutorch.widgets.columnar import encode_graph, encode_rows
from tests.widgets.shared_fixtures import FIXTURES, fixture

EXAMPLE = FIXTURES.parent / "columnar.json"


def test_pack_when_given_a_fixture_writes_what_typescript_reads():
    data = fixture("lenet")["data"]
    written = json.loads(EXAMPLE.read_text())
    assert encode_graph(data)["nodes"] == written


def test_pack_when_there_are_no_nodes_changes_nothing():
    data = fixture("lenet")["data"] | {"nodes": []}
    assert encode_graph(data) is data


def test_pack_rows_when_records_are_missing_says_where():
    rows = [{"a": None}, {"a": {"x": 1}}, {"a": {"x": 2}}]
    column = encode_rows(rows)["columns"]["a"]
    assert column["has"] == [False, True, True]
    assert column["rows"]["columns"] == {"x": {"all": [1, 2]}}


def test_view_when_synced_sends_a_long_loop_whole_and_small():
    x = torch.ones(3, requires_grad=True)
    with GraphView() as view:
        y = x
        for _ in range(500):
            y = (y * 1.001).tanh() + x
        y.sum().backward()
        view.refresh()
        sent = view.get_state("data")["data"]
    assert view.data["dropped"] == 0
    assert sent["nodes"]["n"] == len(view.data["nodes"]) > 1500
    assert 3 * len(json.dumps(sent)) < len(json.dumps(view.data))
