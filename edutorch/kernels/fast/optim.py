"""Compiled loops of `kernels/optim.py`: a whole step in one pass over the numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import kernel

__all__ = ["adam_step", "descend", "sgd_step"]


@kernel("void(T[::1], T[::1], float64)")
def descend(p: Any, g: Any, lr: float) -> None:
    """Math: p = p - lr g."""
    require(p.size == g.size)
    rate = p.dtype.type(lr)
    for i in range(p.size):
        p[i] -= rate * g[i]


@kernel("void(T[::1], T[::1], T[::1], float64, float64, float64, float64, float64)")
def sgd_step(
    p: Any,
    g: Any,
    v: Any,
    lr: float,
    momentum: float,
    share: float,
    decay: float,
    ahead: float,
) -> None:
    """Math: v = momentum v + share (g + decay p); p = p - lr (v + ahead (g + decay p)).

    With Nesterov's rule lr is momentum times the learning rate, and ahead is
    1 / momentum; otherwise ahead is 0.
    """
    require(p.size == g.size == v.size)
    number = p.dtype.type
    rate, keep, part = number(lr), number(momentum), number(share)
    shrink, more = number(decay), number(ahead)
    for i in range(p.size):
        d = g[i] + shrink * p[i]
        v[i] = keep * v[i] + part * d
        p[i] -= rate * (v[i] + more * d)


@kernel(
    "void(T[::1], T[::1], T[::1], T[::1], float64, float64, float64, float64, float64,"
    "float64)"
)
def adam_step(
    p: Any,
    g: Any,
    mean: Any,
    square: Any,
    size: float,
    share1: float,
    share2: float,
    eps: float,
    decay: float,
    keep: float,
) -> None:
    """Everything but p and the running means m and v is a number.

    Math: d = g + decay p; m += share1 (d - m); v += share2 (d² - v);
        p = keep p - size m / (sqrt(v) + eps)
    """
    require(p.size == g.size == mean.size == square.size)
    number = p.dtype.type
    step, first, second = number(size), number(share1), number(share2)
    least, shrink, remain = number(eps), number(decay), number(keep)
    for i in range(p.size):
        d = g[i] + shrink * p[i]
        m = mean[i] + first * (d - mean[i])
        v = square[i] + second * (d * d - square[i])
        mean[i] = m
        square[i] = v
        p[i] = remain * p[i] - step * m / (np.sqrt(v) + least)
