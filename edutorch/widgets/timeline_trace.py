"""A timeline's bars as the spans of a trace."""

from __future__ import annotations

from typing import Any

from ..autograd.profiler_trace import Span

__all__ = ["trace_spans"]

OP, NODE = 2, 3
CATEGORIES = (
    "step", "module", "cpu_op", "cpu_op", "user_annotation", "backward",
    "user_annotation", "user_annotation",
)  # fmt: skip


def trace_spans(data: dict[str, Any]) -> list[Span]:
    """The bars of a timeline for `trace_json`.

    Args:
        data: what `TimelineRecorder.series` gives.

    Example:
        >>> import edutorch as torch
        >>> with torch.inspect.TimelineRecorder() as recorder:
        ...     y = torch.ones(3).exp()
        >>> [span.name for span in trace_spans(recorder.series())]
        ['step 0', 'aten::exp']
    """
    bars = data["bars"]
    backward = {bars["link"][i] for i, kind in enumerate(bars["kind"]) if kind == NODE}
    return [_span(data, i, i in backward) for i in range(len(bars["kind"]))]


def _span(data: dict[str, Any], i: int, has_backward: bool) -> Span:
    bars = data["bars"]
    kind, line, link = bars["kind"][i], bars["line"][i], bars["link"][i]
    name = data["names"][bars["name"][i]]
    args: dict[str, Any] = {}
    if line >= 0 and data["lines"][line]:
        src = data["lines"][line]
        args["Line"] = f"{src['file']}({src['line']}): {src['func']}"
    if bars["device"][i] >= 0:
        args["Device"] = data["devices"][bars["device"][i]]
    if bars["open"][i]:
        args["Unfinished"] = True
    to_op = kind == NODE and link >= 0 and bars["kind"][link] == OP
    flow = link + 1 if to_op else i + 1 if kind == OP and has_backward else 0
    return Span(
        f"aten::{name}" if kind == OP else name,
        CATEGORIES[kind],
        (data["origin"] + bars["start"][i]) / 1e3,
        bars["dur"][i] / 1e3,
        bars["lane"][i] + 1,
        args,
        flow,
        to_op,
    )
