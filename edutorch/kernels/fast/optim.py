"""Compiled loops of `kernels/optim.py`: each step is one pass over the numbers."""

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
    weight: float,
    decay: float,
    lookahead: float,
) -> None:
    """Math: d = g + decay p; v = momentum v + weight d; p = p - lr (v + lookahead d).

    `weight` is 1 - dampening. For Nesterov momentum, the caller passes momentum times
    the learning rate as `lr`, and 1 / momentum as `lookahead`; otherwise `lookahead`
    is 0.
    """
    require(p.size == g.size == v.size)
    number = p.dtype.type
    rate, beta, alpha = number(lr), number(momentum), number(weight)
    penalty, ahead = number(decay), number(lookahead)
    for i in range(p.size):
        d = g[i]
        if penalty != 0:  # 0 times an infinite parameter is nan
            d += penalty * p[i]
        v[i] = beta * v[i] + alpha * d
        step = v[i]
        if ahead != 0:
            step += ahead * d
        p[i] -= rate * step


@kernel(
    "void(T[::1], T[::1], T[::1], T[::1], float64, float64, float64, float64, float64,"
    "float64)"
)
def adam_step(
    p: Any,
    g: Any,
    mean: Any,
    square: Any,
    lr: float,
    weight1: float,
    weight2: float,
    eps: float,
    decay: float,
    shrink: float,
) -> None:
    """One step of Adam or AdamW; the caller has applied the bias corrections.

    Math: d = g + decay p; m += weight1 (d - m); v += weight2 (d² - v);
        p = shrink p - lr m / (sqrt(v) + eps)

    `weight1` and `weight2` are 1 - beta1 and 1 - beta2. Weight decay is `decay` for
    Adam; for AdamW, 1 - lr weight_decay is `shrink`.
    """
    require(p.size == g.size == mean.size == square.size)
    number = p.dtype.type
    rate, first, second = number(lr), number(weight1), number(weight2)
    epsilon, penalty, factor = number(eps), number(decay), number(shrink)
    for i in range(p.size):
        d = g[i]
        if penalty != 0:  # 0 times an infinite parameter is nan
            d += penalty * p[i]
        m = mean[i] + first * (d - mean[i])
        v = square[i] + second * (d * d - square[i])
        mean[i] = m
        square[i] = v
        p[i] = factor * p[i] - rate * m / (np.sqrt(v) + epsilon)
