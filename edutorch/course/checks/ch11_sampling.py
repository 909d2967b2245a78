"""The check of chapter 11 for sampling a class at a temperature."""

# ruff: noqa: ARG005  # a mistake leaves out what the rule needs

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from edutorch.course.compare_functions import Mistake, compare_functions
from edutorch.course.random_cases import Draw
from edutorch.ops.create import tensor

from .modules import numbers

__all__ = ["pick"]

Array = npt.NDArray[Any]
Function = Callable[..., Any]

RULE = (
    "shares = softmax(scores / temperature); the first class at which their sum is "
    "larger than u"
)
NEAR = 1e-3  # a u this close to a border could be decided by rounding


def pick(answer: Any) -> None:
    """11.6: sampling with a temperature."""
    compare_functions(
        answer,
        "pick",
        right=_pick,
        shown=_SHOWN,
        fresh=_fresh,
        rule=RULE,
        mistakes=MISTAKES,
        forbidden=("multinomial",),
        dtypes=("float32", "float64"),
        rounds=24,
    )


_SHOWN = (
    (tensor([0.0, 1.0, 2.0]), 1.0, 0.3),
    (tensor([0.0, 1.0, 2.0]), 0.5, 0.3),
    (tensor([0.0, 1.0, 2.0]), 2.0, 0.1),
    (tensor([0.0, 1.0, 2.0]), 1.0, 0.0),
    (tensor([0.0, 1.0, 2.0]), 1.0, 0.9999),
    (tensor([1.0, 3.0, 2.0]), 0, 0.7),
    (tensor([2.0, 5.0, 0.0]), 0.0, 0.01),
    (tensor([500.0, 501.0, 499.0]), 1.0, 0.5),
    (tensor([-900.0, -901.0, -902.0]), 1.0, 0.8),
    (tensor([4.0]), 1.0, 0.5),
    (tensor([1.0, 1.0]), 1.0, 0.5),  # at a border: the sum must be larger than u
    (tensor([0.0, 0.0, 0.0, 0.0]), 2.0, 0.25),
)


def _fresh(draw: Draw) -> tuple[Any, float, float]:
    """Random scores, a temperature, and a u away from the borders of classes."""
    scores = draw.tensor(draw.size(2, 6))
    temperature = draw.choice((0.2, 0.4, 2.5, 4.0))
    cold = draw.size(0, 3) == 0  # with so few scores the temperature may not matter
    borders = np.cumsum(_shares(numbers(scores), temperature))
    for _ in range(200):
        u = draw.number(0.0, 0.999)
        same = _pick(scores, temperature, u) == _pick(scores, 1.0, u)
        if np.abs(borders - u).min() > NEAR and (cold or not same):
            return scores, temperature, u
    return tensor([0.0, 1.0, 2.0]), 0.5, 0.3


def _shares(scores: Array, temperature: float) -> Array:
    raised = np.exp((scores - scores.max()) / temperature)
    return np.asarray(raised / raised.sum())


def _first(shares: Array, u: float) -> int:
    """The first class whose cumulative probability exceeds u."""
    return min(int((np.cumsum(shares) <= u).sum()), len(shares) - 1)


def _in_a_loop(shares: Array, u: float) -> int | None:
    """The same with a loop, which returns nothing if no sum exceeds u."""
    return next((i for i, sum_ in enumerate(np.cumsum(shares)) if sum_ > u), None)


def _pick(scores: Any, temperature: float, u: float) -> int:
    values = numbers(scores)
    if temperature == 0:
        return int(values.argmax())
    return _first(_shares(values, temperature), u)


def _with_shares(
    shares: Callable[[Array, float], Array],
    first: Callable[[Array, float], int | None] = _first,
) -> Function:
    """A mistake: the right choice from other probabilities."""

    def mistaken(scores: Any, temperature: float, u: float) -> int | None:
        values = numbers(scores)
        if temperature == 0:
            return int(values.argmax())
        with np.errstate(all="ignore"):
            return first(shares(values, temperature), u)

    return mistaken


def _either_way(shares: Callable[[Array, float], Array]) -> tuple[Function, ...]:
    """A mistake: other probabilities, with a cumulative sum or with a loop."""
    ways = _first, _in_a_loop, lambda shares, u: int((np.cumsum(shares) <= u).sum())
    return tuple(_with_shares(shares, first) for first in ways)


def _with_class(choose: Callable[[Array, float], float | None]) -> Function:
    """A mistake: another class, from the right probabilities."""

    def mistaken(scores: Any, temperature: float, u: float) -> float | None:
        values = numbers(scores)
        if temperature == 0:
            return int(values.argmax())
        return choose(_shares(values, temperature), u)

    return mistaken


def _overflowing(values: Array, temperature: float) -> Array:
    raised = np.exp((values / temperature).astype(np.float32))
    return np.asarray(raised / raised.sum())


def _plain(values: Array, temperature: float) -> Array:
    return np.asarray(values / values.sum())


def _no_zero(scores: Any, temperature: float, u: float) -> int:
    """A mistake: division by a temperature of 0, so that no sum exceeds u."""
    return 0 if temperature == 0 else _pick(scores, temperature, u)


def _no_zero_in_a_loop(scores: Any, temperature: float, u: float) -> int | None:
    return None if temperature == 0 else _pick(scores, temperature, u)


MISTAKES: dict[str, Mistake] = {
    "a division by 0 makes nan: temperature 0 is a special case": (
        _no_zero,
        _no_zero_in_a_loop,
    ),
    "the temperature is ignored, or changes no share: divide the scores by it": (
        _with_shares(lambda s, t: _shares(s, 1.0))
    ),
    "divide by the temperature: this multiplies": _with_shares(
        lambda s, t: _shares(s * t, 1.0)
    ),
    "the scores are divided, before softmax, not the shares": _either_way(
        lambda s, t: _shares(s, 1.0) / t
    ),
    "softmax is missing": _with_shares(lambda s, t: s / t),
    "softmax is missing: shares are positive": _with_shares(_plain),
    "exp of large scores is inf: softmax, or subtract the largest first": _either_way(
        _overflowing
    ),
    "always the largest: u decides": lambda scores, temperature, u: int(
        numbers(scores).argmax()
    ),
    "the last class at which the sum is not yet larger: one more": _with_class(
        lambda shares, u: max(_first(shares, u) - 1, 0)
    ),
    "a class too far: classes are counted from 0": _with_class(
        lambda shares, u: _first(shares, u) + 1
    ),
    "the class never advances: i += 1 belongs in the loop, too": _with_class(
        lambda shares, u: 0
    ),
    "where the sum equals u, go on: it must be larger": _with_class(
        lambda shares, u: min(int((np.cumsum(shares) < u).sum()), len(shares) - 1)
    ),
    "u is compared with the sum of the shares, not with a share": (
        _with_class(lambda shares, u: int(np.argmax(shares > u))),
        _with_class(
            lambda shares, u: next((i for i, s in enumerate(shares) if s > u), None)
        ),
    ),
    "that treats all shares as equal: u · count": _with_class(
        lambda shares, u: int(u * len(shares))
    ),
    "the sum begins with the first class": _with_class(
        lambda shares, u: len(shares) - 1 - _first(shares[::-1], u)
    ),
    "the sum begins with class 0, not with the largest share": _with_class(
        lambda shares, u: int(np.argsort(-shares)[_first(-np.sort(-shares), u)])
    ),
    "the share is returned: return the class": _with_class(
        lambda shares, u: float(shares[_first(shares, u)])
    ),
    "the smallest share: that of the class whose sum is first above u": _with_class(
        lambda shares, u: int(shares.argmin())
    ),
}
