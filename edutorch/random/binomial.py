"""Binomial distributed counts."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .discrete import UniformStream
from .generator import Generator

__all__ = ["binomial"]

# What Stirling's formula lacks of ln k!, for k up to 9; beyond, three terms do.
STIRLING = [
    math.lgamma(k + 1) - (k + 0.5) * math.log(k + 1) + (k + 1)
    - 0.5 * math.log(2 * math.pi) for k in range(10)
]  # fmt: skip


def binomial(generator: Generator, counts: Any, chances: Any) -> Any:
    """Numbers of successes in `counts` trials, each with probability `chances`."""
    counts, chances = np.broadcast_arrays(counts, chances)
    draw = UniformStream(generator, counts.size)
    pairs = zip(counts.reshape(-1).tolist(), chances.reshape(-1).tolist(), strict=True)
    numbers = [_binomial(count, p, draw) for count, p in pairs]
    draw.close()
    return np.array(numbers, counts.dtype).reshape(counts.shape)


def _binomial(count: float, p: float, draw: Callable[[], float]) -> float:
    if math.isnan(p) or math.isnan(count):
        return math.nan
    if count == math.inf:  # rejection would never end
        return count if p > 0 else 0
    if count <= 0 or p <= 0:
        return 0
    if p >= 1:
        return count
    if p > 0.5:  # count the failures instead
        return count - _binomial(count, 1 - p, draw)
    if count * p >= 10:
        return _binomial_by_rejection(count, p, draw)
    return _binomial_by_waiting_times(count, p, draw)


def _binomial_by_waiting_times(
    count: float, p: float, draw: Callable[[], float]
) -> int:
    """Successes until the waiting times between them exceed the number of trials.

    Reference: Devroye, 1986, chapter X.4
    """
    successes, waited, rate = 0, 0.0, math.log1p(-p)
    while True:
        u = draw()
        waited += math.ceil(math.log(u) / rate) if u else math.inf
        if waited > count:
            return successes
        successes += 1


def _binomial_by_rejection(count: float, p: float, draw: Callable[[], float]) -> int:
    """Transformed rejection, algorithm BTRS (Hörmann, 1993)."""
    deviation = math.sqrt(count * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    c = count * p + 0.5
    v_r = 0.92 - 4.2 / b
    odds = p / (1 - p)
    alpha = (2.83 + 5.1 / b) * deviation
    m = math.floor((count + 1) * p)
    while True:
        u, v = draw() - 0.5, draw()
        us = 0.5 - abs(u)
        k = math.floor((2 * a / us + b) * u + c) if us else -1
        if us >= 0.07 and v <= v_r:
            return k
        if k < 0 or k > count:
            continue
        accept = math.log(v * alpha / (a / (us * us) + b))
        if accept <= _log_ratio(count, m, k, odds):
            return k


def _log_ratio(n: float, m: int, k: int, odds: float) -> float:
    """Logarithm of the probability of k successes over that of m, the likeliest."""
    return (
        (m + 0.5) * math.log((m + 1) / (odds * (n - m + 1)))
        + (n + 1) * math.log((n - m + 1) / (n - k + 1))
        + (k + 0.5) * math.log(odds * (n - k + 1) / (k + 1))
        + _stirling(m) + _stirling(n - m) - _stirling(k) - _stirling(n - k)
    )  # fmt: skip


def _stirling(k: float) -> float:
    """The error of Stirling's formula for ln k!."""
    if k <= 9:
        return STIRLING[int(k)]
    square = (k + 1) * (k + 1)
    return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / (k + 1)
