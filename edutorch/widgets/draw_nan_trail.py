"""The still picture and the text of NaNTrail: boxes from the origin to the loss."""

from __future__ import annotations

from typing import Any

from ..inspect.nan_report import describe_counts
from .box_style import BAD, MUTED, TEXT
from .format import clip, number, shape_text, short_file
from .svg import Picture, fit_text, printable

__all__ = ["draw_nan_trail", "nan_trail_text", "nan_trail_title"]

WIDTH, LEFT, TOP = 744.0, 16.0, 66.0
BOX = 712.0
LINE = 16.0
GAP = 22.0
HEADS = {
    "backward": "backward of ",
    "leaf": "gradient of ",
    "gradient": "given: ",
    "input": "input ",
    "parameter": "parameter ",
    "update": "changed: ",
    "earlier": "earlier: ",
}


def nan_trail_title(data: dict[str, Any]) -> str:
    """The result in one line.

    Example:
        >>> nan_trail_title({"finding": None, "step": 3, "checked": 12, "suspects": 0})
        'NaNTrail: no problem up to step 3 (12 values and gradients checked)'
    """
    finding = data["finding"]
    if finding:
        return f"NaNTrail: step {finding['step']}: {finding['rule']}"
    title = f"NaNTrail: no problem up to step {data['step']}"
    title += f" ({data['checked']} values and gradients checked)"
    if data["suspects"]:
        title += f"; {data['suspects']} with infinities that may be intended"
    if data.get("earlier"):
        title += f"; before that, {data['earlier']}"
    return title


def describe_end(finding: dict[str, Any]) -> str:
    """How far the non-finite values have spread.

    Example:
        >>> describe_end({"reached": "loss", "left_out": 0})
        'It reached the loss.'
    """
    words = {
        "loss": "It reached the loss.",
        "gradient": "It reached the gradient of a leaf.",
        "nothing": "It did not reach the loss.",
    }.get(finding["reached"], "No loss is known yet.")
    if finding["left_out"]:
        words += f" {finding['left_out']} boxes in between are not shown."
    return words


def head(box: dict[str, Any]) -> str:
    """The title of a box.

    Example:
        >>> head({"kind": "backward", "name": "sqrt", "var": "", "module": "0"})
        'backward of sqrt in 0'
        >>> head({"kind": "op", "name": "relu", "var": "h", "module": ""})
        'h = relu'
    """
    variable = f"{box['var']} = " if box["var"] else ""
    name = HEADS.get(box["kind"], "") + variable + (box["name"] or "a tensor")
    return name + (f" in {box['module']}" if box["module"] else "")


def describe_range(found: dict[str, Any] | None) -> str:
    """The ends of a range, and the number of non-finite values.

    Example:
        >>> describe_range({"min": -1.0, "max": 3.0, "nan": 0, "posinf": 1, "neginf": 0,
        ...              "n": 4})
        '-1 to 3, 1 inf of 4 values'
    """
    if found is None:
        return ""
    ends = "" if found["min"] is None else _ends(found)
    bad = found["nan"] + found["posinf"] + found["neginf"]
    return ", ".join(filter(None, (ends, describe_counts(found) if bad else "")))


def _ends(found: dict[str, Any]) -> str:
    return f"{number(found['min'])} to {number(found['max'])}"


def describe_place(src: dict[str, Any] | None) -> str:
    """A line number with the line's text; "" if the line is unknown."""
    return f"{short_file(src['file'])}:{src['line']}: {src['text']}" if src else ""


def describe_operand(operand: dict[str, Any]) -> str:
    """An operand's name, shape and range."""
    name, dtype = operand["name"] or "operand", operand["dtype"]
    unseen = dtype if dtype.startswith(("int", "uint", "bool")) else "not seen"
    words = describe_range(operand["range"]) or unseen
    return f"{name} {shape_text(operand['shape'])}: {words}"


def nan_trail_text(data: dict[str, Any]) -> str:
    """A trail as lines of text.

    Example:
        >>> print(nan_trail_text({"finding": None, "step": 0, "checked": 0,
        ...                       "suspects": 0}))
        NaNTrail: no problem up to step 0 (0 values and gradients checked)
    """
    lines, finding = [nan_trail_title(data)], data["finding"]
    for i, box in enumerate(finding["trail"] if finding else ()):
        mark = "▶" if i == finding["root"] else "│"
        lines.append(f"  {mark} {head(box)}: {describe_range(box['result'])}")
        if box["src"]:
            lines.append(f"      {describe_place(box['src'])}")
        if i <= finding["root"]:
            lines += [f"      {describe_operand(o)}" for o in box["operands"]]
    if finding:
        lines.append(describe_end(finding))
    return "\n".join(printable(clip(line, 160)) for line in lines)


def draw_nan_trail(data: dict[str, Any], note: str = "") -> Picture:
    """Draw the data of `NanTrailRecorder.series`.

    Args:
        data: the series.
        note: added to the caption.
    """
    finding = data["finding"]
    boxes = finding["trail"] if finding else []
    rows = [
        _rows(box, finding is not None and i <= finding["root"])
        for i, box in enumerate(boxes)
    ]
    height = TOP + sum(_height(lines) + GAP for lines in rows) + 8
    title = nan_trail_title(data) + (f" ({note})" if note else "")
    picture = Picture(WIDTH, height, title)
    picture.text(LEFT, 24, fit_text(title, WIDTH - 32, 13), size=13, bold=True)
    words = (
        describe_end(finding) if finding else "All elements of every value are checked."
    )
    picture.text(LEFT, 44, words, size=11, fill=MUTED)
    y = TOP
    for i, lines in enumerate(rows):
        _draw_box(picture, boxes[i], lines, y, _place_in(finding, i))
        y += _height(lines) + GAP
        if i + 1 < len(rows):
            _draw_arrow(picture, y - GAP)
    return picture


def _place_in(finding: dict[str, Any], i: int) -> str:
    """Whether a box is the origin or the loss, as a label."""
    if i == finding["root"]:
        return "first"
    last = i == len(finding["trail"]) - 1 and finding["reached"] == "loss"
    return "loss" if last else ""


def _rows(box: dict[str, Any], whole: bool) -> list[str]:
    """The lines of a box below its title; operands are listed up to the origin only."""
    words = [describe_place(box["src"])] if box["src"] else []
    return words + ([describe_operand(o) for o in box["operands"]] if whole else [])


def _height(lines: list[str]) -> float:
    return 32 + LINE * len(lines)


def _draw_box(
    picture: Picture, box: dict[str, Any], lines: list[str], y: float, part: str
) -> None:
    stroke, width = (BAD, 2.5) if part == "first" else ("#c3cad5", 1.0)
    fill = "#fdeef2" if part == "first" else "#f7f8fa"
    place = (LEFT, y, BOX, _height(lines))
    picture.rect(*place, fill=fill, stroke=stroke, width=width, radius=6)
    name = (f"{part}: " if part else "") + head(box)
    picture.text(LEFT + 12, y + 20, fit_text(name, 420, 12.5), size=12.5, bold=True)
    bad = f"✕ {describe_counts(box['result'])}"
    right = LEFT + BOX - 12
    picture.text(right, y + 20, bad, size=11.5, fill=BAD, anchor="end", bold=True)
    for k, line in enumerate(lines):
        code = k == 0 and box["src"] is not None
        words = fit_text(line, (BOX - 24) * (0.82 if code else 1), 11)
        at = LEFT + 12, y + 38 + LINE * k
        picture.text(*at, words, size=11, fill=TEXT if code else MUTED, mono=code)


def _draw_arrow(picture: Picture, y: float) -> None:
    x = LEFT + 40
    picture.line([(x, y), (x, y + GAP - 6)], stroke=BAD, width=2)
    tip = [(x - 5, y + GAP - 8), (x + 5, y + GAP - 8), (x, y + GAP)]
    picture.polygon(tip, fill=BAD)
