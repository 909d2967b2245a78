"""Gradients of normalisation, step by step: readable, and for `create_graph`.

The kernels do the same in fewer passes over memory.
"""

from __future__ import annotations

from typing import Any

from ..pointwise import sqrt
from ..reduce import mean, sum

__all__ = ["gradients", "standardized"]


def standardized(x: Any, dims: tuple[int, ...], eps: float) -> tuple[Any, Any]:
    """`x` with mean 0 and variance 1 over `dims`, and its divisor.

    Math: z = (x − mean) / s, s = √(var + eps)
    Shape: (*) -> (*), (*) with size 1 at `dims`
    """
    centred = x - mean(x, dims, keepdim=True)
    s = sqrt(mean(centred * centred, dims, keepdim=True) + eps)
    return centred / s, s


def gradients(
    g: Any, x: Any, w: Any, dims: tuple[int, ...], shape: tuple[int, ...], eps: float
) -> tuple[Any, Any, Any]:
    """Gradients of `standardized(x) · w + b` with respect to x, w and b.

    `shape` is how w lies along x: its size, and 1 where it is repeated.

    Math: ∂L/∂x = (h − mean(h) − z · mean(h·z)) / s, h = g·w
          ∂L/∂w = Σ g·z      ∂L/∂b = Σ g
    Shape: (*), (*), `shape` -> (*), `shape`, `shape`
    """
    z, s = standardized(x, dims, eps)
    h = g if w is None else g * w.reshape(shape)
    gx = (h - mean(h, dims, keepdim=True) - z * mean(h * z, dims, keepdim=True)) / s
    repeated = tuple(i for i, n in enumerate(shape) if n == 1)
    if not repeated:
        return gx, g * z, g
    return gx, sum(g * z, repeated, keepdim=True), sum(g, repeated, keepdim=True)
