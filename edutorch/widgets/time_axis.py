"""Ticks of a time axis, as in `widgets/src/time_axis.ts`."""

from __future__ import annotations

import math

__all__ = ["time_text", "time_ticks"]

STEPS = (1, 2, 5, 10)


def time_ticks(start: float, end: float, count: float) -> list[tuple[float, str]]:
    """Round times within an interval in microseconds, with labels.

    Args:
        start, end: the interval, in microseconds.
        count: the approximate number of ticks, 1, 2 or 5 times a power of ten apart.

    Example:
        >>> time_ticks(0, 3e6, 3)
        [(0, '0 s'), (1000000, '1 s'), (2000000, '2 s'), (3000000, '3 s')]
    """
    rough = max((end - start) / max(1, count), 1e-3)
    power = 10 ** math.floor(math.log10(rough) + 1e-9)
    enough = (s for s in STEPS if s * power >= rough * (1 - 1e-9))
    step = power * next(enough, 10)
    first = math.ceil(start / step - 1e-9)
    last = math.floor(end / step + 1e-9)
    return [(i * step, time_text(i * step, step, end)) for i in range(first, last + 1)]


def time_text(us: float, step: float, most: float) -> str:
    """A time to the precision of `step`, in a unit suitable for `most`.

    Example:
        >>> time_text(250, 50, 2000)
        '0.25 ms'
    """
    size = abs(most)
    unit, scale = (
        ("s", 1e6) if size >= 1e6 else ("ms", 1e3) if size >= 1e3 else ("µs", 1.0)
    )
    digits = max(0, math.ceil(-math.log10(step / scale) - 1e-9))
    return f"{us / scale:.{min(9, digits)}f} {unit}"
