"""The text of LeakFinder, line by line, as in `leak_text.ts`."""

from __future__ import annotations

from typing import Any

from .format import number, short_file, size_text
from .svg import printable

__all__ = [
    "answer_lines",
    "describe_path",
    "describe_row",
    "leak_text",
    "leak_title",
    "most_survivors",
]

SIGNS = {"leak": "✕ leak", "grows": "▲ grows", "": ""}


def leak_title(data: dict[str, Any]) -> str:
    """A one-line summary of the results."""
    return f"LeakFinder: {data['title']}"


def place_of(row: dict[str, Any]) -> str:
    """The location of a row's line, with its text.

    Example:
        >>> place_of({"src": None, "name": "gradients"})
        'gradients'
    """
    src = row["src"]
    if src is None:
        return row["name"] or "an object"
    return f"{short_file(src['file'])}:{src['line']}: {src['text']}"


def describe_row(row: dict[str, Any]) -> str:
    """The survivors of a line and their growth.

    Example:
        >>> describe_row({"state": "", "count": 1, "bytes": 8, "nodes": 0,
        ...            "bytes_per_step": 0.0, "nodes_per_step": 0.0, "rule": ""})
        '8 B in 1 storage'
    """
    held = f"{size_text(row['bytes'])} in {_count(row['count'], 'storage')}"
    parts = [SIGNS[row["state"]], held if row["count"] else ""]
    parts.append(_count(row["nodes"], "graph node") if row["nodes"] else "")
    if row["state"]:
        size, nodes = row["bytes_per_step"], row["nodes_per_step"]
        plural = "s" * (nodes != 1)
        parts.append(f"+{size_text(size)} per step" if size >= 0.5 else "")
        parts.append(f"+{number(nodes)} node{plural} per step" if nodes > 0 else "")
        parts.append(row["rule"])
    return ", ".join(filter(None, parts))


def _count(n: int, what: str) -> str:
    return f"{n:,} {what}{'s' * (n != 1)}"


def describe_path(path: dict[str, Any]) -> str:
    """A path of references as one line.

    Example:
        >>> describe_path({"root": "losses", "words": "", "what": "list of 9", "hops":
        ...             [{"code": "[3]", "what": "tensor", "kind": "index"}]})
        'losses → [3]'
    """
    start = path["root"] or path["words"]
    return " → ".join([start, *(hop["code"].strip() for hop in path["hops"])])


def cause_lines(cause: dict[str, Any]) -> list[str]:
    """The reason, and what to change."""
    lines = [f"{cause['title']}.", cause["why"]]
    for part in (cause, cause["also"]):
        if part is None:
            continue
        if part is not cause:
            lines.append(f"{part['why']}.")
        src, change = part["src"], part["change"]
        if src:
            where = f"{short_file(src['file'])}:{src['line']}"
            lines.append(f"{where}: {src['text']}")
        if change:
            lines.append(f"{part['how']}: {change}")
    return lines


def answer_lines(answer: dict[str, Any]) -> list[str]:
    """The reference paths of an answer, and their cause."""
    name = answer["name"] or place_of(answer)
    head = f"{name}: {answer['what']}"
    lines = [head]
    lines += [describe_path(path) for path in answer["paths"]]
    lines += filter(None, [describe_holder(answer)])
    if answer["lost_bytes"]:
        lines.append(f"gc.collect() frees {size_text(answer['lost_bytes'])} of it")
    if answer["cause"]:
        lines += cause_lines(answer["cause"])
    return [*lines, describe_search(answer)]


def describe_holder(answer: dict[str, Any]) -> str:
    """The names that refer to the survivors; "" for a single object.

    Example:
        >>> describe_holder({"holders": [["losses", 9]], "sought": 9})
        'of 9 examined, reachable from: losses 9'
    """
    if len(answer["holders"]) < 2 and answer["sought"] < 2:
        return ""
    held = ", ".join(f"{code} {n}" for code, n in answer["holders"])
    return f"of {answer['sought']} examined, reachable from: {held or '–'}"


def describe_search(answer: dict[str, Any]) -> str:
    """How complete the search was.

    Example:
        >>> describe_search({"objects": 5000, "seconds": 0.02, "cut": False, "step": 3})
        'after 3 steps: 5,000 objects searched in 0.02 s'
    """
    steps = "1 step" if answer["step"] == 1 else f"{answer['step']} steps"
    words = f"after {steps}: {answer['objects']:,} objects searched"
    words += f" in {answer['seconds']:.2f} s"
    return words + ("; stopped at the time limit" if answer["cut"] else "")


def most_survivors(data: dict[str, Any], what: str, line: str = "") -> str:
    """The highest total of "bytes" or "nodes" that survived a step.

    Example:
        >>> most_survivors({"nodes": [0, 1200, 800]}, "nodes")
        'Surviving graph nodes: at most 1,200'
    """
    most = max(*data[what], 0)
    if what == "bytes":
        return f"Surviving bytes{line}: at most {size_text(most)}"
    return f"Surviving graph nodes{line}: at most {most:,}"


def leak_text(data: dict[str, Any]) -> str:
    """The whole view as lines of text."""
    lines = [leak_title(data)]
    if data["steps"]:
        lines += [f"  {most_survivors(data, what)}" for what in ("bytes", "nodes")]
    for row in data["lines"]:
        lines += [f"  {place_of(row)}", f"      {describe_row(row)}"]
    if data["left_out"]:
        lines.append(f"  and {data['left_out']} more lines")
    for answer in data["answers"]:
        first, *rest = answer_lines(answer)
        lines += [f"References to {first}", *(f"    {line}" for line in rest)]
    return "\n".join(printable(line[:400]) for line in lines)
