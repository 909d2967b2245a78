"""The still picture of LeakFinder: growth by step, source lines and paths."""

from __future__ import annotations

from typing import Any

from .box_style import BAD, MUTED, TEXT
from .draw_run import COLOURS, DASHES
from .leak_text import (
    answer_lines,
    describe_row,
    leak_title,
    most_survivors,
    place_of,
)
from .svg import Picture, fit_text

__all__ = ["draw_leaks"]

WIDTH, TOP, HIGH = 760.0, 40.0, 118.0
GRID = "#e4e8ee"
ROWS, ANSWERS = 8, 3


def draw_leaks(data: dict[str, Any], note: str = "") -> Picture:
    """Draw the data of `LeakRecorder.series`.

    Args:
        data: the series.
        note: added to the caption.
    """
    rows = data["lines"][:ROWS]
    answers = [answer_lines(answer) for answer in data["answers"][:ANSWERS]]
    charts = HIGH + 34 if data["steps"] else 0
    below = sum(17 * len(lines) + 26 for lines in answers)
    height = TOP + charts + 38 * len(rows) + below + 14
    title = leak_title(data) + (f" ({note})" if note else "")
    picture = Picture(WIDTH, height, title)
    picture.text(16, 24, fit_text(title, WIDTH - 32, 13), size=13, bold=True)
    if data["steps"]:
        _chart(picture, data, "bytes", 16)
        _chart(picture, data, "nodes", 396)
    y = TOP + charts
    for k, row in enumerate(rows):
        _row(picture, row, k, y)
        y += 38
    for lines in answers:
        _answer(picture, lines, y)
        y += 17 * len(lines) + 26
    return picture


def _chart(picture: Picture, data: dict[str, Any], what: str, left: float) -> None:
    """Draw the total of survivors, and those of the first lines, by step."""
    total = data[what]
    most = max(*total, 1)
    top, width = TOP + 22, 340.0
    words = most_survivors(data, what, " (thick line: total)")
    picture.text(left, TOP + 12, words, size=11, fill=MUTED)
    picture.rect(left, top, width, HIGH - 22, fill="#f7f8fa", stroke=GRID)
    first, last = data["steps"][0], data["steps"][-1]
    lines = [(row[f"{what}_at"], k) for k, row in enumerate(data["lines"][:6])]
    for values, k in [(total, -1), *lines]:
        if len(values) != len(data["steps"]) or not any(values):
            continue
        points = [
            (left + width * (s - first) / max(1, last - first),
             top + (HIGH - 22) * (1 - v / most))
            for s, v in zip(data["steps"], values, strict=True)
        ]  # fmt: skip
        colour = TEXT if k < 0 else COLOURS[k % len(COLOURS)]
        dash = "" if k < 0 else DASHES[k % len(DASHES)]
        picture.line(points, stroke=colour, width=2.4 if k < 0 else 1.6, dash=dash)
    y = top + HIGH - 22 + 13
    picture.text(left, y, f"step {first}", size=10, fill=MUTED)
    picture.text(left + width, y, f"step {last}", size=10, fill=MUTED, anchor="end")


def _row(picture: Picture, row: dict[str, Any], k: int, y: float) -> None:
    if k < 6:
        colour, dash = COLOURS[k % len(COLOURS)], DASHES[k % len(DASHES)]
        line = [(16.0, y + 11), (40.0, y + 11)]
        picture.line(line, stroke=colour, width=2.4, dash=dash)
    words = fit_text(place_of(row), (WIDTH - 70) * 0.82, 11.5)
    picture.text(48, y + 14, words, size=11.5, mono=True)
    fill = BAD if row["state"] == "leak" else TEXT if row["state"] else MUTED
    picture.text(48, y + 30, fit_text(describe_row(row), 690, 11), size=11, fill=fill)


def _answer(picture: Picture, lines: list[str], y: float) -> None:
    place = (16, y + 6, WIDTH - 32, 17.0 * len(lines) + 14)
    picture.rect(*place, fill="#f7f8fa", stroke="#c3cad5", radius=6)
    for k, line in enumerate(lines):
        head = k == 0
        words = fit_text(("References to " if head else "") + line, WIDTH - 60, 11.5)
        fill = MUTED if k == len(lines) - 1 else TEXT
        picture.text(28, y + 24 + 17 * k, words, size=11.5, bold=head, fill=fill)
