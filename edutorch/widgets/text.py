"""The contents of views as text, for screen readers, logs and terminals."""

from __future__ import annotations

import math
from itertools import takewhile
from operator import eq
from typing import Any

from .box_style import backward_done
from .draw_error import error_title, operand_name
from .draw_gradients import nonfinite_steps
from .draw_memory import step_title
from .draw_tensor import STATISTICS, tensor_title
from .format import clip, graph_title, number, shape_text, short_file, size_text
from .svg import printable

__all__ = [
    "error_text",
    "gradients_text",
    "graph_text",
    "memory_text",
    "sparkline",
    "tensor_text",
]

BLOCKS = "▁▂▃▄▅▆▇█"
LONGEST = 400  # lines


def graph_text(data: dict[str, Any]) -> str:
    """A graph as an indented list: modules, operations, shapes, gradients.

    Example:
        >>> print(graph_text({"nodes": [], "edges": [], "modules": [],
        ...                   "step": 0, "dropped": 0}))
        Graph: nothing recorded yet
    """
    tree = _Tree(data)
    lines = [graph_title(data), *_cut(tree.lines()), *_cut(tree.parameters())]
    return _joined(lines)


def _cut(lines: list[str]) -> list[str]:
    if len(lines) <= LONGEST:
        return lines
    return [*lines[:LONGEST], f"... and {len(lines) - LONGEST} more lines"]


class _Tree:
    def __init__(self, data: dict[str, Any]) -> None:
        self.classes = {m["path"]: m["cls"] for m in data["modules"]}
        self.nodes = data["nodes"]
        self.now = data.get("now", "")
        self.started = backward_done(data)
        by_id = {n["id"]: n for n in self.nodes}
        self.inputs: dict[str, list[str]] = {}
        for a, b in data["edges"]:
            self.inputs.setdefault(b, []).append(_name(by_id[a]))

    def lines(self) -> list[str]:
        out: list[str] = []
        inside: list[str] = []
        for node in self.nodes:
            if node["kind"] != "op":
                continue
            inside = self._enter(node["module"], inside, out)
            out.append("  " * (len(inside) + 1) + self._op(node))
        return out

    def parameters(self) -> list[str]:
        """Parameters and other leaves, with the gradients that have reached them."""
        lines = [
            f"    {_name(n)}: {_kind(n)}{_gradient(n['grad'])}"
            for n in self.nodes
            if n["kind"] != "op" and n["grad"] is not None
        ]
        return ["  gradients of leaves:", *lines] if lines else []

    def _enter(self, path: str, inside: list[str], out: list[str]) -> list[str]:
        """Write the titles of the modules that begin here."""
        names = path.split(".") if path else []
        same = len(list(takewhile(bool, map(eq, names, inside))))
        for depth in range(same, len(names)):
            cls = self.classes.get(".".join(names[: depth + 1]), "")
            head = f"({names[depth]}): {cls}" if cls else f"({names[depth]})"
            out.append("  " * (depth + 1) + head)
        return names

    def _op(self, node: dict[str, Any]) -> str:
        inputs = ", ".join(self.inputs.get(node["id"], []))
        called = f" ({node['var']})" if node.get("var") else ""
        text = f"{_name(node)}{called} = {node['name']}({inputs})"
        text += f" -> {_kind(node)}"
        stats = node["stats"] or {}
        if not node["shape"] and stats.get("mean") is not None:
            text += f", value {number(stats['mean'])}"
        if node["grad"] is not None:
            text += _gradient(node["grad"])
        else:
            text += ", no gradient" if self.started else ", gradient not computed yet"
        bad = (node["stats"] or {}).get("nonfinite", 0)
        if bad:
            text += f", {bad} nan/inf"
        if node.get("error"):
            text += f", ✗ {node['error'].splitlines()[0]}"
        src = node["src"]
        text += "  ◀ stopped here" if node["id"] == self.now else ""
        return text + (f"  [{short_file(src['file'])}:{src['line']}]" if src else "")


def _kind(node: dict[str, Any]) -> str:
    return f"{shape_text(node['shape'])} {node['dtype']}"


def _gradient(grad: dict[str, Any]) -> str:
    """The norm of a gradient, if there is one."""
    if grad["nonfinite"]:
        return f", gradient: {grad['nonfinite']} of {grad['n']} values nan/inf"
    norm = grad.get("norm")
    return "" if norm is None else f", gradient norm {number(norm)}"


def _name(node: dict[str, Any]) -> str:
    return clip(node["id"] if node["kind"] == "op" else node["name"], 60)


def sparkline(values: list[float | None], width: int = 24) -> str:
    """Numbers as a row of blocks on a log scale; "·" is 0 or missing, "✕" is nan.

    Example:
        >>> sparkline([1e-3, 1e-2, None, math.nan, 1.0])
        '▁▃·✕█'
    """
    if len(values) > width:
        values = [values[i * len(values) // width] for i in range(width)]
    logs = [math.log10(v) if v is not None and v > 0 else None for v in values]
    known = [x for x in logs if x is not None]
    low = min(known, default=0.0)
    span = max(max(known, default=0.0) - low, 1.0)
    top = len(BLOCKS) - 1
    none = ["✕" if v is not None and math.isnan(v) else "·" for v in values]
    return "".join(
        sign if x is None else BLOCKS[round((x - low) / span * top)]
        for x, sign in zip(logs, none, strict=True)
    )


def gradients_text(data: dict[str, Any]) -> str:
    """A gradient series as a table: layer, last norm, history, marks."""
    if not data["steps"]:
        return "Gradient norms: no training step has ended yet"
    layers = [clip(layer, 40) for layer in data["layers"]]
    wide = max(map(len, layers), default=0)
    first, last = data["steps"][0], data["steps"][-1]
    lines = [f"Gradient norm per parameter, steps {first} to {last}"]
    for i, layer in enumerate(layers):
        course = [row[i] for row in data["norms"]]
        bad = nonfinite_steps(data, i)
        norm = "nan/inf" if len(course) - 1 in bad else number(course[-1])
        drawn = sparkline([math.nan if j in bad else x for j, x in enumerate(course)])
        lines.append(f"  {layer:<{wide}}  {norm:>9}  {drawn}")
    for mark in data["marks"][-20:]:
        where = f"{clip(mark['layer'], 40)} at step {mark['step']}"
        lines.append(f"  {mark['kind']}: {where}: {mark['rule']}")
    return _joined(lines)


def memory_text(data: dict[str, Any]) -> str:
    """A memory series as a table: bytes per category, current and at the peak."""
    where = f"Memory of {data['device']} ({data['kind']})"
    if not data["t"]:
        return f"{where}: nothing recorded yet"
    now, peak = size_text(data["now"]), size_text(data["peak"])
    lines = [f"{where}: {now} now, peak {peak}"]
    if data["limit"] is not None:
        lines[0] += f", limit {size_text(data['limit'])}"
    if data["reserved"] is not None:
        lines[0] += f", {size_text(data['reserved'])} reserved"
    last, top = data["bytes"][-1], max(data["bytes"], key=sum)
    lines.append(f"  {'category':<12} {'now':>10} {'at peak':>10}")
    for i, name in enumerate(data["categories"]):
        held, most = size_text(last[i]), size_text(top[i])
        lines.append(f"  {name:<12} {held:>10} {most:>10}")
    moments = [m for m in data["marks"] if not m["name"].startswith("step ")]
    lines += [f"  {m['t'] / 1000:.3f} s  {m['name']}" for m in moments]
    for step in data.get("steps", []):
        lines += _step_lines(step, data["categories"])
    return _joined(lines)


def tensor_text(data: dict[str, Any]) -> str:
    """A summary of a tensor as lines: statistics, origin, memory, gradient."""
    lines = [tensor_title(data)]
    for name, key in (("value", "value"), ("gradient", "grad")):
        if data[key]:
            lines += _statistics_lines(name, data[key])
    lines += _origin_lines(data)
    for view in data["memory"]["views"] if data["memory"] else ():
        words = f"shape {shape_text(view['shape'])}, strides {tuple(view['strides'])}"
        lines.append(
            f"  memory viewed by {view['name']}: {words}, from {view['offset']}"
        )
    return _joined(lines)


def _statistics_lines(name: str, values: dict[str, Any]) -> list[str]:
    stats, bars = values["stats"], values["histogram"]
    head = f"{name} ({values['note']})" if values["note"] else name
    words = ", ".join(
        f"{word} {number(stats[key])}" for key, word in STATISTICS.items()
    )
    lines = [f"  {head}: {words}, {stats['zeros']} of {stats['n']} zero"]
    if stats["n"] < stats["numel"]:
        lines[0] += f" (a sample of {stats['numel']})"
    if stats["nan"] or stats["inf"]:
        lines.append(f"    {stats['nan']} nan, {stats['inf']} infinite, left out above")
    if bars and len(bars["counts"]) > 1:
        drawn = _bars(bars["counts"])
        lines.append(f"    {number(bars['low'])} {drawn} {number(bars['high'])}")
    return lines


def _bars(counts: list[int]) -> str:
    """Counts as blocks on a linear scale; a zero is a space."""
    top = len(BLOCKS) - 1
    return "".join(
        BLOCKS[round(count / max(counts) * top)] if count else " " for count in counts
    )


def _origin_lines(data: dict[str, Any]) -> list[str]:
    made, lines = data.get("made"), []
    if made:
        lines.append(f"  made by {made['op']}{_at(made['src'])}")
    elif data["grad_fn"]:
        lines.append(f"  made by {data['grad_fn']}")
    lines += [f"  used by {u['op']}{_at(u['src'])}" for u in data.get("users", [])]
    return lines


def _at(src: dict[str, Any] | None) -> str:
    return f" at {short_file(src['file'])}:{src['line']}: {src['text']}" if src else ""


def error_text(data: dict[str, Any]) -> str:
    """A report of an error as lines: rule, operands, source lines, hint."""
    lines = [f"{error_title(data)}: {data['message'].partition(chr(10))[0]}"]
    if data["rule"]:
        lines.append(f"  {data['rule']}")
    for i, operand in enumerate(data["operands"]):
        sizes = [
            f"[{size}]" if dim in operand["lit"] else str(size)
            for dim, size in enumerate(operand["shape"])
        ]
        kind = f"{operand['dtype']} on {operand['device']}"
        shape = "×".join(sizes) or "a single number"
        wrong = f"  ◀ {operand['wrong']}" if operand["wrong"] else ""
        lines.append(f"  {operand_name(operand, i)}: {shape} {kind}{wrong}")
    lines += [f"  at{_at(data['src']).removeprefix(' at')}"] if data["src"] else []
    lines += [f"  forward{_at(data['forward'])}"] if data["forward"] else []
    lines += [f"  changed{_at(src)}" for src in data["changes"]]
    if data["hint"]:
        lines.append(f"  hint: {data['hint']}")
    return _joined(lines)


def _joined(lines: list[str]) -> str:
    """Join lines; control characters that a terminal would obey become spaces."""
    return "\n".join(map(printable, lines))


def _step_lines(step: dict[str, Any], categories: list[str]) -> list[str]:
    """One training step as a table: bytes at the start of each phase and the peak."""
    rows, times = step["bytes"], step["t"]
    peak = max(range(len(rows)), key=lambda i: sum(rows[i]))
    moments = []
    for phase in step["phases"]:
        rows_then = [r for t, r in zip(times, rows, strict=True) if t <= phase["t"]]
        moments.append((f"{phase['name']} begins", phase["t"], rows_then[-1]))
    moments.append(("peak", times[peak], rows[peak]))
    lines = [step_title(step)]
    wide = [max(len(name), 8) + 1 for name in categories]  # 80 columns together
    names = "".join(f"{name:>{w}}" for name, w in zip(categories, wide, strict=True))
    lines.append(f"  {'at':>8}  {'':<17}{names}")
    for what, ms, row in sorted(moments, key=lambda moment: moment[1]):
        held = (f"{size_text(n):>{w}}" for n, w in zip(row, wide, strict=True))
        lines.append(f"  {ms:>5.2f} ms  {what:<17}{''.join(held)}")
    return lines
