"""Mistakes possible in any exercise, found from how wrong values relate to right ones.

An exercise names the mistakes of its own subject. Some mistakes can be made in all of
them: a factor, a sign, a lost dimension, an ignored argument. They are recognised here
by the values alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from .compare import numbers_of

__all__ = ["relation"]

Array = npt.NDArray[Any]

SAME: Final = "the result is always the same: the arguments are ignored"
ZERO: Final = "every number is 0"
PLACES: Final = ("first", "second", "third", "fourth")
DECIMALS: Final = 4  # rounding to at most this many decimals is recognised


def relation(
    given: Sequence[tuple[Any, ...]],
    values: Sequence[Any],
    rights: Sequence[Any],
    *,
    tolerance: float = 1e-5,
    separate: int = 2,
) -> str:
    """A relation that holds between every value and the right one; "" if unknown.

    Args:
        given: the arguments of each call.
        values: what an answer returned for them.
        rights: what is right.
        tolerance: relative and absolute distance that still counts as equal.
        separate: so many values at least must differ from the right ones.

    Example:
        >>> relation([(1,), (2,), (5,)], [2, 4, 10], [1, 2, 5])
        'each number is 2 times the right one'
        >>> relation([(1,), (2,), (5,)], [7, 7, 7], [1, 2, 5])
        'the result is always the same: the arguments are ignored'
    """
    part = _part(values, rights, tolerance)
    if part:
        return part
    if all(isinstance(value, str) and value == values[0] for value in values):
        return SAME if any(_text(r) != _text(rights[0]) for r in rights) else ""
    got, want = [numbers_of(v) for v in values], [numbers_of(r) for r in rights]
    pairs = [(a, b) for a, b in zip(got, want, strict=True) if a is not None]
    if len(pairs) < len(values) or any(b is None for _, b in pairs):
        return ""
    near = _nearness(tolerance)
    if sum(not near(a, b) for a, b in pairs) < min(separate, len(pairs)):
        return ""
    arrays = [(a, b) for a, b in pairs if b is not None]
    with np.errstate(all="ignore"):  # of infinities and NaNs
        return (
            _argument(given, got, near)
            or _constant(arrays, near)
            or _rearranged(arrays, near)
            or _scaled(arrays, near)
            or _moved(arrays, near)
        )


def _nearness(tolerance: float) -> Callable[[Any, Any], bool]:
    def near(a: Any, b: Any) -> bool:
        if a is None or b is None or np.shape(a) != np.shape(b):
            return False
        return bool(np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True))

    return near


def _part(values: Sequence[Any], rights: Sequence[Any], tolerance: float) -> str:
    """One of several returned values is right."""
    pairs = [
        (value, right)
        for value, right in zip(values, rights, strict=True)
        if value is not None or right is not None
    ]
    if not pairs or not all(isinstance(value, tuple) and value for value, _ in pairs):
        return ""
    near = _nearness(tolerance)
    for i in range(min(len(value) for value, _ in pairs)):
        if all(_equal(value[i], right, near) for value, right in pairs):
            return (
                "a comma at the end makes a tuple: leave it out"
                if all(len(value) == 1 for value, _ in pairs)
                else f"the {PLACES[i]} of the things returned is right: return it alone"
                if i < len(PLACES)
                else ""
            )
    return ""


def _text(right: Any) -> str | None:
    return right if isinstance(right, str) else None


def _equal(value: Any, right: Any, near: Callable[[Any, Any], bool]) -> bool:
    if right is None or isinstance(right, str):
        return bool(value == right)
    return near(numbers_of(value), numbers_of(right))


def _argument(
    given: Sequence[tuple[Any, ...]],
    got: Sequence[Any],
    near: Callable[[Any, Any], bool],
) -> str:
    for i in range(min(map(len, given))):
        if all(
            near(a, numbers_of(args[i])) for a, args in zip(got, given, strict=True)
        ):
            which = f"the {PLACES[i]}" if i < len(PLACES) else "an"
            one = len(given[0]) == 1
            return f"that is {'the' if one else which} argument itself, unchanged"
    return ""


def _constant(
    pairs: Sequence[tuple[Array, Array]], near: Callable[[Any, Any], bool]
) -> str:
    first = pairs[0][0]
    if len(pairs) < 2 or not all(near(a, first) for a, _ in pairs):
        return ""
    if all(near(b, pairs[0][1]) for _, b in pairs):
        return ""
    return SAME if first.any() else ZERO


def _rearranged(
    pairs: Sequence[tuple[Array, Array]], near: Callable[[Any, Any], bool]
) -> str:
    """The same rearrangement or rounding of the right numbers in every case."""
    for words, rearrange in _REARRANGEMENTS.items():
        if all(near(a, rearrange(b)) for a, b in pairs):
            return words
    if all(a.size == b.size and near(np.ravel(a), np.ravel(b)) for a, b in pairs):
        return "the numbers are right, and in order: only the shape is not"
    return ""


def _first_axis_last(b: Array) -> Array:
    return np.moveaxis(b, 0, -1) if b.ndim > 2 else b


def _rounded(decimals: int) -> Callable[[Array], Array]:
    return lambda b: np.round(b, decimals) if b.dtype.kind == "f" else b


_REARRANGEMENTS: Final[dict[str, Callable[[Array], Any]]] = {
    "the sign is wrong": lambda b: -b if b.dtype.kind != "b" else b,
    "True and False are swapped": lambda b: ~b if b.dtype.kind == "b" else b,
    "a dimension of size 1 is missing: keepdim=True keeps it": np.squeeze,
    "the numbers are right, but flat: the shape was lost": np.ravel,
    "there is a dimension of size 1 too many, in front": lambda b: b[None],
    "there is a dimension of size 1 too many, at the end": lambda b: b[..., None],
    "the last two dimensions are swapped": (
        lambda b: b.swapaxes(-1, -2) if b.ndim > 1 else b
    ),
    "the first two dimensions are swapped": (
        lambda b: b.swapaxes(0, 1) if b.ndim > 1 else b
    ),
    "the first dimension has become the last": _first_axis_last,
    "the result is in reverse order": lambda b: b[::-1] if b.ndim else b,
    "the sign was lost": lambda b: np.abs(b) if b.dtype.kind in "if" else b,
    "only the first of the numbers is there": lambda b: (
        b[0] if b.size and b.ndim else b
    ),
    "only the last of the numbers is there": lambda b: (
        b[-1] if b.size and b.ndim else b
    ),
    "only the last one is there: does append, or what adds to the result, stand "
    "inside the loop?": lambda b: b[-1:] if b.ndim else b,
    "only the first one is there: does return stand inside the loop?": lambda b: (
        b[:1] if b.ndim else b
    ),
    "the last one is missing": lambda b: b[:-1] if b.ndim else b,
    "the first one is missing": lambda b: b[1:] if b.ndim else b,
    "the numbers were added up: return each of them": np.sum,
    "that is the mean of the numbers: return each of them": (
        lambda b: np.mean(b) if b.size else b
    ),
    "digits behind the point were cut off, by int() or //": lambda b: (
        np.trunc(b) if b.dtype.kind == "f" else b
    ),
    "rounded down: keep the digits behind the point": lambda b: (
        np.floor(b) if b.dtype.kind == "f" else b
    ),
    **{
        f"rounded to {n} digit{'s' * (n != 1)}: return the number itself": _rounded(n)
        for n in range(DECIMALS + 1)
    },
}


def _telling(pairs: Sequence[tuple[Array, Array]]) -> tuple[Array, Array] | None:
    """The pair with the largest right number, if all shapes agree."""
    usable = all(
        a.shape == b.shape and b.dtype.kind in "if" and a.dtype.kind in "if"
        for a, b in pairs
    )
    full = [pair for pair in pairs if pair[1].size and np.isfinite(pair[1]).all()]
    if not usable or not full:
        return None
    return max(full, key=lambda pair: float(np.abs(pair[1]).max()))


def _scaled(
    pairs: Sequence[tuple[Array, Array]], near: Callable[[Any, Any], bool]
) -> str:
    telling = _telling(pairs)
    if telling is None:
        return ""
    got, right = (x.reshape(-1).astype(float) for x in telling)
    at = int(np.argmax(np.abs(right)))
    if right[at] == 0 or not np.isfinite(got[at]):
        return ""
    factor = got[at] / right[at]
    if not all(near(a, factor * b) for a, b in pairs):
        return ""
    return ZERO if factor == 0 else f"each number is {factor:.4g} times the right one"


def _moved(
    pairs: Sequence[tuple[Array, Array]], near: Callable[[Any, Any], bool]
) -> str:
    telling = _telling(pairs)
    if telling is None:
        return ""
    step = float(telling[0].reshape(-1)[0]) - float(telling[1].reshape(-1)[0])
    if not np.isfinite(step) or not all(near(a, b + step) for a, b in pairs):
        return ""
    return f"each number is {abs(step):.4g} too {'large' if step > 0 else 'small'}"
