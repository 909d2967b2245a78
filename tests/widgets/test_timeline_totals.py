"""Sums of a timeline: each moment counted once, as in the page."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.inspect import TimelineRecorder
from edutorch.inspect.timeline_bars import KINDS
from edutorch.inspect.view_schemas import check_view
from edutorch.widgets.timeline_totals import MODES, totals
from tests.inspect.ledger import listening
from tests.inspect.models import TRAININGS
from tests.widgets.shared_fixtures import FIXTURES


def recorded(name, steps=3):
    training = TRAININGS[name]()
    training.step()
    with listening() as ledger, TimelineRecorder() as recorder:
        for _ in range(steps):
            training.step()
    return recorder.series(), ledger.named()


def length(data):
    """The time that the outermost bars cover."""
    bars = data["bars"]
    return sum(d for d, p in zip(bars["dur"], bars["parent"], strict=True) if p < 0)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", TRAININGS)
def test_own_times_add_up_to_all_time(name, mode):
    data, _ = recorded(name)
    rows = totals(data, mode)
    assert sum(row.own for row in rows) == length(data) == data["total"]
    assert all(0 <= row.own <= row.total for row in rows)


@pytest.mark.parametrize("name", TRAININGS)
def test_time_of_each_op_is_that_of_its_records(name):
    data, records = recorded(name)
    counts, times = Counter(), Counter()
    for r in records:
        if r["kind"] == "op":
            counts[r["name"]] += 1
            times[r["name"]] += r["dur_ns"]
    rows = {row.name: row for row in totals(data, "op")}
    assert {k: rows[k].count for k in counts} == counts
    assert {k: rows[k].total for k in times} == times


def test_time_of_a_module_holds_its_calls_and_its_backward():
    data, records = recorded("mlp", steps=1)
    spent = {"own": 0}
    call = None
    for r in records:  # all of (0): Linear, forward
        if r["kind"] == "mod" and r["path"] == "0":
            spent["own"] += r["t0_ns"] if r["what"] == "exit" else -r["t0_ns"]
            call = r["call"]
    (op,) = [r for r in records if r["kind"] == "op" and r["call"] == call]
    for r in records:
        mine = r["kind"] == "bwd" and (
            r["node"] == op["node"] or r["target"] in op["inputs"]
        )
        spent["own"] += r["dur_ns"] if mine else 0
    (row,) = [row for row in totals(data, "module") if row.name == "0: Linear"]
    assert row.own == row.total == spent["own"]
    assert row.count == 1


def test_time_of_a_line_holds_the_backward_of_its_ops():
    x = torch.ones(3, requires_grad=True)
    with listening() as ledger, TimelineRecorder() as recorder:
        y = x.exp()
        y.sum().backward()
    records = ledger.named()
    (exp,) = [r for r in records if r["kind"] == "op" and r["name"] == "exp"]
    expected = exp["dur_ns"] + sum(
        r["dur_ns"] for r in records if r["kind"] == "bwd" and r["node"] == exp["node"]
    )
    by_line = {row.name: row for row in totals(recorder.series(), "line")}
    places = [name for name in by_line if name.startswith("widgets/")]
    assert len(places) == 2
    assert expected in [by_line[place].own for place in places]


def test_ops_inside_of_a_backward_are_counted_once():
    x = torch.ones(3, requires_grad=True)
    with TimelineRecorder() as recorder:
        (g,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        g.sum().backward()
    data = recorder.series()
    check_view("timeline", data)
    for mode in MODES:
        assert sum(row.own for row in totals(data, mode)) == length(data)
    kinds = {KINDS[k] for k in data["bars"]["kind"]}
    assert {"op", "node"} <= kinds


def test_module_that_calls_itself_is_counted_once():
    class Twice(nn.Module):
        def forward(self, x, again=True):
            return self(x, False) if again else x.exp()

    with TimelineRecorder() as recorder:
        Twice()(torch.ones(2))
    data = recorder.series()
    (row,) = [row for row in totals(data, "module") if row.name == "Twice"]
    outer = min(
        i for i, kind in enumerate(data["bars"]["kind"]) if KINDS[kind] == "module"
    )
    assert row.count == 2
    assert row.own == row.total == data["bars"]["dur"][outer]


def test_window_cuts_bars_at_its_ends():
    data, _ = recorded("mlp", steps=2)
    for low, high in ((0, data["total"] // 3), (data["total"] // 5, data["total"])):
        for mode in MODES:
            assert sum(row.own for row in totals(data, mode, low, high)) == high - low


@pytest.mark.parametrize("case", range(2))
def test_page_sums_as_the_kernel_does(case):
    path = FIXTURES / "timeline" / "totals.json"
    case = json.loads(path.read_text(encoding="utf-8"))[case]
    check_view("timeline", case["data"])
    for mode, low, high, rows in case["sums"]:
        assert [list(row) for row in totals(case["data"], mode, low, high)] == rows
