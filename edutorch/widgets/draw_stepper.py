"""The still picture and the text of a step: ops and nodes with numbers."""

from __future__ import annotations

from typing import Any

from ..inspect.step_values import MAX_LEFT_OUT
from .box_style import BAD, MUTED, TEXT
from .format import clip, number, shape_text, short_file, size_text
from .step_numbers import describe_backward, describe_forward, describe_join, plain
from .svg import Picture, fit_text, printable

__all__ = ["draw_stepper", "stepper_text", "stepper_title"]

WIDTH, LEFT, TOP = 744.0, 16.0, 52.0
ROW = 17.0
MOST_ROWS = 60  # of the picture
MOST_LINES = 600  # of the text
LONGEST = 1000  # characters of its lines: 64 numbers have room
MOST_NUMBERS = 4000  # of the text; the other values have ranges alone
GRAD = "#b4480a"
STATISTICS = ("min", "max", "mean", "std")


def stepper_title(data: dict[str, Any]) -> str:
    """A one-line summary of what was recorded.

    Example:
        >>> stepper_title({"moments": [], "state": "waiting", "step": 0})
        'Stepper: waiting for the next operation'
    """
    moments = data["moments"]
    if not moments:
        return "Stepper: waiting for the next operation"
    forward = sum(m["kind"] == "op" for m in moments)
    backward = sum(m["kind"] == "bwd" for m in moments)
    title = f"Stepper: step {data['step']}: {forward} operations"
    return title + (f", {backward} nodes of backward" if backward else "")


def remarks(data: dict[str, Any]) -> list[str]:
    """A note on missing values and the reason.

    Example:
        >>> remarks({"dropped": 2, "moments": [{}] * 9, "limit": 1024, "left_out": 0,
        ...          "partial": False, "trouble": ""})
        ['Values of 2 of 9 operations and nodes were dropped: limit 1.0 KB.']
    """
    found = []
    if data["dropped"]:
        of = f"{data['dropped']} of {len(data['moments'])} operations and nodes"
        limit = size_text(data["limit"])
        found.append(f"Values of {of} were dropped: limit {limit}.")
    if data["left_out"]:
        shown = len(data["moments"])
        more = "at least " if data["left_out"] >= MAX_LEFT_OUT else ""
        of = f"{more}{shown + data['left_out']}"
        found.append(f"Only the first {shown} of {of} are kept.")
    if data["trouble"]:
        found.append(f"Recording stopped: {data['trouble']}")
    if data["partial"]:
        found.append("Recording started in the middle of the step, at the pause.")
    return found


def head(data: dict[str, Any], moment: dict[str, Any]) -> str:
    """The title of a moment, with its module and line.

    Example:
        >>> head({"calls": [], "files": []}, {"kind": "op", "name": "add", "call": -1,
        ...      "src": None, "outs": [{"name": "z"}], "phase": "forward"})
        'z = add'
    """
    name = moment["name"]
    if moment["kind"] == "op" and moment["outs"] and moment["outs"][0]["name"]:
        name = f"{moment['outs'][0]['name']} = {name}"
    if moment["kind"] == "leaf":
        name = f"gradient of {name}"
    if moment["call"] >= 0:
        call = data["calls"][moment["call"]]
        name += f" in {call['path'] or call['cls']}"
    if moment["src"]:
        file = data["files"][moment["src"][0]]
        name += f" · {short_file(file['name'])}:{moment['src'][1]}"
    return name


def describe_value(data: dict[str, Any], place: int) -> str:
    """A short description of a value: its number, or its shape and range.

    Example:
        >>> value = {"shape": [], "cells": [2.5], "note": "", "stats": None}
        >>> describe_value({"values": [value]}, 0)
        '2.5'
    """
    if place < 0:
        return "not recorded"
    value = data["values"][place]
    shape = shape_text(value["shape"])
    if value["note"] in ("dropped", "not sent"):
        return f"{shape} {value['dtype']}, {value['note']}"
    if value["stats"]:
        low, high = value["stats"]["min"], value["stats"]["max"]
        return shape if low is None else f"{shape}, {plain(low)} to {plain(high)}"
    cells = " ".join(map(plain, value["cells"]))
    return f"[{cells}]" if value["shape"] else cells


def lines_of(data: dict[str, Any], moment: dict[str, Any]) -> list[str]:
    """Formulas with the numbers of the first element, or with abbreviated values."""
    if moment["error"]:
        return [moment["error"].partition("\n")[0]]
    if moment["kind"] == "op":
        return [_forward(data, moment)]
    if moment["kind"] == "optim":
        pairs = zip(moment["ins"], moment["outs"], strict=True)
        return [
            f"{p['name']}: {describe_value(data, p['v'])} → "
            f"{describe_value(data, q['v'])}"
            for p, q in pairs
        ]
    return _backward(data, moment)


def _forward(data: dict[str, Any], moment: dict[str, Any]) -> str:
    formula = moment["formula"] or moment["name"]
    outs = moment["outs"]
    words = ""
    if len(outs) == 1 and outs[0]["v"] >= 0:
        shape = data["values"][outs[0]["v"]]["shape"]
        empty = 0 in shape
        words = "" if empty else describe_forward(data, moment, [0] * len(shape))
        words = f"{_first(shape)}{words}" if words else ""
    result = ", ".join(describe_value(data, out["v"]) for out in outs)
    return f"{formula}: {words or result}"


def _backward(data: dict[str, Any], moment: dict[str, Any]) -> list[str]:
    place = moment["outs"][0]["v"] if moment["outs"] else -1
    incoming = describe_value(data, place)
    shape = data["values"][place]["shape"] if place >= 0 else [0]
    joined = "" if 0 in shape else describe_join(data, moment, [0] * len(shape))
    lines = [f"∂L/∂y = g = {incoming}"]
    if moment["kind"] == "leaf":
        lines = [f"gradient = {incoming}"]
        if moment["after"] not in (-1, place):
            lines.append(f"added to .grad, now {describe_value(data, moment['after'])}")
    if joined:
        ways = len(moment["parts"])
        lines.append(f"sum over {ways} paths: {_first(shape)}{joined}")
    return lines + [_sent(data, moment, edge) for edge in moment["edges"]]


def _sent(data: dict[str, Any], moment: dict[str, Any], edge: dict[str, Any]) -> str:
    formula = edge["formula"] or "sent on"
    to = f" (to {edge['name']})" if edge["name"] else ""
    shape = data["values"][edge["v"]]["shape"] if edge["v"] >= 0 else [0]
    words = (
        "" if 0 in shape else describe_backward(data, moment, edge, [0] * len(shape))
    )
    words = f"{_first(shape)}{words}" if words else describe_value(data, edge["v"])
    note = f" {edge['note']}" if edge["note"] else ""
    return f"{formula}{to}: {words}{note}"


def _first(shape: list[int]) -> str:
    """The prefix that tells which element is shown: "[0, 0]: "."""
    return f"[{', '.join('0' for _ in shape)}]: " if shape else ""


class _Values:
    """The values of a step as text: each once, with the moment that has it first."""

    def __init__(self, data: dict[str, Any]) -> None:
        self.data = data
        self._told: set[int] = set()
        self._room = MOST_NUMBERS

    def lines(self, moment: dict[str, Any], before: list[str]) -> list[str]:
        """The values of a moment that the lines before do not have."""
        found = []
        for title, place in _titled(moment):
            if place >= 0 and place not in self._told:
                self._told.add(place)
                words = self._words(self.data["values"][place])
                if words and not any(words in line for line in before):
                    found.append(f"{title} = {words}")
        return found

    def _words(self, value: dict[str, Any]) -> str:
        cells, stats, shape = value["cells"], value["stats"], shape_text(value["shape"])
        if stats and stats["min"] is not None:
            low, high, mean, std = (number(stats[k]) for k in STATISTICS)
            bad = stats["nan"] + stats["inf"]
            words = f"{shape}, {low} to {high}, mean {mean}, deviation {std}"
            return words + (f", {bad} nan or infinite" if bad else "")
        if stats or not cells:
            return ""
        if len(cells) > self._room:
            finite = [x for x in cells if not isinstance(x, str)]
            ends = f", {plain(min(finite))} to {plain(max(finite))}" if finite else ""
            return shape + ends
        self._room -= len(cells)
        words = " ".join(map(plain, cells))
        if len(value["shape"]) > 1:
            return f"{shape} [{words}]"
        return f"[{words}]" if value["shape"] else words


def _titled(moment: dict[str, Any]) -> list[tuple[str, int]]:
    """The places of a moment's values, with what they are in it."""
    titles = [
        (p["name"] or p.get("letter") or "operand", p["v"]) for p in moment["ins"]
    ]
    titles += [("read", place) for place in moment["read"]]
    forward = moment["kind"] in ("op", "optim")
    titles += [("part of the sum", part["v"]) for part in moment["parts"]]
    titles += [(p["name"] or ("y" if forward else "g"), p["v"]) for p in moment["outs"]]
    titles += [(".grad", moment["after"])] if moment["kind"] == "leaf" else []
    for edge in moment["edges"]:
        to = edge["letter"] or edge["name"] or "operand"
        titles += [(f"local ∂y/∂{to}", edge["local"]), (f"∂L/∂{to}", edge["v"])]
    return titles


def stepper_text(data: dict[str, Any]) -> str:
    """Each op and node with its formula in numbers, and the values of its operands.

    Args:
        data: what `trace_of` gives.
    """
    lines = [stepper_title(data), *remarks(data)]
    values = _Values(data)
    for at, moment in enumerate(data["moments"]):
        if len(lines) > MOST_LINES:
            lines.append(f"  … {len(data['moments']) - at} more")
            break
        lines.append(f"  {at + 1}. {head(data, moment)}")
        told = lines_of(data, moment)
        lines += [f"       {line}" for line in (*told, *values.lines(moment, told))]
    return "\n".join(printable(clip(line, LONGEST)) for line in lines)


def draw_stepper(data: dict[str, Any], note: str = "") -> Picture:
    """Draw the data of `trace_of`.

    Args:
        data: the recorded step.
        note: added to the caption.
    """
    rows: list[tuple[str, str, str]] = []
    moments = data["moments"]
    for at, moment in enumerate(moments):
        colour = TEXT if moment["kind"] in ("op", "optim") else GRAD
        colour = BAD if moment["error"] else colour
        rows.append(("head", f"{at + 1}. {head(data, moment)}", colour))
        rows += [("line", line, MUTED) for line in lines_of(data, moment)]
    left_out = max(0, len(rows) - MOST_ROWS)
    rows = rows[:MOST_ROWS]
    if left_out:
        lines = "line" if left_out == 1 else "lines"
        rows.append(("line", f"… {left_out} more {lines}", MUTED))
    said = remarks(data) or ([] if moments else ["Run a training step to see it here."])
    height = TOP + ROW * (len(rows) + len(said)) + 14
    title = stepper_title(data) + (f" ({note})" if note else "")
    picture = Picture(WIDTH, height, title)
    picture.text(LEFT, 26, fit_text(title, WIDTH - 32, 13), size=13, bold=True)
    y = TOP
    for words in said:
        picture.text(LEFT, y, fit_text(words, WIDTH - 32, 11), size=11, fill=MUTED)
        y += ROW
    for kind, words, colour in rows:
        x = LEFT + (0 if kind == "head" else 22)
        words = fit_text(words, WIDTH - LEFT - x, 11)
        bold = kind == "head"
        picture.text(x, y, words, size=11, fill=colour, bold=bold)
        y += ROW
    return picture
