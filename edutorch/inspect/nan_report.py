"""The report of NaNTrail, as JSON and as text."""

from __future__ import annotations

import math
from typing import Any

from .event_fields import OP_ATTRS, OP_DTYPE, OP_PHASE, OP_SRC
from .nonfinite_graph import Entry, Operand, Range, ancestors, shortest_path
from .source_lines import called_at

__all__ = ["describe_origin", "describe_counts", "finding_json"]

FIRST, LAST = 40, 20  # boxes shown of a long path
OPERANDS = 8


def finding_json(collector: Any) -> dict[str, Any]:
    """The path from the responsible entry to the end, as JSON-ready data.

    Deliberate infinities that became nan at the root come before it.
    """
    entries, root, goal = collector.entries, collector.root, collector.goal
    path = shortest_path(entries, root, goal)
    before: list[int] = []
    if entries[root].parents:
        source = next(i for i in ancestors(entries, root) if not entries[i].parents)
        before = shortest_path(entries, source, root)[:-1]
    whole = before + path
    kept = whole if len(whole) <= FIRST + LAST else whole[:FIRST] + whole[-LAST:]
    return {
        "step": entries[root].step,
        "where": "backward" if _in_backward(entries[root]) else "forward",
        "kind": entries[root].kind,
        "rule": _rule(entries[root], entries[before[0]] if before else None),
        "reached": collector.reached,
        "root": len(before),
        "left_out": len(whole) - len(kept),
        "trail": [_box(entries[i]) for i in kept],
    }


def _in_backward(entry: Entry) -> bool:
    """Whether the backward pass computed the value, possibly by an op in a hook."""
    if entry.kind == "op" and entry.record:
        return bool(entry.record[OP_PHASE] == "backward")
    return entry.kind in ("backward", "gradient", "leaf")


def _rule(root: Entry, source: Entry | None) -> str:
    """One sentence that says why this entry is responsible."""
    bad = describe_counts(range_json(root.result))
    if root.kind == "parameter":
        return f"the parameter {root.name} had {bad} before any op used it"
    if root.kind == "update":
        name = root.name or "a tensor"
        what = f"the step of {root.optimizer}" if root.optimizer else "a change"
        return f"{name} was finite when last used; {what} made {bad}"
    if root.kind == "earlier":
        return f"{root.name or 'an operand'} came from an earlier step with {bad}"
    if root.kind == "input":
        return f"{root.name or 'an input'} had {bad} before any op used it"
    if root.kind == "gradient":
        return f"a gradient given to backward, or changed by a hook or sum, had {bad}"
    made = f"the backward of {root.name}" if root.kind == "backward" else root.name
    if source is not None:
        given = f"infinities that came with {source.name or 'an input'}"
        of = "deliberate infinities" if source.written else given
        return f"{made} made {bad} out of {of}"
    of = "a finite gradient" if root.kind == "backward" else "finite values"
    return f"{made} made {bad} out of {of}"


def describe_counts(found: dict[str, Any]) -> str:
    """How many elements are not finite, and of which kind.

    Example:
        >>> describe_counts({"nan": 2, "posinf": 0, "neginf": 1, "n": 8})
        '2 nan, 1 -inf of 8 values'
    """
    parts = (("nan", found["nan"]), ("inf", found["posinf"]), ("-inf", found["neginf"]))
    words = ", ".join(f"{n} {name}" for name, n in parts if n)
    values = "value" if found["n"] == 1 else "values"
    return f"{words or 'none'} of {found['n']} {values}"


def range_json(found: Range) -> dict[str, Any]:
    """A range as JSON; its ends are None if no element is finite."""
    low = found.min if math.isfinite(found.min) else None
    high = found.max if math.isfinite(found.max) else None
    counts = {"nan": found.nan, "posinf": found.posinf, "neginf": found.neginf}
    return {"min": low, "max": high, **counts, "n": found.numel}


def _box(entry: Entry) -> dict[str, Any]:
    record = entry.record
    return {
        "kind": entry.kind,
        "name": entry.name,
        "var": entry.variable,
        "attrs": record[OP_ATTRS] if record else "",
        "module": entry.module,
        "src": called_at(record[OP_SRC]) if record else None,
        "shape": list(entry.shape),
        "dtype": record[OP_DTYPE] if record else "",
        "result": range_json(entry.result),
        "operands": [_operand(o) for o in entry.operands[:OPERANDS]],
    }


def _operand(operand: Operand) -> dict[str, Any]:
    found = operand.range
    return {
        "name": operand.name,
        "shape": list(operand.shape),
        "dtype": operand.dtype,
        "range": None if found is None else range_json(found),
    }


def describe_origin(finding: dict[str, Any]) -> list[str]:
    """A finding as lines of an error message."""
    box = finding["trail"][finding["root"]]
    inside = f" in {box['module']}" if box["module"] else ""
    lines = [f"step {finding['step']}: {finding['rule']}{inside}"]
    if box["src"]:
        src = box["src"]
        lines.append(f"at {src['file']}:{src['line']}: {src['text']}")
    for operand in box["operands"]:
        found = operand["range"]
        if found and found["min"] is not None:
            name = operand["name"] or "operand"
            ends = f"{found['min']:g} to {found['max']:g}"
            lines.append(f"{name} {tuple(operand['shape'])}: {ends}")
    return lines
