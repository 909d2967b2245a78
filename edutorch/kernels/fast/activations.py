"""Compiled loops of `kernels/activations.py` and `erf.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import SINGLE, helper, kernel
from edutorch.kernels.fast.exp import exp_nonpositive, expm1_float32

__all__ = [
    "clamp",
    "expm1",
    "gelu",
    "gelu_gradient",
    "leaky_relu",
    "leaky_relu_gradient",
    "relu_gradient",
    "sigmoid",
    "sigmoid_gradient",
    "silu",
    "silu_gradient",
    "tanh_gradient",
]

ZERO, HALF, ONE = np.float32(0), np.float32(0.5), np.float32(1)
FOUR = np.float32(4)
ROOT_HALF = np.float32(0.5**0.5)
DENSITY = np.float32(0.3989422804014327)  # 1 / sqrt(2 pi)


@helper
def _sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)), from an exponential that cannot overflow."""
    e = exp_nonpositive(-abs(x))
    return (ONE if x >= ZERO else e) / (ONE + e)


@helper
def _normal_cdf(x: Any) -> Any:
    """(1 + erf(x / sqrt(2))) / 2, with the polynomials of `kernels/erf.py`."""
    z = min(max(x * ROOT_HALF, -FOUR), FOUR)
    s = z * z
    p = np.float32(1.98679155e-06) * s + np.float32(2.84565083e-04)
    p = p * s + np.float32(3.88330204e-03)
    p = p * s + np.float32(5.31016159e-02)
    p = p * s + np.float32(0.193544068)
    p = p * s + np.float32(1.12837914)
    q = np.float32(3.74202276e-05) * s + np.float32(1.18556122e-03)
    q = q * s + np.float32(1.52071667e-02)
    q = q * s + np.float32(0.11534959)
    q = q * s + np.float32(0.50485652)
    q = q * s + ONE
    inside = (z * p / q + ONE) * HALF
    if z <= -FOUR:
        return ZERO
    return inside if z != FOUR else ONE


@kernel("void(T[::1], T[::1], float64, float64)", fastmath=False)
def clamp(x: Any, y: Any, low: float, high: float) -> None:
    """Math: y = min(max(x, low), high); nan stays nan, and -0 between limits -0."""
    require(x.size == y.size)
    bottom, top = x.dtype.type(low), x.dtype.type(high)
    for i in range(x.size):
        y[i] = min(max(x[i], bottom), top)


@kernel("void(T[::1], T[::1], T[::1])")
def relu_gradient(g: Any, y: Any, gx: Any) -> None:
    """Math: gx = g where y > 0 or y is nan, else 0; y is never negative."""
    require(g.size == y.size == gx.size)
    zero = g.dtype.type(0)
    for i in range(g.size):
        gx[i] = g[i] if y[i] != zero else zero


@kernel("void(T[::1], T[::1], float64)")
def leaky_relu(x: Any, y: Any, negative_slope: float) -> None:
    """Math: y = x where x > 0, else slope x."""
    require(x.size == y.size)
    zero, small = x.dtype.type(0), x.dtype.type(negative_slope)
    for i in range(x.size):
        y[i] = x[i] if x[i] > zero else x[i] * small


@kernel("void(T[::1], T[::1], T[::1], float64)")
def leaky_relu_gradient(g: Any, x: Any, gx: Any, negative_slope: float) -> None:
    """Math: gx = g where x > 0, else slope g."""
    require(g.size == x.size == gx.size)
    zero, small = g.dtype.type(0), g.dtype.type(negative_slope)
    for i in range(g.size):
        gx[i] = g[i] if x[i] > zero else g[i] * small


@kernel("void(T[::1], T[::1])", SINGLE)
def sigmoid(x: Any, y: Any) -> None:
    """Math: y = 1 / (1 + exp(-x))."""
    require(x.size == y.size)
    for i in range(x.size):
        y[i] = _sigmoid(x[i])


@kernel("void(T[::1], T[::1], T[::1])")
def sigmoid_gradient(g: Any, y: Any, gx: Any) -> None:
    """Math: gx = g y (1 - y)."""
    require(g.size == y.size == gx.size)
    one = g.dtype.type(1)
    for i in range(g.size):
        gx[i] = g[i] * (y[i] * (one - y[i]))


@kernel("void(T[::1], T[::1])", SINGLE, fastmath=False)
def expm1(x: Any, y: Any) -> None:
    """Math: y = exp(x) - 1, rounded once to single precision."""
    require(x.size == y.size)
    for i in range(x.size):
        y[i] = expm1_float32(x[i])


@kernel("void(T[::1], T[::1], T[::1])")
def tanh_gradient(g: Any, y: Any, gx: Any) -> None:
    """Math: gx = g (1 - y²)."""
    require(g.size == y.size == gx.size)
    one = g.dtype.type(1)
    for i in range(g.size):
        gx[i] = g[i] * (one - y[i] * y[i])


@kernel("void(T[::1], T[::1])", SINGLE)
def silu(x: Any, y: Any) -> None:
    """Math: y = x sigmoid(x)."""
    require(x.size == y.size)
    for i in range(x.size):
        y[i] = x[i] * _sigmoid(x[i])


@kernel("void(T[::1], T[::1], T[::1])", SINGLE)
def silu_gradient(g: Any, x: Any, gx: Any) -> None:
    """Math: gx = g s (1 + x (1 - s)), s = sigmoid(x)."""
    require(g.size == x.size == gx.size)
    for i in range(g.size):
        s = _sigmoid(x[i])
        gx[i] = g[i] * (s * (ONE + x[i] * (ONE - s)))


@kernel("void(T[::1], T[::1])", SINGLE)
def gelu(x: Any, y: Any) -> None:
    """Math: y = x normal_cdf(x)."""
    require(x.size == y.size)
    for i in range(x.size):
        y[i] = x[i] * _normal_cdf(x[i])


@kernel("void(T[::1], T[::1], T[::1])", SINGLE)
def gelu_gradient(g: Any, x: Any, gx: Any) -> None:
    """Math: gx = g (normal_cdf(x) + x exp(-x² / 2) / sqrt(2 pi))."""
    require(g.size == x.size == gx.size)
    for i in range(g.size):
        v = x[i]
        density = exp_nonpositive(v * v * -HALF) * DENSITY
        gx[i] = g[i] * (_normal_cdf(v) + v * density)
