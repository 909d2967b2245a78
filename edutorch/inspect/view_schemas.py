"""Schemas of the data of each view, to reject damaged or forged files.

A schema is a type or a tuple of types, a list with the schema of its elements, a dict
with a schema for each required key, or `Optional`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .view_number_checks import check_grid, check_histogram, check_step, check_times
from .view_step_checks import check_steps

__all__ = ["SCHEMAS", "Optional", "check", "check_view"]

Schema = Any


class Optional(NamedTuple):
    """A schema that also accepts None."""

    schema: Schema


NONE = type(None)
NUMBER = (int, float, NONE)
PLACE = Optional({"file": str, "line": int, "func": str, "text": str})
STATS = Optional(
    dict.fromkeys(("min", "max", "mean", "std"), NUMBER) | {"nonfinite": int, "n": int}
)
NODE = {
    "id": str, "kind": str, "name": str, "cls": str, "module": str, "shape": [int],
    "dtype": str, "device": str, "attrs": str, "src": PLACE, "lib": PLACE,
    "stats": STATS, "grad": STATS, "fwd_us": NUMBER, "bwd_us": NUMBER, "bytes": int,
    "var": str, "error": str,
}  # fmt: skip
GRAPH = {
    "v": int, "rev": int, "step": int, "phase": str, "recorded_step": int,
    "dropped": int, "passes": int, "pending": bool, "now": str, "nodes": [NODE],
    "edges": [[str]], "modules": [{"path": str, "cls": str, "parent": str}],
}  # fmt: skip
GRADIENT = {
    "v": int, "rev": int, "layers": [str], "steps": [int], "norms": [[NUMBER]],
    "marks": [{"step": int, "layer": str, "kind": str, "rule": str}], "stride": int,
}  # fmt: skip
MARKS = [{"t": NUMBER, "name": str}]
MEMORY = {
    "v": int, "rev": int, "device": str, "kind": str, "categories": [str],
    "t": [NUMBER], "bytes": [[int]], "marks": MARKS, "now": int, "peak": int,
    "limit": NUMBER, "reserved": NUMBER,
    "steps": [{
        "step": int, "name": str, "t": [NUMBER], "bytes": [[int]], "phases": MARKS,
        "ms": NUMBER,
    }],
}  # fmt: skip
MEMORY_TREE = {
    "v": int, "rev": int, "step": int, "dropped": int, "shown": int,
    "devices": [{"name": str, "kind": str, "limit": NUMBER, "reserved": NUMBER}],
    "categories": [str], "moments": [{"kind": str, "name": str}],
    "modules": [{"model": str, "path": str}],
    "lines": [{"file": str, "line": int, "func": str, "text": str}],
    "rows": [{
        "name": str, "shape": Optional([int]), "dtype": str, "device": int,
        "category": int, "module": int, "line": int, "counts": [int], "bytes": [int],
    }],
}  # fmt: skip
GRID = {
    "lead": [int], "rows": int, "columns": int, "steps": [int], "shown": [int],
    "first": int, "values": [(int, float, str)],
}  # fmt: skip
VALUES = Optional({
    "note": str, "grid": GRID, "image": str,
    "stats": dict.fromkeys(("min", "max", "mean", "std", "norm"), NUMBER)
    | dict.fromkeys(("zeros", "nan", "inf", "n", "numel"), int),
    "histogram": Optional({"low": NUMBER, "high": NUMBER, "counts": [int]}),
})  # fmt: skip
USE = {"op": str, "src": PLACE}
TENSOR = {
    "v": int, "rev": int, "name": str, "shape": [int], "dtype": str, "device": str,
    "layout": str, "requires_grad": bool, "grad_fn": str, "value": VALUES,
    "grad": VALUES, "made": Optional(USE), "users": [USE],
    "memory": Optional({
        "bytes": int, "itemsize": int,
        "views": [{
            "name": str, "shape": [int], "strides": [int], "offset": int,
            "itemsize": int,
        }],
    }),
}  # fmt: skip
VALUE = (int, float, str)
LINES = [{
    "name": str, "steps": [int], "values": [VALUE], "stride": int, "last": VALUE,
}]  # fmt: skip
ONE_RUN = {"id": int, "name": str, "settings": [[str]]}
RUN = {
    "v": int, "rev": int, "run": ONE_RUN, "state": str, "step": int, "done": int,
    "total": (int, NONE), "passes": int, "elapsed": NUMBER, "left": NUMBER,
    "rate": (int, float, str, NONE), "unit": str, "series": LINES,
    "others": [ONE_RUN | {"series": LINES}],
    "alerts": [{"step": int, "metric": str, "kind": str, "rule": str}],
    "rules": [str], "remarks": [str],
}  # fmt: skip
RANGE = {
    "min": NUMBER,
    "max": NUMBER,
    "nan": int,
    "posinf": int,
    "neginf": int,
    "n": int,
}
NAN = {
    "v": int, "rev": int, "step": int, "checked": int, "suspects": int,
    "earlier": str, "finding": Optional({
        "step": int, "where": str, "kind": str, "rule": str, "reached": str,
        "root": int, "left_out": int,
        "trail": [{
            "kind": str, "name": str, "var": str, "attrs": str, "module": str,
            "src": PLACE, "shape": [int], "dtype": str, "result": RANGE,
            "operands": [{
                "name": str, "shape": [int], "dtype": str, "range": Optional(RANGE),
            }],
        }],
    }),
}  # fmt: skip
ERROR = {
    "v": int, "rev": int, "type": str, "message": str, "op": str, "attrs": str,
    "module": str, "hint": str, "rule": str, "right": bool, "src": PLACE,
    "operands": [{
        "name": str, "role": str, "shape": [int], "lit": [int], "dtype": str,
        "device": str, "wrong": str,
    }],
    "changes": [{"file": str, "line": int, "func": str, "text": str}],
    "forward": PLACE, "graph": Optional(GRAPH),
}  # fmt: skip
CAUSE = {"why": str, "src": PLACE, "change": str, "how": str}
LEAKS = {
    "v": int, "rev": int, "title": str, "step": int, "steps": [int],
    "bytes": [int], "nodes": [int], "left_out": int, "seconds": NUMBER,
    "lines": [{
        "id": int, "src": PLACE, "name": str, "count": int, "bytes": int, "nodes": int,
        "bytes_per_step": (int, float), "nodes_per_step": (int, float), "state": str,
        "rule": str, "bytes_at": [int], "nodes_at": [int],
    }],
    "answers": [{
        "line": (int, NONE), "src": PLACE, "name": str, "what": str, "sought": int,
        "found": int, "lost_bytes": int, "holders": [[(str, int)]], "objects": int,
        "seconds": (int, float), "cut": bool, "step": int,
        "paths": [{
            "root": str, "words": str, "what": str,
            "hops": [{"code": str, "what": str, "kind": str}],
        }],
        "cause": Optional(
            {"kind": str, "title": str, "also": Optional(CAUSE)} | CAUSE
        ),
    }],
}  # fmt: skip
TIMELINE = {
    "v": int, "rev": int, "step": int, "most": int, "dropped_steps": int,
    "dropped": int, "origin": int, "total": int, "names": [str], "lines": [PLACE],
    "lanes": [str], "devices": [str], "pauses": [[int]],
    "bars": {
        "kind": [int], "name": [int], "start": [int], "dur": [int], "lane": [int],
        "parent": [int], "line": [int], "link": [int], "device": [int], "open": [int],
    },
}  # fmt: skip
STEP_VALUE = {
    "shape": [int], "dtype": str, "note": str, "steps": [int], "shown": [int],
    "cells": [VALUE],
    "stats": Optional(
        dict.fromkeys(("min", "max", "mean", "std"), NUMBER) | {"nan": int, "inf": int}
    ),
}  # fmt: skip
STEPPER = {
    "v": int, "rev": int, "step": int, "state": str, "partial": bool, "dropped": int,
    "limit": int, "left_out": int, "trouble": str, "values": [STEP_VALUE],
    "calls": [{"path": str, "cls": str, "parent": int}],
    "files": [{"name": str, "lines": [[(int, str)]]}],
    "moments": [{
        "kind": str, "name": str, "phase": str, "call": int, "src": Optional([int]),
        "attrs": str, "error": str, "read": [int], "formula": str, "of": int,
        "ins": [{"v": int, "name": str, "from": int, "letter": str}],
        "outs": [{"v": int, "name": str}],
        "recipe": Optional({"plug": str, "spec": str, "plus": int, "over": int}),
        "back": [int], "users": [int], "parts": [{"v": int, "from": int, "out": int}],
        "edges": [{
            "to": int, "operand": int, "name": str, "letter": str, "formula": str,
            "v": int, "form": str, "spec": str, "local": int, "note": str,
        }],
        "after": int, "order": int,
    }],
}  # fmt: skip
LANES = {
    "v": int, "rev": int, "step": int, "from": (int, float), "to": (int, float),
    "dropped": int,
    "clock": str, "limits": str, "texts": [str], "threads": int,
    "lanes": [{
        "device": str, "kind": str, "busy": (int, float), "idle": (int, float),
        "ops": int, "waited": [{"device": str, "us": (int, float)}],
        "received": {"count": int, "bytes": int}, "sent": {"count": int, "bytes": int},
        "memory": {"now": int, "peak": int, "limit": (int, NONE)}, "rows": int,
        "bars": [[(int, float)]],
    }],
    "transfers": [[(int, float, str)]],
    "moved": [{"source": str, "target": str, "count": int, "bytes": int}],
    "phases": [{"name": str, "from": (int, float), "to": (int, float), "row": int}],
    "steps": [[(int, float)]],
    "full": [{
        "at": (int, float), "device": str, "wanted": int, "now": int,
        "limit": (int, NONE),
    }],
}  # fmt: skip
SCHEMAS: dict[str, Schema] = {
    "graph": GRAPH, "gradient": GRADIENT, "memory": MEMORY, "tensor": TENSOR,
    "memory_tree": MEMORY_TREE,
    "nan": NAN, "error": ERROR, "run": RUN, "leaks": LEAKS,
    "timeline": TIMELINE, "stepper": STEPPER, "lanes": LANES,
}  # fmt: skip


def check_view(kind: str, data: Any) -> None:
    """Raise unless the data are consistent data of a view of this kind.

    Raises:
        ValueError: names the first place that does not fit.

    Example:
        >>> check_view("histogram", {})     # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        ValueError: expected a view of graph, gradient, ..., got 'histogram'
    """
    if kind not in SCHEMAS:
        raise ValueError(f"expected a view of {', '.join(SCHEMAS)}, got {kind!r}")
    check(data, SCHEMAS[kind], kind)
    check(data.get("pace", ""), str, f"{kind}.pace")
    _CONSISTENT[kind](data)


def _check_graph(data: dict[str, Any]) -> None:
    known = {node["id"] for node in data["nodes"]}
    for node in data["nodes"]:
        check((node["grad"] or {}).get("norm"), NUMBER, "graph.nodes.grad.norm")
    for edge in data["edges"]:
        if len(edge) != 2 or not known.issuperset(edge):
            raise ValueError(f"graph.edges: {edge} does not join two nodes")


def _check_gradient(data: dict[str, Any]) -> None:
    _same_length("gradient.norms", data["norms"], len(data["steps"]))
    for row in data["norms"]:
        _same_length("gradient.norms", row, len(data["layers"]))


def _check_memory(data: dict[str, Any]) -> None:
    check_times("memory.t", *data["t"], *(mark["t"] for mark in data["marks"]))
    for step in data["steps"]:
        check_step(step)
    for series in (data, *data["steps"]):
        _same_length("memory.bytes", series["bytes"], len(series["t"]))
        for row in series["bytes"]:
            _same_length("memory.bytes", row, len(data["categories"]))


def _check_memory_tree(data: dict[str, Any]) -> None:
    if len(data["moments"]) < 2 or not 0 <= data["shown"] < len(data["devices"]):
        raise ValueError("memory_tree: a moment or the device that is shown is missing")
    tables = {"device": "devices", "category": "categories", "module": "modules",
              "line": "lines"}  # fmt: skip
    for row in data["rows"]:
        for key, table in tables.items():
            if not 0 <= row[key] < len(data[table]):
                raise ValueError(f"memory_tree.rows: no {key} {row[key]}")
        for key in ("counts", "bytes"):
            _same_length(f"memory_tree.rows: {key}", row[key], len(data["moments"]))
            if min(row[key]) < 0:
                raise ValueError(f"memory_tree.rows: {key} below zero")


def _check_tensor(data: dict[str, Any]) -> None:
    for values in (data["value"], data["grad"]):
        if values is not None:
            check_grid(values["grid"])
            if values["histogram"] is not None:
                check_histogram(values["histogram"]["counts"])
    for view in data["memory"]["views"] if data["memory"] else ():
        _same_length("tensor.memory: strides", view["strides"], len(view["shape"]))
        if view["itemsize"] < 1:
            raise ValueError("tensor.memory: an element has no bytes")


def _check_nan(data: dict[str, Any]) -> None:
    finding = data["finding"]
    if finding is not None and not 0 <= finding["root"] < len(finding["trail"]):
        raise ValueError("nan.finding.root: no box of the trail")


def _check_error(data: dict[str, Any]) -> None:
    for operand in data["operands"]:
        if not set(operand["lit"]) <= set(range(len(operand["shape"]))):
            raise ValueError("error.operands: a lit dimension is not there")
    if data["graph"] is not None:
        _check_graph(data["graph"])


def _check_run(data: dict[str, Any]) -> None:
    check_times("run.elapsed", data["elapsed"] or 0, data["left"] or 0)
    for run in (data["run"], *data["others"]):
        for pair in run["settings"]:
            _same_length("run.settings", pair, 2)
    for series in (data["series"], *(run["series"] for run in data["others"])):
        for line in series:
            _same_length("run.series", line["values"], len(line["steps"]))


def _check_leaks(data: dict[str, Any]) -> None:
    for series in (data["bytes"], data["nodes"]):
        _same_length("leaks.bytes", series, len(data["steps"]))
    for row in data["lines"]:
        for series in (row["bytes_at"], row["nodes_at"]):
            if series:
                _same_length("leaks.lines", series, len(data["steps"]))
        if row["state"] not in ("leak", "grows", ""):
            raise ValueError("leaks.lines: no such state")
    for answer in data["answers"]:
        for pair in answer["holders"]:
            _same_length("leaks.holders", pair, 2)
            check(pair[1], int, "leaks.holders")


BAR_KINDS = 8


def _check_timeline(data: dict[str, Any]) -> None:
    bars, n = data["bars"], len(data["bars"]["kind"])
    columns: Any = TIMELINE["bars"]
    for name in columns:
        _same_length(f"timeline.bars.{name}", bars[name], n)
    limits = {
        "kind": (0, BAR_KINDS), "name": (0, len(data["names"])),
        "lane": (0, len(data["lanes"])), "line": (-1, len(data["lines"])),
        "device": (-1, len(data["devices"])), "link": (-1, n), "open": (0, 2),
        "start": (0, data["total"] + 1), "dur": (0, data["total"] + 1),
    }  # fmt: skip
    for name, (low, high) in limits.items():
        if not all(low <= value < high for value in bars[name]):
            raise ValueError(f"timeline.bars.{name}: a value is out of range")
    for i, parent in enumerate(bars["parent"]):
        if not -1 <= parent < i or (parent >= 0 and not _inside(bars, i, parent)):
            raise ValueError(f"timeline.bars.parent[{i}]: the bar is not inside of it")
    for pause in data["pauses"]:
        _same_length("timeline.pauses", pause, 2)


def _inside(bars: dict[str, Any], i: int, parent: int) -> bool:
    start, end = bars["start"][parent], bars["start"][parent] + bars["dur"][parent]
    within = start <= bars["start"][i] and bars["start"][i] + bars["dur"][i] <= end
    return within and bars["lane"][i] == bars["lane"][parent]


def _check_lanes(data: dict[str, Any]) -> None:
    check_times("lanes", data["from"], data["to"])
    devices, texts = {lane["device"] for lane in data["lanes"]}, len(data["texts"])
    for lane in data["lanes"]:
        check_times("lanes.busy", lane["busy"])
        _expect_within("lanes.rows", lane["rows"], 1, 64)
        for bar in lane["bars"]:
            _same_length("lanes.bars", bar, 9)
            for i in (2, 3, 4, 8):
                _expect_within("lanes.bars: text", bar[i], 0, texts - 1)
            _expect_within("lanes.bars: row", bar[6], 0, lane["rows"] - 1)
    for move in data["transfers"]:
        _same_length("lanes.transfers", move, 6)
        types = [(int, float), (int, float), str, str, int, str]
        for value, kinds in zip(move, types, strict=True):
            _expect(value, kinds, "lanes.transfers")
    for pair in data["steps"]:
        _same_length("lanes.steps", pair, 2)
    named = [end for move in data["transfers"] for end in move[2:4]]
    named += [full["device"] for full in data["full"]]
    if not devices.issuperset(named):
        raise ValueError("lanes: a device has no lane")
    for phase in data["phases"]:
        _expect_within("lanes.phases: row", phase["row"], 0, 63)


def _expect_within(where: str, value: Any, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{where}: expected {least} to {most}, got {value!r}")


def _same_length(where: str, values: list[Any], n: int) -> None:
    if len(values) != n:
        raise ValueError(f"{where}: expected {n} entries, got {len(values)}")


_CONSISTENT = {
    "graph": _check_graph,
    "gradient": _check_gradient,
    "memory": _check_memory,
    "memory_tree": _check_memory_tree,
    "tensor": _check_tensor,
    "nan": _check_nan,
    "error": _check_error,
    "run": _check_run,
    "leaks": _check_leaks,
    "timeline": _check_timeline,
    "stepper": check_steps,
    "lanes": _check_lanes,
}


def check(value: Any, schema: Schema, where: str = "data") -> None:
    """Raise unless a value fits a schema.

    Raises:
        ValueError: names the first place that does not fit.

    Example:
        >>> check({"steps": [1, 2]}, {"steps": [int]})
        >>> check({"steps": [1, "2"]}, {"steps": [int]})
        Traceback (most recent call last):
        ...
        ValueError: data.steps[1]: expected int, got str
    """
    if isinstance(schema, Optional):
        if value is not None:
            check(value, schema.schema, where)
    elif isinstance(schema, dict):
        _expect(value, dict, where)
        for key, inner in schema.items():
            if key not in value:
                raise ValueError(f"{where}: {key!r} is missing")
            check(value[key], inner, f"{where}.{key}")
    elif isinstance(schema, list):
        _expect(value, list, where)
        for i, item in enumerate(value):
            check(item, schema[0], f"{where}[{i}]")
    else:
        _expect(value, schema, where)


def _expect(value: Any, types: Any, where: str) -> None:
    types = types if isinstance(types, tuple) else (types,)
    if type(value) not in types:
        names = " or ".join(t.__name__ for t in types)
        raise ValueError(f"{where}: expected {names}, got {type(value).__name__}")
    if type(value) is int and not -(2**63) <= value < 2**64:
        raise ValueError(f"{where}: an integer has more than 64 bits")
