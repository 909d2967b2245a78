"""Softmax, log-softmax and cross entropy by rows."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = [
    "cross_entropy_rows", "cross_entropy_rows_backward", "log_softmax",
    "log_softmax_backward", "softmax", "softmax_backward",
]  # fmt: skip


def softmax(x: Any, axis: int) -> Any:
    """Exponentials along `axis`, scaled to add up to 1.

    Math: y_i = exp(x_i - m) / sum_j exp(x_j - m), m = max_j x_j
    Shape: (*) -> (*)
    """
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def softmax_backward(g: Any, y: Any, axis: int) -> Any:
    """Gradient of `softmax`, from its result y.

    Math: gx = y (g - sum_j g_j y_j)
    Shape: (*), (*) -> (*)
    """
    return y * (g - (g * y).sum(axis, keepdims=True))


def log_softmax(x: Any, axis: int) -> Any:
    """Logarithm of the softmax, without forming it.

    Math: y_i = x_i - m - log sum_j exp(x_j - m), m = max_j x_j
    Shape: (*) -> (*)
    """
    y = x - x.max(axis, keepdims=True)
    return y - np.log(np.exp(y).sum(axis, keepdims=True))


def log_softmax_backward(g: Any, y: Any, axis: int) -> Any:
    """Gradient of `log_softmax`, from its result y.

    Math: gx = g - exp(y) sum_j g_j
    Shape: (*), (*) -> (*)
    """
    return g - np.exp(y) * g.sum(axis, keepdims=True)


def cross_entropy_rows(x: Any, target: Any) -> tuple[Any, Any]:
    """Negative log likelihood of class target[i] under softmax(x[i]), for each row.

    Returns the losses, and (m, s) of each row, which the backward needs.

    Math: loss_i = log s_i - (x[i, target_i] - m_i)
          m_i = max_j x_ij, s_i = sum_j exp(x_ij - m_i)
    Shape: (M, C), (M) -> (M), (2, M)
    """
    m = x.max(1)
    s = np.exp(x - m[:, None]).sum(1)
    losses = np.log(s) - (x[np.arange(len(x)), target] - m)
    return losses, np.stack([m, s])


def cross_entropy_rows_backward(g: Any, x: Any, sums: Any, target: Any) -> Any:
    """Gradient of the losses of `cross_entropy_rows` with respect to x.

    Math: gx_ij = g_i (exp(x_ij - m_i) / s_i - [j = target_i])
    Shape: (M) or (), (M, C), (2, M), (M) -> (M, C)
    """
    m, s = sums
    gx = (g / s)[:, None] * np.exp(x - m[:, None])
    gx[np.arange(len(x)), target] -= g
    return gx
