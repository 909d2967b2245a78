"""Finds repetitions in a computation, as in `loops.ts`."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["MANY_UNITS", "PAGE", "find_loops"]

MANY_UNITS = 60  # fewer are drawn one by one
PAGE = 12  # an open loop of more iterations is split into this many parts
LONGEST = 64  # units of an iteration
MIN_ITERATIONS = 3
LEAST = 12  # units that a loop replaces


def find_loops(marks: Sequence[str]) -> list[tuple[int, int, int]]:
    """Repetitions of neighbours: (start, units per iteration, iterations), in order.

    Args:
        marks: one for each unit; alike units have equal marks.

    Example:
        >>> find_loops(["zeros", *["select", "linear", "add", "tanh"] * 5, "sum"])
        [(1, 4, 5)]
    """
    loops = []
    i = 0
    while i < len(marks):
        period, iterations = _loop_at(marks, i)
        if period * iterations >= LEAST:
            loops.append((i, period, iterations))
            i += period * iterations
        else:
            i += 1
    return loops


def _loop_at(marks: Sequence[str], i: int) -> tuple[int, int]:
    """The repetition at `i` that covers the most units; among equals, the shortest."""
    best = (0, 0)
    longest = min(LONGEST, (len(marks) - i) // MIN_ITERATIONS)
    for period in range(1, longest + 1):
        k = i + period
        while k < len(marks) and marks[k] == marks[k - period]:
            k += 1
        iterations = (k - i) // period
        if iterations >= MIN_ITERATIONS and period * iterations > best[0] * best[1]:
            best = (period, iterations)
    return best
