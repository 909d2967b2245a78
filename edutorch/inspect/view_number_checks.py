"""Checks beyond a schema's types: whether the numbers of a view can be drawn."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["check_grid", "check_histogram", "check_step", "check_times"]

LATEST = 1e15  # of times: 30 years in microseconds


def check_times(where: str, *times: Any) -> None:
    """Raise unless the number is a time.

    Raises:
        ValueError: names the number.

    Example:
        >>> check_times("run.elapsed", 3.5, 1e300)
        Traceback (most recent call last):
        ...
        ValueError: run.elapsed: 1e+300 is no time
    """
    for time in times:
        if type(time) not in (int, float) or not abs(time) <= LATEST:
            raise ValueError(f"{where}: {time!r} is no time")


def check_step(step: dict[str, Any]) -> None:
    """Raise if a training step of MemoryView has phases before its beginning.

    Raises:
        ValueError: if so.
    """
    times, phases = step["t"], [phase["t"] for phase in step["phases"]]
    check_times("memory.steps", step["ms"], *times, *phases)
    if not times or not phases or times != sorted(times) or min(phases) < times[0]:
        raise ValueError("memory.steps: a phase begins before its step")


def check_grid(grid: dict[str, Any]) -> None:
    """Raise if a tensor's cells belong to no slice.

    Raises:
        ValueError: if so.
    """
    for key in ("shown", "steps"):
        if len(grid[key]) != 2:
            n = len(grid[key])
            raise ValueError(f"tensor.grid.{key}: expected 2 entries, got {n}")
    size = math.prod(grid["shown"])
    if len(grid["values"]) % max(size, 1) or (size == 0 and grid["values"]):
        raise ValueError("tensor.grid.values: no whole number of slices")
    if min(*grid["shown"], *grid["lead"], 0) < 0:
        raise ValueError("tensor.grid: a size is below zero")
    slices = math.prod(grid["lead"])
    if slices >= 2**62 or not 0 <= grid["first"] < max(slices, 1):
        raise ValueError("tensor.grid.first: no such slice")
    if all(grid["shown"]) and slices and not grid["values"]:
        raise ValueError("tensor.grid.values: no values")


def check_histogram(counts: list[int]) -> None:
    """Raise if a histogram has counts without bars, or negative ones.

    Raises:
        ValueError: if so.
    """
    if not counts or min(counts) < 0 or max(counts) == 0:
        raise ValueError("tensor.histogram: no counts")
