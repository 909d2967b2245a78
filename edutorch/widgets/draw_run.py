"""The still picture of a training run: progress, a chart per metric, alerts."""

from __future__ import annotations

from typing import Any

from .box_style import BAD, MUTED, TEXT
from .format import number
from .run_scale import Scale, beyond_text, progress_text, run_title, scale_of
from .svg import Picture, fit_text, text_width

__all__ = ["COLOURS", "DASHES", "draw_run", "thinning_note", "run_text"]

WIDTH, TOP = 760.0, 62.0
WIDE, HIGH = 366.0, 128.0  # a chart with its title and axis
LEFT, INSIDE = 54.0, 76.0  # left edge and height of the plot in it
GRID, BAR = "#e4e8ee", "#0b62d6"
CHARTS = 12
APART = 9.0  # pixels between two signs
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8b95a3")
DASHES = ("", "6 3", "2 3", "9 3 2 3", "12 4")


def draw_run(data: dict[str, Any], note: str = "") -> Picture:
    """Draw a run, overlaid with others.

    Args:
        data: of a `RunMonitor`.
        note: added to the caption.
    """
    shown = data["series"][:CHARTS]
    runs = [data, *data["others"]]
    below = _notes(data)
    rows = -(-len(shown) // 2)
    height = TOP + rows * HIGH + 22 * bool(data["others"]) + 16 * len(below) + 16
    title = run_title(data) + (f" ({note})" if note else "")
    picture = Picture(WIDTH, height, title)
    caption = fit_text(f"{title} · {progress_text(data)}", WIDTH - 32, 12)
    picture.text(16, 22, caption, size=12, fill=MUTED)
    _bar(picture, data)
    steps = [s for run in runs for line in run["series"] for s in line["steps"]]
    ends = min([0, *steps]), max([0, *steps])  # of the common axis
    for i, series in enumerate(shown):
        place = 8 + i % 2 * (WIDE + 12), TOP + i // 2 * HIGH
        _Chart(picture, series, runs, ends, place)
    y = TOP + rows * HIGH + 12
    if data["others"]:
        _legend(picture, runs, y)
        y += 22
    for k, (text, colour) in enumerate(below):
        picture.text(
            16, y + 16 * k, fit_text(text, WIDTH - 32, 11), size=11, fill=colour
        )
    return picture


def _bar(picture: Picture, data: dict[str, Any]) -> None:
    """Draw the completed fraction of the pass, if it is known."""
    if not data["total"]:
        return
    share = min(1.0, data["done"] / data["total"])
    picture.rect(16, 32, WIDTH - 32, 8, fill=GRID, radius=4)
    if share:
        picture.rect(16, 32, (WIDTH - 32) * share, 8, fill=BAR, radius=4)


class _Chart:
    """One metric of all runs over their steps."""

    def __init__(
        self,
        picture: Picture,
        series: dict[str, Any],
        runs: list[dict[str, Any]],
        ends: tuple[int, int],
        place: tuple[float, float],
    ) -> None:
        self.picture = picture
        x, y = place
        self.left, self.top = x + LEFT, y + 22
        self.wide = WIDE - LEFT - 12
        self.lines = [_series_of(run, series["name"]) for run in runs]
        self.scale: Scale = scale_of([line["values"] for line in self.lines if line])
        self.first, self.last = ends
        name = fit_text(series["name"], 160, 12)
        picture.text(self.left, y + 14, name, size=12, fill=TEXT, bold=True)
        last = f"{_number(series['last'])}{thinning_note(series)}"
        end = self.left + self.wide
        picture.text(end, y + 14, last, size=10.5, fill=MUTED, anchor="end")
        self.axes()
        for i, line in reversed(list(enumerate(self.lines))):
            if line:
                self.line(line, i)

    def x(self, step: int) -> float:
        return self.left + self.wide * (step - self.first) / max(
            1, self.last - self.first
        )

    def y(self, value: float) -> float:
        return self.top + INSIDE * (1 - self.scale.place(value))

    def note(self, x: float, y: float, text: str, anchor: str) -> None:
        self.picture.text(x, y, text, size=10, fill=MUTED, anchor=anchor)

    def axes(self) -> None:
        for value in (self.scale.low, self.scale.high):
            y = self.y(value)
            self.picture.line([(self.left, y), (self.left + self.wide, y)], stroke=GRID)
            self.note(self.left - 6, y + 4, number(value), "end")
        if self.scale.log:
            self.note(self.left - 6, self.top + INSIDE / 2 + 4, "log", "end")
        foot = self.top + INSIDE + 14
        self.note(self.left, foot, f"step {self.first}", "start")
        self.note(self.left + self.wide, foot, str(self.last), "end")

    def line(self, series: dict[str, Any], i: int) -> None:
        """Draw the line of a run, with signs for values off the scale.

        It is broken at nan and infinite values, drawn as crosses, and between values
        beyond the axis, drawn as arrows at its edge.
        """
        colour, dash = COLOURS[i % len(COLOURS)], DASHES[i % len(DASHES)]
        points: list[tuple[float, float]] = []
        crosses: list[float] = []
        arrows: list[tuple[float, int]] = []
        before = 0
        for step, value in zip(series["steps"], series["values"], strict=True):
            bad = isinstance(value, str)
            side = 0 if bad else self.scale.side(value)
            if bad or (side and side == before):
                self.stroke(points, colour, dash)
                points = []
            before = side
            if bad:
                crosses.append(self.x(step))
                continue
            points.append((self.x(step), self.y(value)))
            arrows += [(self.x(step), side)] if side else []
        self.stroke(points, colour, dash)
        for x in _apart(crosses):
            self.cross(x)
        sides = dict(arrows)
        for x in _apart([x for x, _ in arrows]):
            self.arrow(x, sides[x], colour)

    def stroke(self, points: list[tuple[float, float]], colour: str, dash: str) -> None:
        if len(points) == 1:
            (x, y), points = points[0], []
            self.picture.rect(x - 1.5, y - 1.5, 3, 3, fill=colour)
        if points:
            self.picture.line(points, stroke=colour, width=1.6, dash=dash)

    def cross(self, x: float) -> None:
        for slope in (3, -3):
            y = self.top + 3
            self.picture.line(
                [(x - 3, y - slope), (x + 3, y + slope)], stroke=BAD, width=1.5
            )

    def arrow(self, x: float, side: int, colour: str) -> None:
        """Draw an arrow at the edge beyond which a value lies."""
        y = self.top if side > 0 else self.top + INSIDE
        base, tip = y + 5 * side, y - 2 * side
        corners = [(x - 4, base), (x + 4, base), (x, tip)]
        self.picture.polygon(corners, fill=colour)


def _apart(places: list[float]) -> list[float]:
    """Those far enough apart that their signs do not overlap."""
    kept: list[float] = []
    for x in places:
        if not kept or x - kept[-1] >= APART:
            kept.append(x)
    return kept


def _series_of(run: dict[str, Any], name: str) -> dict[str, Any] | None:
    return next((s for s in run["series"] if s["name"] == name), None)


def _number(value: float | str) -> str:
    return value if isinstance(value, str) else number(value)


def thinning_note(series: dict[str, Any]) -> str:
    """A note about the points omitted from a thinned series.

    Example:
        >>> thinning_note({"stride": 4}), thinning_note({"stride": 1})
        (' (1 of 4 kept)', '')
    """
    return f" (1 of {series['stride']} kept)" if series["stride"] > 1 else ""


def _legend(picture: Picture, runs: list[dict[str, Any]], y: float) -> None:
    x = 16.0
    for i, run in enumerate(runs):
        colour = COLOURS[i % len(COLOURS)]
        title = fit_text(_run_name(run), 120, 10.5)
        dash = DASHES[i % len(DASHES)]
        picture.line([(x, y - 4), (x + 20, y - 4)], stroke=colour, width=2, dash=dash)
        picture.text(x + 25, y, title, size=10.5, fill=TEXT)
        x += 148


def _run_name(run: dict[str, Any]) -> str:
    return run_title(run if "run" in run else {"run": run})


def _notes(data: dict[str, Any]) -> list[tuple[str, str]]:
    """The newest alerts, the rules and the remarks, each with a colour."""
    alerts = [(_alert_text(alert), BAD) for alert in data["alerts"][-5:]]
    notes = [*_rule_lines(data["rules"]), *_off_scale(data), *data["remarks"]]
    return [*alerts, *((text, MUTED) for text in notes)]


def _rule_lines(rules: list[str]) -> list[str]:
    """When alerts are raised, in lines that fit into the picture."""
    lines: list[str] = []
    for rule in rules:
        longer = f"{lines[-1]}; {rule}" if lines else f"Alerts when {rule}"
        if not lines or text_width(longer, 11) <= WIDTH - 32:
            lines[-1:] = [longer]
        else:
            lines[-1] += ";"
            lines.append(f"or {rule}")
    return lines


def _off_scale(data: dict[str, Any]) -> list[str]:
    """For each metric, a note on the values off its scale."""
    series = [s for run in (data, *data["others"]) for s in run["series"]]
    names = dict.fromkeys(s["name"] for s in data["series"])
    texts = [
        beyond_text(name, [s["values"] for s in series if s["name"] == name])
        for name in names
    ]
    return [text for text in texts if text]


def _alert_text(alert: dict[str, Any]) -> str:
    return f"{alert['kind']} at step {alert['step']}: {alert['rule']}"


def run_text(data: dict[str, Any]) -> list[str]:
    """A run as lines: progress; the latest, least and greatest values; alerts."""
    lines = [run_title(data), f"  {progress_text(data)}"]
    wide = max((len(s["name"]) for s in data["series"]), default=0)
    for series in data["series"]:
        finite = [v for v in series["values"] if not isinstance(v, str)]
        ends = f"{number(min(finite))} .. {number(max(finite))}" if finite else "–"
        last = _number(series["last"])
        lines.append(
            f"  {series['name']:<{wide}}  {last:>9}  {ends}{thinning_note(series)}"
        )
    for other in data["others"]:
        ends = ", ".join(f"{s['name']} {_number(s['last'])}" for s in other["series"])
        lines.append(f"  compared with {_run_name(other)}: {ends}")
    lines += [f"  {_alert_text(alert)}" for alert in data["alerts"][-20:]]
    lines += [f"  alerts: {'; '.join(data['rules'])}"] if data["rules"] else []
    return lines + [f"  {text}" for text in (*_off_scale(data), *data["remarks"])]
