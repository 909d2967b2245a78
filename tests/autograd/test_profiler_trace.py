"""The writer of traces."""

from __future__ import annotations

import json

from edutorch.autograd.profiler_trace import Span, trace_json
from tests.trace_rules import check_trace


def written(*spans, **options):
    trace = json.loads(trace_json(spans, **options))
    check_trace(trace)
    return trace["traceEvents"]


def op(name, start, duration, flow=0, arrives=False):
    return Span(name, "cpu_op", start, duration, 1, {}, flow, arrives)


def test_arrow_leads_from_the_forward_to_the_first_backward():
    events = written(
        op("a", 1, 2, flow=5), op("b", 4, 1, flow=5, arrives=True),
        op("c", 6, 1, flow=5, arrives=True),
    )  # fmt: skip
    arrows = [(e["ph"], e["ts"]) for e in events if e["ph"] in "sf"]
    assert arrows == [("s", 1), ("f", 4)]


def test_arrow_without_both_ends_is_left_out():
    events = written(op("a", 1, 2, flow=5), op("b", 4, 1, flow=6, arrives=True))
    assert {e["ph"] for e in events} == {"M", "X"}


def test_threads_have_their_names():
    events = written(op("a", 1, 2), threads={1: "main thread"})
    (name,) = [e["args"]["name"] for e in events if e["name"] == "thread_name"]
    assert name == "main thread"


def test_trace_of_nothing_names_the_process():
    assert [e["name"] for e in written()] == ["process_name"]


def test_other_entries_stand_at_the_top():
    trace = json.loads(trace_json([], more={"record_shapes": 1}))
    assert trace["record_shapes"] == 1
