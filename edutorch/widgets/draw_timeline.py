"""The still picture and the text of a timeline: its last whole step, and totals."""

from __future__ import annotations

from typing import Any, Final

from .box_style import COLOURS, GRADIENT, MUTED, TEXT
from .format import clip, duration, percent
from .svg import Picture, fit_text, printable, text_width
from .time_axis import time_ticks
from .timeline_totals import MODES, Total, totals

__all__ = ["draw_timeline", "notes", "timeline_text", "timeline_title"]

WIDTH: Final = 744.0
LEFT: Final = 16.0
INNER: Final = WIDTH - 2 * LEFT
ROW: Final = 20.0
TOP: Final = 62.0
DEEPEST: Final = 12  # rows of bars
LISTED: Final = 8  # rows of sums in the picture
STEP: Final = 0
LEAST: Final = 0.4  # pixels; narrower bars are not drawn
# fill, border and text of each kind of bar
LOOKS: Final = (
    ("#e9edf3", "#c3cad5", TEXT),
    ("#eef0fa", COLOURS["module"], TEXT),
    (COLOURS["linear"], "none", "#ffffff"),
    (GRADIENT, "none", "#ffffff"),
    ("#fbf3e0", "#b06500", TEXT),
    ("#fbeee6", GRADIENT, TEXT),
    ("#6b5d00", "none", "#ffffff"),
    (MUTED, "none", "#ffffff"),
)
OUTSIDE: Final = ("outside operations", "outside modules")
HEADS: Final = {"op": "by operation", "module": "by module", "line": "by line"}


def timeline_title(data: dict[str, Any]) -> str:
    """The duration, and the share of it spent in operations.

    Example:
        >>> timeline_title({"total": 0, "bars": {"kind": []}, "names": []})
        'Timeline: nothing recorded yet'
    """
    if not data["bars"]["kind"]:
        return "Timeline: nothing recorded yet"
    rows = totals(data, "op")
    whole = sum(row.own for row in rows) or 1
    inside = sum(row.own for row in rows if row.name not in OUTSIDE)
    return (
        f"Timeline: {describe_step(data)} in {duration(data['total'] / 1e3)}, "
        f"{percent(inside / whole)} of it in operations"
    )


def describe_step(data: dict[str, Any]) -> str:
    """The number of finished steps, and whether another has begun.

    Example:
        >>> bars = {"kind": [0, 0, 0], "open": [False, False, True]}
        >>> describe_step({"bars": bars})
        '2 steps and 1 unfinished'
    """
    steps = _steps(data)
    ended = sum(not data["bars"]["open"][i] for i in steps)
    count = ended or len(steps)
    words = "1 step" if count == 1 else f"{count} steps"
    return words + (
        f" and {len(steps) - ended} unfinished" if 0 < ended < len(steps) else ""
    )


def notes(data: dict[str, Any]) -> list[str]:
    """Notes about omitted data.

    Example:
        >>> notes({"dropped_steps": 3, "dropped": 0, "most": 20, "pauses": []})
        ['3 older steps dropped']
    """
    found = []
    if data["dropped_steps"]:
        older = "1 older step" if data["dropped_steps"] == 1 else (
            f"{data['dropped_steps']} older steps"
        )  # fmt: skip
        found.append(f"{older} dropped")
    if data["dropped"]:
        found.append(f"{data['dropped']} older bars omitted")
    if data["pauses"]:
        length = sum(ns for _, ns in data["pauses"]) / 1e3
        found.append(f"pauses of {duration(length)} omitted")
    return found


def timeline_text(data: dict[str, Any]) -> str:
    """Totals by operation, module and line, as lines of text.

    Example:
        >>> print(timeline_text({"bars": {"kind": []}, "names": [], "total": 0,
        ...                      "dropped_steps": 0, "dropped": 0, "pauses": []}))
        Timeline: nothing recorded yet
    """
    lines = [timeline_title(data), *notes(data)]
    if data["bars"]["kind"]:
        low, high, _, name = _window(data)
        lines.append(f"Last: {_long(name, high - low)}")
    for mode in MODES if data["bars"]["kind"] else ():
        rows = totals(data, mode)
        whole = sum(row.own for row in rows)
        lines.append(f"{HEADS[mode]}: self time, share, total time, calls")
        lines += [f"  {_describe_row(row, whole)}" for row in rows[:15]]
        if len(rows) > 15:
            lines.append(f"  ... and {len(rows) - 15} more")
    if data["bars"]["kind"]:
        lines.append("Watching an operation takes some µs, outside operations.")
    return "\n".join(printable(clip(line, 160)) for line in lines)


def _describe_row(row: Total, whole: int) -> str:
    words = f"{duration(row.own / 1e3):>9}  {_share(row.own, whole):>7}"
    words += f"  {duration(row.total / 1e3):>9}  "
    return words + (f"{row.count:>5}  " if row.count else " " * 7) + row.name


def _share(own: int, whole: int) -> str:
    return percent(own / whole) if whole else "–"


def _steps(data: dict[str, Any]) -> list[int]:
    return [i for i, kind in enumerate(data["bars"]["kind"]) if kind == STEP]


def _window(data: dict[str, Any]) -> tuple[int, int, int, str]:
    """Start, end and lane of the last whole step, or of everything without one."""
    bars = data["bars"]
    steps = [i for i in _steps(data) if not bars["open"][i]] or _steps(data)
    if not steps:
        return 0, max(1, data["total"]), 0, "all"
    i = steps[-1]
    end = bars["start"][i] + bars["dur"][i]
    return bars["start"][i], end, bars["lane"][i], data["names"][bars["name"][i]]


def _long(name: str, ns: int) -> str:
    """A part of the training with its time: "step 3, 1.36 ms"."""
    return f"{name}, {duration(ns / 1e3)}"


def draw_timeline(data: dict[str, Any], note: str = "") -> Picture:
    """Draw the data of `TimelineRecorder.series`.

    Args:
        data: the series.
        note: added to the caption.
    """
    low, high, lane, name = _window(data)
    drawn = _drawn(data, low, high, lane)
    deep = 1 + max((depth for _, depth in drawn), default=0)
    rows = totals(data, "op")[:LISTED]
    under = TOP + ROW * deep + 26
    title = timeline_title(data) + (f" ({note})" if note else "")
    picture = Picture(WIDTH, under + (22 + 18 * len(rows) if drawn else 0) + 8, title)
    picture.text(LEFT, 24, fit_text(title, INNER, 13), size=13, bold=True)
    if not drawn:
        words = "Bars appear as soon as something is computed."
        picture.text(LEFT, 44, words, size=11, fill=MUTED)
        return picture
    words = "; ".join([f"shown: {_long(name, high - low)}", *notes(data)])
    picture.text(LEFT, 44, fit_text(words, INNER, 11), size=11, fill=MUTED)
    for i, depth in drawn:
        _draw_bar(picture, data, i, TOP + ROW * depth, (low, high))
    _draw_scale(picture, TOP + ROW * deep, high - low)
    _draw_sums(picture, data, rows, under)
    return picture


def _drawn(data: dict[str, Any], low: int, high: int, lane: int) -> list[Any]:
    """The visible bars of a lane within the window, with their depths."""
    bars = data["bars"]
    depths: list[int] = []
    found: list[Any] = []
    scale = INNER / max(1, high - low)
    base = DEEPEST
    for i, parent in enumerate(bars["parent"]):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        start, end = bars["start"][i], bars["start"][i] + bars["dur"][i]
        wide = (end - start) * scale >= LEAST
        if bars["lane"][i] == lane and wide and start >= low and end <= high:
            base = min(base, depths[i])
            found.append(i)
    return [(i, depths[i] - base) for i in found if depths[i] - base < DEEPEST]


def _draw_bar(
    picture: Picture, data: dict[str, Any], i: int, y: float, window: tuple[int, int]
) -> None:
    bars, scale = data["bars"], INNER / max(1, window[1] - window[0])
    x = LEFT + (bars["start"][i] - window[0]) * scale
    wide = max(0.6, bars["dur"][i] * scale - 0.5)
    fill, border, ink = LOOKS[bars["kind"][i]]
    stroke = border if wide > 3 else "none"
    picture.rect(x, y, wide, ROW - 3, fill=fill, stroke=stroke, width=0.8)
    if wide > 26:
        name = _fit(_short(data["names"][bars["name"][i]]), wide - 8)
        picture.text(x + 4, y + 12, name, size=10, fill=ink)


def _short(name: str) -> str:
    """A module's own name; its parents' names are shown above it."""
    path, colon, cls = name.partition(": ")
    return path.rpartition(".")[2] + colon + cls if colon else name


def _fit(name: str, width: float) -> str:
    """Truncate a name to the width."""
    while len(name) > 1 and text_width(name, 10) > width:
        name = name[:-2] + "…"
    return name


def _draw_scale(picture: Picture, y: float, length: int) -> None:
    scale = INNER / max(1, length)
    for at, words in time_ticks(0, length / 1e3, 5):
        x = LEFT + 1e3 * at * scale
        picture.line([(x, y), (x, y + 4)], stroke=MUTED)
        anchor = "start" if at == 0 else "end" if x > WIDTH - 40 else "middle"
        picture.text(x, y + 16, words, size=10, fill=MUTED, anchor=anchor)


def _draw_sums(
    picture: Picture, data: dict[str, Any], rows: list[Total], y: float
) -> None:
    """Draw the most time-consuming operations, with bars for their shares."""
    whole = sum(row.own for row in totals(data, "op")) or 1
    bars = data["bars"]
    pairs = zip(bars["name"], bars["kind"], strict=True)
    fills = {data["names"][name]: LOOKS[kind][0] for name, kind in pairs}
    picture.text(LEFT, y + 14, "all steps, time by operation", size=11, bold=True)
    for k, row in enumerate(rows):
        at = y + 22 + 18 * k
        colour = "#c3cad5" if row.name in OUTSIDE else fills[row.name]
        picture.text(LEFT, at + 11, fit_text(row.name, 200, 10.5), size=10.5)
        wide = max(0.5, 330 * row.own / whole)
        picture.rect(LEFT + 210, at + 2, wide, 11, fill=colour)
        words = f"{duration(row.own / 1e3)}, {_share(row.own, whole)}"
        words += f", {row.count} calls" if row.count else ""
        picture.text(LEFT + 216 + wide, at + 11, words, size=10.5, fill=MUTED)
