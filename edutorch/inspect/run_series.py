"""Bounded series of values over the steps of a run, its speed, and alerts."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

__all__ = ["MOST", "WINDOW", "RunRules", "Series", "Speed", "as_json", "in_order"]

MOST = 1000  # samples of a metric; when full, every other one is dropped
ALERTS = 100
WINDOW = 10.0  # seconds over which the speed is measured
APART = 0.1  # seconds between two measurements of the speed
UPDATE = "update/weight"
RECENT = 10  # steps over which a loss is averaged


class Series:
    """The samples of one metric, thinned evenly, and its newest value.

    Attributes:
        stride: one of so many samples is kept.

    Example:
        >>> series = Series("loss")
        >>> for step in range(1, 2001):
        ...     series.add(step, 1 / step)
        >>> series.stride, len(series.samples), series.samples[1][0], series.last
        (2, 1000, 3, 0.0005)
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.samples: list[tuple[int, float]] = []
        self.stride = 1
        self.last = math.nan
        self._step = -1
        self._seen = 0

    def add(self, step: int, value: float) -> None:
        """Add a value, which replaces an earlier one for the same step."""
        self.last = value
        if step == self._step:
            if self.samples and self.samples[-1][0] == step:
                self.samples[-1] = (step, value)
            return
        self._step = step
        if self._seen % self.stride == 0:
            if len(self.samples) == MOST:
                self.samples = self.samples[::2]
                self.stride *= 2
            if self._seen % self.stride == 0:
                self.samples.append((step, value))
        self._seen += 1

    def data(self) -> dict[str, Any]:
        """The series as JSON-ready data; nan and infinities are strings."""
        samples = list(self.samples)
        return {
            "name": self.name,
            "steps": [step for step, _ in samples],
            "values": [as_json(value) for _, value in samples],
            "stride": self.stride,
            "last": as_json(self.last),
        }


def as_json(value: float) -> float | str:
    """A number with six digits, or the name of a non-finite one.

    Example:
        >>> as_json(1 / 3), as_json(float("nan"))
        (0.333333, 'nan')
    """
    return float(f"{value:.6g}") if math.isfinite(value) else str(value)


class Speed:
    """Batches and samples per second over the last seconds of a loop.

    Example:
        >>> speed = Speed()
        >>> speed.begin(now=5.0)
        >>> speed.add(now=5.5, batches=2, samples=16)
        True
        >>> speed.rates()
        (4.0, 32.0)
    """

    def __init__(self) -> None:
        self.points: deque[tuple[float, int, int]] = deque()
        self.latest = (0.0, 0, 0)  # points are apart: the last may be long ago

    def begin(self, now: float, batches: int = 0) -> None:
        """A loop begins, or goes on after a rest."""
        self.points.clear()
        self.latest = (now, batches, 0)
        self.points.append(self.latest)

    def add(self, now: float, batches: int, samples: int) -> bool:
        """Record progress; return whether that added a point."""
        self.latest = (now, batches, samples)
        apart = now - self.points[-1][0] >= APART
        if apart or len(self.points) == 1:
            self.points.append(self.latest)
            while now - self.points[1][0] > WINDOW:
                self.points.popleft()
        return apart

    def rates(self) -> tuple[float, float] | None:
        """Batches and samples per second; None before the first batch has ended."""
        if len(self.points) < 2:
            return None
        (t0, b0, s0), (t1, b1, s1) = self.points[0], self.latest
        return ((b1 - b0) / (t1 - t0), (s1 - s0) / (t1 - t0)) if t1 > t0 else None


def _above(value: float, limit: float) -> str:
    """The comparison, with enough digits to distinguish both numbers."""
    texts = (f"{value:.{digits}g}" for digits in range(3, 18))
    return f"{next(text for text in texts if float(text) > limit)} > {limit:g}"


class _Judged:
    """The state of the rules for one metric.

    Attributes:
        free: whether only non-finite values give an alert.
        state: the kind of the current alert, "" for none.
        recent, best: the values of the last few steps, and the lowest mean of such.
        count, total: the number and the sum of the values in the current interval.
        before: the mean of the previous interval.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.free = name != UPDATE and not name.startswith("loss")
        self.state = ""
        self.recent: deque[float] = deque(maxlen=RECENT)
        self.best = math.inf
        self.count, self.total = 0, 0.0
        self.before: float | None = None


class RunRules:
    """The thresholds at which a run gets an alert.

    Args:
        rising: alert if the mean loss of 10 steps exceeds the best such mean by this
            factor.
        update: the limits of the norm of an update divided by that of the weights.
        stalled: alert if the mean loss of this many steps is not below that of as many
            before.

    Example:
        >>> rules = RunRules(rising=10)
        >>> rules.judge(1, "loss", 0.5), rules.judge(2, "loss", 11.5)
        (None, ('rising', 'mean loss 6 > 10 x its best 0.5'))
    """

    def __init__(
        self,
        rising: float = 10.0,
        update: tuple[float, float] = (1e-4, 1e-1),
        stalled: int = 500,
    ) -> None:
        self.rising = rising
        self.update = update
        self.stalled = stalled
        self.alerts: deque[dict[str, Any]] = deque(maxlen=ALERTS)
        self._metrics: dict[str, _Judged] = {}

    def descriptions(self) -> list[str]:
        """Descriptions of the rules."""
        low, high = self.update
        n = self.stalled
        return [
            "a value is nan or infinite",
            f"mean loss of {RECENT} steps > {self.rising:g} x its best",
            f"update/weight below {low:g} or above {high:g} (checked at some steps)",
            f"mean loss of {n} steps not below that of the {n} before",
        ]

    def judge(self, step: int, name: str, value: float) -> tuple[str, str] | None:
        """Record an alert when one begins; return the kind and rule that now apply."""
        metric = self._metrics.get(name)
        if metric is None:
            metric = self._metrics[name] = _Judged(name)
        if metric.free and not metric.state and math.isfinite(value):
            return None  # the usual case, so it is handled first
        found = self._rule(metric, value)
        kind = found[0] if found else ""
        if kind != metric.state:
            metric.state = kind
            if found:
                self.alerts.append(
                    {"step": step, "metric": name, "kind": kind, "rule": found[1]}
                )
        return found

    def _rule(self, metric: _Judged, value: float) -> tuple[str, str] | None:
        name = metric.name
        if not math.isfinite(value):
            return "nonfinite", f"{name} is {value}"
        if metric.free:
            return None
        if name == UPDATE:
            low, high = self.update
            if value < low:
                return "small", f"{name} {value:.3g} < {low:g}"
            return ("large", f"{name} {_above(value, high)}") if value > high else None
        stalled = self._stalls(metric, value)
        return self._rises(metric, value) or stalled

    def _rises(self, metric: _Judged, value: float) -> tuple[str, str] | None:
        """Compare the mean of the last few values with the best one so far."""
        recent = metric.recent
        recent.append(value)
        mean = sum(recent) / len(recent)
        best = metric.best
        if mean < best:
            best = metric.best = mean
        lingers = 2 if metric.state == "rising" else 1  # hysteresis
        if lingers * mean > self.rising * best > 0:
            words = f"mean {metric.name} {mean:.3g} > {self.rising:g} x its best"
            return "rising", f"{words} {best:.3g}"
        return None

    def _stalls(self, metric: _Judged, value: float) -> tuple[str, str] | None:
        """Compare the means of two consecutive intervals whenever one is full."""
        metric.count += 1
        metric.total += value
        if metric.count < self.stalled:
            return ("stalled", "") if metric.state == "stalled" else None
        count, before = metric.count, metric.before
        mean = metric.before = metric.total / count
        metric.count, metric.total = 0, 0.0
        if before is None or mean < before:
            return None
        words = f"mean {metric.name} {mean:.4g} of {count} steps, {before:.4g} before"
        return "stalled", words


LAST = ("lr", "update/weight", "samples/s", "batches/s")


def in_order(names: Any) -> list[str]:
    """Names in order: losses, then logged values, then values that every run has.

    Example:
        >>> in_order(["lr", "accuracy", "loss"])
        ['loss', 'accuracy', 'lr']
    """

    def rank(name: str) -> int:
        first = name.partition(" ")[0]
        known = first in LAST
        return 1 + LAST.index(first) if known else -int(name.startswith("loss"))

    return sorted(names, key=rank)
