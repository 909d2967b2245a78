"""The still picture of an error: operands, mismatched sizes and the reason."""

from __future__ import annotations

from typing import Any

from .box_style import BAD, MUTED, TEXT
from .format import clip, short_file
from .svg import Picture, fit_text, text_width

__all__ = ["draw_error", "error_title", "operand_name"]

WIDTH, LEFT = 744.0, 16.0
NAMES = 210.0  # pixels for the names of operands
CELL, ROW = 46.0, 34.0
PALE = "#fdecef"


def error_title(data: dict[str, Any]) -> str:
    """The failed operation in one line.

    Example:
        >>> error_title({"type": "RuntimeError", "op": "matmul", "module": "fc.0"})
        'RuntimeError in matmul, module fc.0'
    """
    where = f", module {data['module']}" if data["module"] else ""
    return f"{data['type']} in {data['op']}{where}"


def operand_name(operand: dict[str, Any], i: int) -> str:
    """The program's name for an operand, or its role in the op.

    Example:
        >>> operand_name({"name": "", "role": "weight"}, 1)
        'weight'
    """
    return str(operand["name"] or operand["role"] or f"operand {i}")


def draw_error(data: dict[str, Any], note: str = "") -> Picture:
    """Draw a report of `edutorch.inspect.report_error`.

    Args:
        data: the report.
        note: added to the title.
    """
    title = error_title(data) + (f" ({note})" if note else "")
    remarks = _remarks(data)
    rows = data["operands"]
    height = 62 + ROW * len(rows) + 18 + 20 * len(remarks) + 10
    picture = Picture(WIDTH, height, title)
    picture.rect(0, 0, 4, height, fill=BAD)
    picture.text(LEFT, 22, fit_text(title, WIDTH - 32, 13), size=13, bold=True)
    message = data["message"].partition("\n")[0]
    fitted = fit_text(message, WIDTH - 32, 11)
    picture.text(LEFT, 41, fitted, size=11, fill=MUTED)
    rank = max((len(o["shape"]) for o in rows), default=0)
    step = min(CELL, (WIDTH - LEFT - NAMES - 170) / max(rank, 1))
    for i, operand in enumerate(rows):
        shift = rank - len(operand["shape"]) if data["right"] else 0
        _draw_operand(picture, operand, i, (56 + ROW * i, shift, rank, step))
    for k, (words, colour) in enumerate(remarks):
        y = 62 + ROW * len(rows) + 18 + 20 * k
        fitted = fit_text(words, WIDTH - 32, 11.5)
        picture.text(LEFT, y, fitted, size=11.5, fill=colour, bold=colour == BAD)
    return picture


def _draw_operand(
    picture: Picture,
    operand: dict[str, Any],
    i: int,
    place: tuple[float, int, int, float],
) -> None:
    top, shift, rank, step = place
    name = fit_text(operand_name(operand, i), NAMES - 12, 12)
    picture.text(LEFT, top + 18, name, size=12, fill=TEXT, mono=True)
    left = LEFT + NAMES
    for dim, size in enumerate(operand["shape"]):
        lit = dim in operand["lit"]
        x = left + (dim + shift) * step
        ink, fill = (BAD, PALE) if lit else ("#c3cad5", "#ffffff")
        width = 2 if lit else 1
        picture.rect(x, top, step - 6, 26, fill=fill, stroke=ink, width=width, radius=4)
        words = fit_text(str(size), step - 8, 12)
        centre = x + (step - 6) / 2
        ink = BAD if lit else TEXT
        picture.text(
            centre, top + 18, words, size=12, fill=ink, anchor="middle", bold=lit
        )
    if not operand["shape"]:
        picture.text(left, top + 18, "a single number", size=11, fill=MUTED)
        rank = max(rank, 2)
    _draw_kind(picture, operand, left + rank * step + 10, top + 18)


def _draw_kind(picture: Picture, operand: dict[str, Any], x: float, y: float) -> None:
    """Draw dtype and device; whichever is wrong is red."""
    for what in ("dtype", "device"):
        wrong = operand["wrong"] == what
        ink = BAD if wrong else MUTED
        words = operand[what]
        picture.text(x, y, words, size=11, fill=ink, bold=wrong)
        x += text_width(words, 11) + (14 if wrong else 10)


def _remarks(data: dict[str, Any]) -> list[tuple[str, str]]:
    """The rule, the lines and the hint, each with its colour."""
    lines = [(data["rule"], BAD)] if data["rule"] else []
    if data["src"]:
        lines.append((f"at {_place(data['src'])}", TEXT))
    if data["forward"]:
        lines.append((f"forward at {_place(data['forward'])}", TEXT))
    lines += [(f"changed at {_place(src)}", TEXT) for src in data["changes"]]
    if data["hint"]:
        lines.append((f"hint: {data['hint']}", MUTED))
    if data["graph"]:
        count = sum(node["kind"] == "op" for node in data["graph"]["nodes"])
        lines.append((f"graph so far: {count} operations", MUTED))
    return lines


def _place(src: dict[str, Any]) -> str:
    return f"{short_file(src['file'])}:{src['line']}: {clip(src['text'], 90)}"
