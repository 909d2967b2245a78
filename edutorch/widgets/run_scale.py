"""The scale of a run's charts and its text summary, as in `run_scale.ts`."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .format import duration, number

__all__ = [
    "Scale",
    "beyond_text",
    "progress_text",
    "run_title",
    "scale_of",
    "time_text",
]

LOG_FROM = 100.0  # the greatest value over the least, for a log scale
WIDE = 10.0  # the greatest value over the usual level, the same
DIVERGED = 1000.0  # values above this times the usual level, and above
LARGE = 100.0  # this, which no accuracy in percent exceeds, diverge
MARGIN = 3.0  # times the usual level: the part of a diverging run that is shown


class Scale(NamedTuple):
    """Maps values to positions on an axis."""

    low: float
    high: float
    log: bool

    def place(self, value: float) -> float:
        """The position from 0 (lower end) to 1 (upper end); values beyond are clipped.

        Example:
            >>> scale = Scale(1.0, 100.0, True)
            >>> scale.place(10.0), scale.place(1e9), scale.place(-5.0)
            (0.5, 1.0, 0.0)
        """
        low, high, at = self.low, self.high, value
        if not low < at < high:
            return 0.0 if at <= low else 1.0
        if self.log:
            low, high, at = math.log10(low), math.log10(high), math.log10(value)
        return (at - low) / (high - low)

    def side(self, value: float) -> int:
        """1 for a value above the axis, -1 for one below it, else 0.

        Example:
            >>> [Scale(0.0, 2.0, False).side(v) for v in (1.0, 1e9, -1e9)]
            [0, 1, -1]
        """
        return (value > self.high) - (value < self.low)


def scale_of(lines: list[list[Any]]) -> Scale:
    """A scale for the values of one metric in several runs.

    It is logarithmic where values span a lot. A run that diverges does not stretch it:
    of a run with a value above 1000 times the usual level, only values up to 3 times
    that level count, so that the other runs do not look flat. The usual level is that
    of the runs with the smallest values. Strings ("nan", "inf") do not count.

    Example:
        >>> scale_of([[0.5, 2.0, "nan"]]), scale_of([[0.001, 1.0]])
        (Scale(low=0.5, high=2.0, log=False), Scale(low=0.001, high=1.0, log=True))
        >>> scale_of([[2.0, 1.5, 1.0], [2.0, 40.0, 1e9]])
        Scale(low=1.0, high=2.0, log=False)
    """
    finite = [[v for v in line if not isinstance(v, str)] for line in lines]
    usual = _usual_level(finite)
    kept = [v for line in finite for v in _shown(line, usual)]
    if not kept:
        return Scale(0.0, 1.0, False)
    low, high = min(kept), max(kept)
    if low == high:
        half = abs(low) / 2 or 0.5
        return Scale(low - half, high + half, False)
    wide = high > LOG_FROM * low or high > WIDE * max(1.0, usual)
    return Scale(low, high, low > 0 and wide)


def _shown(line: list[float], usual: float) -> list[float]:
    """The values of a run that the axis must include."""
    limit = max(LARGE, DIVERGED * usual)
    if not usual or max(map(abs, line), default=0.0) <= limit:
        return line
    return [v for v in line if abs(v) <= MARGIN * usual]


def _usual_level(lines: list[list[float]]) -> float:
    """The lower quartile of the levels of runs, without those that are always 0."""
    levels = sorted(filter(None, map(_level, lines)))
    return levels[(len(levels) - 1) // 4] if levels else 0.0


def _level(line: list[float]) -> float:
    """The larger of the first value's magnitude and the median of all.

    So a single run that diverges only in its second half does not raise the level.
    """
    sizes = sorted(map(abs, line))
    if not sizes:
        return 0.0
    return max(abs(line[0]), sizes[len(sizes) // 2])


def beyond_text(name: str, lines: list[list[Any]]) -> str:
    """How many values of a metric are off the scale; "" for none.

    Example:
        >>> beyond_text("loss", [[2.0, 1.0], [2.0, 1e9, "inf"]])
        '1 value of loss is above the axis (2)'
        >>> beyond_text("loss", [[2.0, 1.0]])
        ''
    """
    scale = scale_of(lines)
    sides = [scale.side(v) for line in lines for v in line if not isinstance(v, str)]
    words = []
    for side, where, end in ((1, "above", scale.high), (-1, "below", scale.low)):
        n = sides.count(side)
        if n:
            values = "1 value" if n == 1 else f"{n} values"
            verb = "is" if n == 1 else "are"
            words.append(f"{values} of {name} {verb} {where} the axis ({number(end)})")
    return ", ".join(words)


def time_text(seconds: float | None) -> str:
    """Seconds in the format of a clock; in ms or µs below one.

    Example:
        >>> [time_text(x) for x in (0.009, 7.4, 75, 3725, None)]
        ['9 ms', '7.4 s', '1:15 min', '1:02:05 h', '–']
    """
    if seconds is None:
        return "–"
    tenths = math.floor(10 * seconds + 0.5)
    if seconds > 0 and tenths < 10:
        return duration(1e6 * seconds)
    if tenths < 100:
        return f"{tenths // 10}.{tenths % 10} s"
    whole = math.floor(seconds + 0.5)
    minutes, hours = whole // 60 % 60, whole // 3600
    if whole < 60:
        return f"{whole} s"
    if not hours:
        return f"{minutes}:{whole % 60:02} min"
    return f"{hours}:{minutes:02}:{whole % 60:02} h"


def run_title(data: dict[str, Any]) -> str:
    """The name and number of a run.

    Example:
        >>> run_title({"run": {"id": 3, "name": "lenet", "settings": [["lr", "0.1"]]}})
        'Run 3, lenet, lr=0.1'
    """
    run = data["run"]
    words = [f"Run {run['id']}" if run["id"] else "Run"]
    words += [run["name"]] if run["name"] else []
    return ", ".join(words + [f"{key}={value}" for key, value in run["settings"]])


def progress_text(data: dict[str, Any]) -> str:
    """Progress, speed and remaining time.

    Example:
        >>> progress_text({"state": "running", "done": 5, "total": 20, "passes": 2,
        ...                "elapsed": 4.0, "left": 12.0, "rate": 1.25,
        ...                "unit": "batches/s"})
        'running: pass 2, 5 of 20, 4.0 s, 12 s left, 1.25 batches/s'
    """
    unknown = " batch" if data["done"] == 1 else " batches"
    of = unknown if data["total"] is None else f" of {data['total']}"
    words = [f"pass {data['passes']}"] if data["passes"] > 1 else []
    words += [f"{data['done']}{of}", time_text(data["elapsed"])]
    words += [] if data["left"] is None else [f"{time_text(data['left'])} left"]
    words += [] if data["rate"] is None else [_rate(data)]
    return f"{data['state']}: {', '.join(words)}"


def _rate(data: dict[str, Any]) -> str:
    rate = data["rate"]
    return f"{rate if isinstance(rate, str) else number(rate)} {data['unit']}"
