"""Traces in Chrome's JSON format, which Perfetto and chrome://tracing read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

__all__ = ["Span", "trace_json"]


class Span(NamedTuple):
    """An interval of time on one thread.

    Attributes:
        name: the name of the span.
        category: such as "cpu_op" or "user_annotation".
        start: microseconds on any clock, the same for all spans of a trace.
        duration: in microseconds.
        thread: the number of its thread.
        args: shown by the viewer when the span is selected, JSON-ready.
        flow: the number of the arrow that joins a forward and its backward; 0: none.
        arrives: the arrow ends here; otherwise it begins.
    """

    name: str
    category: str
    start: float
    duration: float
    thread: int
    args: Mapping[str, Any]
    flow: int = 0
    arrives: bool = False


def trace_json(
    spans: Iterable[Span],
    threads: Mapping[int, str] | None = None,
    more: Mapping[str, Any] | None = None,
) -> str:
    """A trace as text: complete events (X), arrows from forward to backward (s, f).

    An arrow is written if both of its ends are known.

    Args:
        spans: in any order.
        threads: the names of threads; by default numbers.
        more: other entries at the top of the file.

    Example:
        >>> text = trace_json([Span("aten::add", "cpu_op", 1.0, 2.5, 1, {})])
        >>> [event["ph"] for event in json.loads(text)["traceEvents"]]
        ['M', 'M', 'M', 'X']
    """
    kept = sorted(spans, key=lambda s: (s.start, -s.duration))
    pid = os.getpid()
    entries = [*_names(kept, threads or {}, pid)]
    open_ends = {s.flow: s for s in reversed(kept) if s.flow and not s.arrives}
    closed: dict[int, Span] = {}
    for span in kept:
        if span.arrives and span.flow in open_ends:
            closed.setdefault(span.flow, span)
    for span in kept:
        place = {"pid": pid, "tid": span.thread, "ts": _us(span.start)}
        entries.append(
            {"ph": "X", "cat": span.category, "name": span.name, **place,
             "dur": _us(span.duration), "args": dict(span.args)}
        )  # fmt: skip
        arrow = {"id": span.flow, **place, "cat": "fwdbwd", "name": "fwdbwd"}
        if closed.get(span.flow) is span:
            entries.append({"ph": "f", **arrow, "bp": "e"})
        elif span.flow in closed and open_ends[span.flow] is span:
            entries.append({"ph": "s", **arrow})
    head = {"schemaVersion": 1, "displayTimeUnit": "ms", **(more or {})}
    return json.dumps({**head, "traceEvents": entries})


def _names(
    spans: list[Span], threads: Mapping[int, str], pid: int
) -> list[dict[str, Any]]:
    """The names of the process and of its threads."""
    about: list[dict[str, Any]] = []
    place = {"ph": "M", "ts": _us(spans[0].start) if spans else 0, "pid": pid}
    process = {"name": "process_name", "tid": 0, "args": {"name": "python"}}
    about.append(place | process)
    for tid in sorted({span.thread for span in spans}):
        name = threads.get(tid, f"thread {tid} (python)")
        mine = {**place, "tid": tid}
        about.append({**mine, "name": "thread_name", "args": {"name": name}})
        about.append({**mine, "name": "thread_sort_index", "args": {"sort_index": tid}})
    return about


def _us(us: float) -> float:
    """Microseconds to whole nanoseconds."""
    return round(us, 3)
