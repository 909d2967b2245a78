"""The still picture of memory: bytes by category over time, stacked."""

from __future__ import annotations

import math
from typing import Any

from .box_style import BAD, MUTED, TEXT
from .format import size_text
from .svg import Picture, fit_text, text_width

__all__ = ["COLOURS", "draw_memory", "step_title"]

LEFT, TOP, PLOT, HIGH, RIGHT = 76.0, 52.0, 520.0, 200.0, 164.0
LOW, GAP = 180.0, 76.0  # a step's chart, and the space around it
GRID, PEAK = "#e4e8ee", BAD
COLOURS = {
    "parameter": "#0072b2",
    "gradient": "#d55e00",
    "activation": "#00936b",
    "optimizer": "#c2478f",
    "other": "#9aa3af",
}


def draw_memory(data: dict[str, Any], note: str = "") -> Picture:
    """Draw a memory series as stacked areas with the peak and the limit.

    Below it, training steps of which everything is known are drawn in full.

    Args:
        data: a series of `edutorch.inspect.MemoryRecorder`.
        note: added to the caption.
    """
    caption = _caption(data, note)
    steps = data.get("steps", [])
    height = TOP + HIGH + 48 + len(steps) * (GAP + LOW)
    picture = Picture(LEFT + PLOT + RIGHT, height, caption)
    wide = LEFT + PLOT + RIGHT - 32
    size = 12 if text_width(caption, 12) <= wide else 10.5
    picture.text(16, 22, fit_text(caption, wide, size), size=size, fill=MUTED)
    if data["t"]:
        top = _Run(picture, data).paint()
        for i, step in enumerate(steps):
            y = TOP + HIGH + 48 + i * (GAP + LOW) + 44
            _Step(picture, step, data["categories"], top, y).paint()
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


class _Chart:
    """Stacked areas over time inside a rectangle of a picture.

    Args:
        picture: the picture to draw on.
        series: `t` in ms and `bytes` per category at each.
        categories: their names.
        box: the top and the height of the rectangle.
        reach: the bytes that the axis must include.
        end: the end of the time axis, in ms.
    """

    def __init__(
        self,
        picture: Picture,
        series: dict[str, Any],
        categories: list[str],
        box: tuple[float, float],
        reach: float,
        end: float,
    ) -> None:
        self.picture = picture
        self.series = series
        self.categories = categories
        self.top_y, self.high = box
        self.start = series["t"][0]
        self.span = max(end - self.start, 1e-3)
        self.step = _nice(max(reach, 1) / 4)
        self.top = self.step * math.ceil(max(reach, 1) / self.step * 1.02)

    def x(self, ms: float) -> float:
        return LEFT + (ms - self.start) / self.span * PLOT

    def y(self, nbytes: float) -> float:
        return self.top_y + self.high * (1 - nbytes / self.top)

    def note(self, x: float, y: float, text: str, anchor: str = "middle") -> None:
        self.picture.text(x, y, text, size=10.5, fill=MUTED, anchor=anchor)

    def grid(self) -> None:
        for k in range(round(self.top / self.step) + 1):
            y = self.y(k * self.step)
            self.picture.line([(LEFT, y), (LEFT + PLOT, y)], stroke=GRID)
            self.note(LEFT - 8, y + 4, size_text(k * self.step), "end")

    def areas(self) -> None:
        """Draw the areas as steps, since bytes stay the same until the next sample."""
        rows = self.series["bytes"]
        below = [0] * len(rows)
        for i, name in enumerate(self.categories):
            above = [b + row[i] for b, row in zip(below, rows, strict=True)]
            if above != below:
                outline = self.stairs(above) + self.stairs(below)[::-1]
                self.picture.polygon(outline, fill=COLOURS.get(name, MUTED))
            below = above

    def stairs(self, values: list[int]) -> list[tuple[float, float]]:
        points = []
        xs = [self.x(t) for t in self.series["t"]]
        for x, right, value in zip(xs, [*xs[1:], LEFT + PLOT], values, strict=True):
            points += [(x, self.y(value)), (right, self.y(value))]
        return points

    def axis(self) -> None:
        bottom = self.top_y + self.high
        self.picture.line([(LEFT, bottom), (LEFT + PLOT, bottom)], stroke=MUTED)
        unit, scale = ("s", 1000.0) if self.span >= 2000 else ("ms", 1.0)
        step = _nice_number(self.span / scale / 5)
        for k in range(int(self.span / scale / step) + 1):
            x = self.x(self.start + k * step * scale)
            self.picture.line([(x, bottom), (x, bottom + 4)], stroke=MUTED)
            self.note(x, bottom + 17, f"{k * step:.6g} {unit}")

    def legend(self, rows: list[int]) -> None:
        """Draw the bytes of each category, in stacking order."""
        x, y = LEFT + PLOT + 18, self.top_y + 12
        for name, nbytes in reversed(list(zip(self.categories, rows, strict=True))):
            colour = COLOURS.get(name, MUTED)
            self.picture.rect(x, y - 9, 10, 10, fill=colour, radius=2)
            self.picture.text(x + 16, y, name, size=11, fill=TEXT)
            self.picture.text(x + 16, y + 14, size_text(nbytes), size=11, fill=MUTED)
            y += 34


class _Run(_Chart):
    """The whole recording: peaks, limit and named moments."""

    def __init__(self, picture: Picture, data: dict[str, Any]) -> None:
        self.data = data
        peak, limit = data["peak"], data["limit"]
        # the axis includes the limit only if it is near
        reach = limit if limit is not None and limit < 4 * peak else peak
        box = TOP, HIGH
        end = max(data["t"][-1], *(mark["t"] for mark in data["marks"]), 0.0)
        super().__init__(picture, data, data["categories"], box, reach, end)

    def paint(self) -> float:
        """Draw the chart and return the end of the axis."""
        self.grid()
        self.marks(TOP + HIGH + 34)
        self.areas()
        self.lines()
        self.moments()
        self.axis()
        self.legend(self.data["bytes"][-1])
        return self.data["peak"]

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

    def marks(self, y: float) -> None:
        """Draw as many step labels as fit."""
        free = LEFT - 20
        for mark in self.data["marks"]:
            if not mark["name"].startswith("step "):
                continue
            x = self.x(mark["t"])
            half = 3.2 * len(mark["name"]) + 4
            if x - half < free or x + half > LEFT + PLOT + 40:
                continue
            free = x + half
            ends = [(x, TOP), (x, TOP + HIGH + 24)]
            self.picture.line(ends, stroke=GRID, dash="2 3")
            self.note(x, y, mark["name"])

    def moments(self) -> None:
        """Draw other marks as vertical lines, with their names where they fit."""
        free = LEFT
        for mark in self.data["marks"]:
            name, x = mark["name"], self.x(mark["t"])
            if name.startswith("step "):
                continue
            self.picture.line([(x, TOP - 10), (x, TOP + HIGH)], stroke=TEXT)
            left = min(x + 4, LEFT + PLOT + RIGHT - 6.2 * len(name) - 16)
            if left >= free:
                self.picture.text(left, TOP - 12, name, size=10.5, fill=TEXT)
                free = left + 6.2 * len(name) + 8


class _Step(_Chart):
    """One training step in full: forward, backward, update."""

    def __init__(
        self,
        picture: Picture,
        step: dict[str, Any],
        categories: list[str],
        reach: float,
        y: float,
    ) -> None:
        self.detail = step
        super().__init__(picture, step, categories, (y, LOW), reach, step["ms"])

    def paint(self) -> None:
        rows = self.detail["bytes"]
        most = max(range(len(rows)), key=lambda i: sum(rows[i]))
        self.picture.text(16, self.top_y - 26, step_title(self.detail), size=12)
        self.grid()
        self.areas()
        self.phases()
        self.mark_peak(most)
        self.axis()
        self.legend(rows[most])

    def phases(self) -> None:
        """Draw where each phase begins, with its name if that fits."""
        phases = self.detail["phases"]
        ends = [p["t"] for p in phases[1:]] + [self.detail["ms"]]
        for phase, end in zip(phases, ends, strict=True):
            x, right = self.x(phase["t"]), self.x(end)
            if phase is phases[-1]:
                right += 40  # there is space to the right of the last phase
            foot = self.top_y + self.high
            self.picture.line([(x, self.top_y - 12), (x, foot)], stroke=MUTED)
            if right - x > 6.4 * len(phase["name"]):
                self.note(x + 4, self.top_y - 4, phase["name"], "start")

    def mark_peak(self, i: int) -> None:
        row = self.detail["bytes"][i]
        x, y = self.x(self.detail["t"][i]), self.y(sum(row))
        self.picture.line(
            [(x, y), (x, self.top_y + self.high)], stroke=TEXT, dash="4 3"
        )


def step_title(step: dict[str, Any]) -> str:
    """The title of a step's chart, with the time of the peak.

    Example:
        >>> step_title({"step": 3, "name": "latest", "ms": 2.0, "t": [0.0, 1.5],
        ...             "bytes": [[0], [2048]],
        ...             "phases": [{"t": 1.0, "name": "backward"}]})
        'Step 3 (latest): at most 2.0 KB, after 1.50 ms in backward'
    """
    totals = [sum(row) for row in step["bytes"]]
    most = max(totals)
    ms = step["t"][totals.index(most)]
    phase = [p["name"] for p in step["phases"] if p["t"] <= ms][-1:]
    where = f" in {phase[0]}" if phase else ""
    head = f"Step {step['step']} ({step['name']})"
    return f"{head}: at most {size_text(most)}, after {ms:.2f} ms{where}"


def _nice(nbytes: float) -> float:
    """Round up to 1, 2, 4, ... 512 of a suitable unit."""
    return float(2 ** math.ceil(math.log2(max(nbytes, 1))))


def _nice_number(x: float) -> float:
    """The next of 1, 2, 5, 10, ... above x."""
    power = 10.0 ** math.floor(math.log10(x))
    return next(k * power for k in (1, 2, 5, 10) if k * power >= x * 0.999)
