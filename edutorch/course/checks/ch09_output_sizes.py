"""Sizes of the outputs of convolutions, with known mistakes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from edutorch.course.failure import CheckFailed
from edutorch.course.random_cases import Draw

__all__ = ["SIZE_MISTAKES", "SIZE_SHOWN", "check_whole", "fresh_size", "output_size"]

Function = Callable[..., Any]

SIZE_SHOWN = (
    (8, 3, 1, 1),
    (28, 5, 3, 2),
    (7, 2, 2, 0),
    (8, 3, 1, 2),
    (4, 4, 1, 0),
    (10, 3, 4, 1),
    (10, 3, 4, 0),
    (2, 4, 1, 0),
    (3, 4, 2, 0),
    (3, 9, 2, 1),
    (5, 6, 3, 0),
    (1, 1, 5, 0),
)


def output_size(n: int, k: int, stride: int = 1, padding: int = 0) -> int:
    """The number of windows of size k along n pixels."""
    return max((n + 2 * padding - k) // stride + 1, 0)


def fresh_size(draw: Draw) -> tuple[int, int, int, int]:
    """Random sizes; one window in eight is too large."""
    n, k = draw.size(1, 40), draw.size(1, 9)
    return n, k if draw.size(1, 8) > 1 else n + k, draw.size(1, 5), draw.size(0, 4)


def check_whole(got: Any, called: str) -> None:
    """Raise `CheckFailed` unless a size is an int; a float equal to one is not."""
    if isinstance(got, (bool, np.bool_)) or not isinstance(got, (int, np.integer)):
        raise CheckFailed(
            "the value is right, but it is not an int",
            called=called,
            got=f"{got!r}, a {type(got).__name__}",
            expected="an int",
            rule="a size counts windows: // divides whole numbers",
        )


_SIZES: dict[str, Callable[[int, int, int, int], float]] = {
    "forgot + 1: the first window counts, too": lambda n, k, s, p: (n + 2 * p - k) // s,
    "padding is added on both sides": lambda n, k, s, p: (n + p - k) // s + 1,
    "a window that does not fit is dropped: round down": (
        lambda n, k, s, p: -(-(n + 2 * p - k) // s) + 1
    ),
    "a window that does not fit is dropped: round() may round up": (
        lambda n, k, s, p: round((n + 2 * p - k) / s) + 1
    ),
    "a window that does not fit is dropped: round() may round up, + 1 inside": (
        lambda n, k, s, p: round((n + 2 * p - k) / s + 1)
    ),
    "the last window may end where the image ends": (
        lambda n, k, s, p: -(-(n + 2 * p - k) // s)
    ),
    "it was not rounded: sizes are whole numbers": lambda n, k, s, p: (
        (n + 2 * p - k) / s + 1
    ),
    "1 is added after the division": lambda n, k, s, p: (n + 2 * p - k + 1) // s,
    "int() cuts towards 0, // rounds down": lambda n, k, s, p: (
        math.trunc((n + 2 * p - k) / s) + 1
    ),
    "first + 1, then max(..., 0)": (
        lambda n, k, s, p: max((n + 2 * p - k) // s, 0) + 1
    ),
    "max(..., 0): where none fits, the number is not to be turned round": (
        lambda n, k, s, p: abs((n + 2 * p - k) // s + 1)
    ),
    "a window as large as the image fits once, and padding counts": (
        lambda n, k, s, p: (n + 2 * p - k) // s + 1 if k < n else 0
    ),
    "brackets are missing: // comes before + and -": (
        lambda n, k, s, p: n + 2 * p - k // s + 1
    ),
    "the stride was ignored": lambda n, k, _, p: n + 2 * p - k + 1,
    "the padding was ignored": lambda n, k, s, _: (n - k) // s + 1,
    "k was ignored": lambda n, _, s, p: (n + 2 * p) // s,
    "k was ignored: that is the size with full padding": (
        lambda n, _k, s, _p: -(-n // s)
    ),
    "padding makes the image wider, not narrower": (
        lambda n, k, s, p: (n - 2 * p - k) // s + 1
    ),
    "windows are side by side only if the stride is k": (
        lambda n, k, _, p: (n + 2 * p) // k
    ),
    "subtract the kernel once, not on both sides": (
        lambda n, k, s, p: (n + 2 * p - 2 * (k // 2)) // s
    ),
    "divide what is left after the first window": (
        lambda n, k, s, p: (n + 2 * p) // s - k + 1
    ),
}
_NONE = "if no window fits there are 0 of them, not fewer"


def _of(size: Function, least: float) -> Function:
    """A size with default arguments, at least `least`."""
    return lambda n, k, stride=1, padding=0: max(size(n, k, stride, padding), least)


SIZE_MISTAKES: dict[str, Function] = {
    _NONE: _of(lambda n, k, s, p: (n + 2 * p - k) // s + 1, -math.inf),
    **{words: _of(size, 0) for words, size in _SIZES.items()},
    **{
        f"{words}; and {_NONE}": _of(size, -math.inf)
        for words, size in _SIZES.items()
        if any(size(*case) < 0 for case in SIZE_SHOWN)
    },
}
