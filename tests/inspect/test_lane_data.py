"""Lanes as JSON."""

from __future__ import annotations

import json
from types import SimpleNamespace

from edutorch.inspect.lane_data import Transfer, lanes_data
from edutorch.inspect.lane_memory import LaneMemory
from edutorch.inspect.lane_times import NOWHERE, Bar
from edutorch.inspect.model_names import ModelNames
from edutorch.inspect.view_schemas import check_view

US = 1000


def collected(bars=(), transfers=(), spans=(), dropped=0):
    """What a recorder may have collected, with times in nanoseconds."""
    ends = [bar.end for bar in bars] + [t.end for t in transfers]
    starts = [bar.start for bar in bars] + [t.start for t in transfers]
    moved = {}
    for t in transfers:
        sums = moved.setdefault((t.source, t.target), [0, 0])
        sums[0], sums[1] = sums[0] + 1, sums[1] + t.nbytes
    return SimpleNamespace(
        bars=list(bars), transfers=list(transfers), spans=list(spans), steps=[],
        full=[], past_times={}, dropped=dropped, moved=moved, begun=min(starts, default=0),
        until=max(ends, default=0), memory=LaneMemory(), rev=1, open_spans=list,
        models=ModelNames(),
    )  # fmt: skip


def bar(start, end, device="cpu", thread=1, name="add"):
    return Bar(start * US, end * US, device, name, NOWHERE, "forward", thread, "")


def test_threads_side_by_side_have_rows_and_nested_ops_none():
    bars = [bar(0, 10), bar(2, 4), bar(5, 9), bar(3, 12, thread=2), bar(12, 14)]
    (lane,) = lanes_data(collected(bars))["lanes"]
    rows = [(b[0], b[1], b[5], b[6], b[7]) for b in lane["bars"]]
    assert rows == [(0, 10, 0, 0, 2), (3, 9, 1, 1, 0), (12, 2, 0, 0, 0)]
    assert (lane["rows"], lane["ops"], lane["busy"]) == (2, 5, 14)


def test_devices_are_in_order_with_the_cpu_first():
    names = ["cuda:10", "cuda:2", "cpu", "meta"]
    data = lanes_data(collected([bar(0, 1, name) for name in names]))
    order = [lane["device"] for lane in data["lanes"]]
    assert order == ["cpu", "cuda:2", "cuda:10", "meta"]
    assert [x["kind"] for x in data["lanes"]] == ["CPU", "GPU", "GPU", "no values"]
    assert "launched" in data["clock"]


def test_clock_when_only_the_cpu_worked_says_nothing():
    assert lanes_data(collected([bar(0, 1)]))["clock"] == ""


def test_what_has_left_is_neither_among_transfers_nor_phases():
    moves = [
        Transfer(at * US, at * US + 5, "cpu", "cuda:0", 8, "copy") for at in (0, 90)
    ]
    spans = [(0, 10 * US, "old"), (80 * US, 95 * US, "new"), (5 * US, 92 * US, "long")]
    data = lanes_data(collected([bar(85, 99)], moves, spans, dropped=3))
    assert data["from"] == 85 and len(data["transfers"]) == 1
    phases = {p["name"]: (p["from"], p["to"], p["row"]) for p in data["phases"]}
    assert phases == {"long": (85, 92, 0), "new": (85, 95, 1)}
    assert data["moved"][0]["count"] == 2
    assert "newest 1 ops" in data["limits"]


def test_transfers_that_marks_name_too_make_one_phase():
    moves = [Transfer(0, US, "cpu", "cuda:0", 8, "scatter")]
    data = lanes_data(collected((), moves, [(0, 2 * US, "scatter")]))
    assert [(p["name"], p["to"]) for p in data["phases"]] == [("scatter", 2)]
    check_view("lanes", json.loads(json.dumps(data)))
