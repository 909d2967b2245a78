"""The scale of a run's charts, and its summary in words, the same as `run_scale.ts`."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from .format import number

__all__ = ["Scale", "progress_text", "run_title", "scale_of", "time_text"]

LOG_FROM = 100.0  # times that the greatest value is the least


class Scale(NamedTuple):
    """Where values lie between the ends of an axis."""

    low: float
    high: float
    log: bool

    def place(self, value: float) -> float:
        """0 at the lower end, 1 at the upper one.

        Example:
            >>> Scale(1.0, 100.0, True).place(10.0)
            0.5
        """
        low, high, at = self.low, self.high, value
        if self.log:
            low, high, at = math.log10(low), math.log10(high), math.log10(value)
        return (at - low) / (high - low)


def scale_of(values: list[Any]) -> Scale:
    """A scale for the finite ones of some values: logarithmic where they span a lot.

    Example:
        >>> scale_of([0.5, 2.0, "nan"]), scale_of([0.001, 1.0])
        (Scale(low=0.5, high=2.0, log=False), Scale(low=0.001, high=1.0, log=True))
    """
    finite = [v for v in values if not isinstance(v, str)]
    if not finite:
        return Scale(0.0, 1.0, False)
    low, high = min(finite), max(finite)
    if low == high:
        half = abs(low) / 2 or 0.5
        return Scale(low - half, high + half, False)
    return Scale(low, high, low > 0 and high / low > LOG_FROM)


def time_text(seconds: float | None) -> str:
    """Seconds as a clock shows them.

    Example:
        >>> time_text(7.4), time_text(75), time_text(3725), time_text(None)
        ('7.4 s', '1:15 min', '1:02:05 h', '–')
    """
    if seconds is None:
        return "–"
    tenths = math.floor(10 * seconds + 0.5)
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
    """Which run this is.

    Example:
        >>> run_title({"run": {"id": 3, "name": "lenet", "settings": [["lr", "0.1"]]}})
        'Run 3, lenet, lr=0.1'
    """
    run = data["run"]
    words = [f"Run {run['id']}" if run["id"] else "Run"]
    words += [run["name"]] if run["name"] else []
    return ", ".join(words + [f"{key}={value}" for key, value in run["settings"]])


def progress_text(data: dict[str, Any]) -> str:
    """How far it is, how fast, and what time is left.

    Example:
        >>> progress_text({"state": "running", "done": 5, "total": 20, "passes": 2,
        ...                "elapsed": 4.0, "left": 12.0, "rate": 1.25,
        ...                "unit": "batches/s"})
        'running: pass 2, 5 of 20, 4.0 s, 12 s left, 1.25 batches/s'
    """
    of = "" if data["total"] is None else f" of {data['total']}"
    words = [f"pass {data['passes']}"] if data["passes"] > 1 else []
    words += [f"{data['done']}{of}", time_text(data["elapsed"])]
    words += [] if data["left"] is None else [f"{time_text(data['left'])} left"]
    words += [] if data["rate"] is None else [_rate(data)]
    return f"{data['state']}: {', '.join(words)}"


def _rate(data: dict[str, Any]) -> str:
    rate = data["rate"]
    return f"{rate if isinstance(rate, str) else number(rate)} {data['unit']}"
