"""The still picture of memory: bytes by category over time, stacked."""

from __future__ import annotations

import math
from typing import Any

from .format import size_text
from .svg import Picture

__all__ = ["COLOURS", "draw_memory"]

LEFT, TOP, PLOT, HIGH, RIGHT = 76.0, 52.0, 520.0, 200.0, 164.0
TEXT, MUTED, GRID, PEAK = "#14181f", "#56606e", "#e4e8ee", "#c01040"
COLOURS = {
    "parameter": "#0072b2",
    "gradient": "#d55e00",
    "activation": "#00936b",
    "optimizer": "#c2478f",
    "other": "#9aa3af",
}


def draw_memory(data: dict[str, Any], note: str = "") -> Picture:
    """Draw a memory series as stacked areas with the peak and the limit.

    Args:
        data: a series of `edutorch.inspect.MemoryRecorder`.
        note: added to the caption.
    """
    caption = _caption(data, note)
    picture = Picture(LEFT + PLOT + RIGHT, TOP + HIGH + 48, caption)
    picture.text(16, 22, caption, size=12, fill=MUTED)
    if data["t"]:
        _Painter(picture, data).paint()
    return picture


def _caption(data: dict[str, Any], note: str) -> str:
    where = f"Memory of {data['device']} ({data['kind']})"
    if not data["t"]:
        text = f"{where}: nothing recorded yet"
    else:
        text = f"{where}: {size_text(data['now'])} now, peak {size_text(data['peak'])}"
        if data["reserved"] is not None:
            text += f", {size_text(data['reserved'])} reserved"
    return f"{text} ({note})" if note else text


class _Painter:
    def __init__(self, picture: Picture, data: dict[str, Any]) -> None:
        self.picture = picture
        self.data = data
        self.start = data["t"][0]
        self.span = max(data["t"][-1] - self.start, 1e-3)
        self.step = _nice(max(self._top(), 1) / 4)
        self.top = self.step * math.ceil(max(self._top(), 1) / self.step * 1.02)

    def _top(self) -> int:
        """The axis reaches the limit only where it is near."""
        peak, limit = self.data["peak"], self.data["limit"]
        return limit if limit is not None and limit < 4 * peak else peak

    def paint(self) -> None:
        self.grid()
        self.marks(TOP + HIGH + 34)
        self.areas()
        self.lines()
        self.axis()
        self.legend()

    def x(self, ms: float) -> float:
        return LEFT + (ms - self.start) / self.span * PLOT

    def y(self, nbytes: float) -> float:
        return TOP + HIGH * (1 - nbytes / self.top)

    def grid(self) -> None:
        for k in range(round(self.top / self.step) + 1):
            y = self.y(k * self.step)
            self.picture.line([(LEFT, y), (LEFT + PLOT, y)], stroke=GRID)
            text = size_text(k * self.step)
            self.picture.text(
                LEFT - 8, y + 4, text, size=10.5, fill=MUTED, anchor="end"
            )

    def areas(self) -> None:
        """Steps, not slopes: bytes stay until the next sample."""
        below = [0] * len(self.data["t"])
        for i, name in enumerate(self.data["categories"]):
            above = [
                b + row[i] for b, row in zip(below, self.data["bytes"], strict=True)
            ]
            if above != below:
                outline = self.stairs(above) + self.stairs(below)[::-1]
                self.picture.polygon(outline, fill=COLOURS.get(name, MUTED))
            below = above

    def stairs(self, values: list[int]) -> list[tuple[float, float]]:
        points = []
        xs = [self.x(t) for t in self.data["t"]]
        for x, right, value in zip(xs, [*xs[1:], LEFT + PLOT], values, strict=True):
            points += [(x, self.y(value)), (right, self.y(value))]
        return points

    def lines(self) -> None:
        peak, limit = self.data["peak"], self.data["limit"]
        self.level(peak, f"peak {size_text(peak)}", "4 3", TEXT)
        if limit is not None and limit <= self.top:
            self.level(limit, f"limit {size_text(limit)}", "", PEAK)

    def level(self, nbytes: int, text: str, dash: str, colour: str) -> None:
        y = self.y(nbytes)
        ends = [(LEFT, y), (LEFT + PLOT, y)]
        self.picture.line(ends, stroke=colour, dash=dash)
        self.picture.text(LEFT + 6, y - 4, text, size=10.5, fill=colour)

    def axis(self) -> None:
        bottom = TOP + HIGH
        self.picture.line([(LEFT, bottom), (LEFT + PLOT, bottom)], stroke=MUTED)
        unit, scale = ("s", 1000.0) if self.span >= 2000 else ("ms", 1.0)
        step = _nice_number(self.span / scale / 5)
        for k in range(int(self.span / scale / step) + 1):
            x = self.x(self.start + k * step * scale)
            self.picture.line([(x, bottom), (x, bottom + 4)], stroke=MUTED)
            text = f"{k * step:.6g} {unit}"
            self.picture.text(
                x, bottom + 17, text, size=10.5, fill=MUTED, anchor="middle"
            )

    def marks(self, y: float) -> None:
        """Names of moments, as many as fit."""
        free = LEFT - 20
        for mark in self.data["marks"]:
            x = self.x(mark["t"])
            half = 3.2 * len(mark["name"]) + 4
            if x - half < free or x + half > LEFT + PLOT + 40:
                continue
            free = x + half
            ends = [(x, TOP), (x, TOP + HIGH + 24)]
            self.picture.line(ends, stroke=GRID, dash="2 3")
            self.picture.text(
                x, y, mark["name"], size=10.5, fill=MUTED, anchor="middle"
            )

    def legend(self) -> None:
        """What is held now, in the order of the stack."""
        last = self.data["bytes"][-1]
        x, y = LEFT + PLOT + 18, TOP + 12
        names = list(enumerate(self.data["categories"]))
        for i, name in reversed(names):
            colour = COLOURS.get(name, MUTED)
            self.picture.rect(x, y - 9, 10, 10, fill=colour, radius=2)
            self.picture.text(x + 16, y, name, size=11, fill=TEXT)
            self.picture.text(x + 16, y + 14, size_text(last[i]), size=11, fill=MUTED)
            y += 34


def _nice(nbytes: float) -> float:
    """1, 2, 4, ... 512 of the unit that fits."""
    return float(2 ** math.ceil(math.log2(max(nbytes, 1))))


def _nice_number(x: float) -> float:
    """The next of 1, 2, 5, 10 ... above x."""
    power = 10.0 ** math.floor(math.log10(x))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= x * 0.999)
