"""Convolutions of each channel by itself, compiled: nothing is gathered or multiplied.

Columns of one channel make a matrix product with one row, which costs more to gather
than to multiply. A loop adds lines of the image instead. Without compiled kernels the
columns of `conv.py` are quicker than loops over NumPy's sums; they are the oracle, too.

Each function gives None where it has no twin.

Reference: Howard et al. (2017), "MobileNets: efficient convolutional neural networks".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.pool import in_blocks
from edutorch.kernels.rooms import geometry, in_three, room, served
from edutorch.kernels.sliding_windows import Shape
from edutorch.kernels.twins import Twins

__all__ = ["forward", "grad_input", "grad_weight"]

SPEED = 4  # products in a nanosecond, about

_twins = Twins("depthwise")


def forward(
    x: Any,
    w: Any,
    b: Any,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    out: Shape,
) -> Any:
    """Cross-correlation of each channel with kernels of its own, plus the bias.

    Math: y[n, o, p] = b[o] + sum_k w[o, k] x[n, c, p stride + k dilation], c = o C // O
    Shape: (N, C, *S), (O, 1, *K), (O) -> (N, O, *out)
    """
    run = _find("forward", x, w.shape, out)
    if run is None:
        return None
    n, o, how = len(x), len(w), geometry(stride, padding, dilation)
    y = np.zeros((n, o, *out), x.dtype)
    if b is not None:
        y += b.reshape(-1, *(1,) * len(out))
    planes, result, kernels = _planes(x), _planes(y), _planes(w)

    def some(part: slice) -> None:
        space = _room(how, planes)
        run(planes, kernels, how, space, part.start, part.stop, result)

    in_blocks(some, n * o, _work(y, w))
    return y


def grad_input(
    g: Any,
    w: Any,
    x_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """Gradient of `forward` with respect to its input, given that of y.

    Math: gx[n, c, p stride + k dilation] = sum_(o, k) w[o, k] g[n, o, p]
    Shape: (N, O, *S'), (O, 1, *K) -> (N, C, *S) = x_shape
    """
    run = _find("grad_input", g, (*w.shape, *x_shape), g.shape[2:])
    if run is None:
        return None
    how = geometry(stride, padding, dilation)
    gx = np.empty(x_shape, g.dtype)
    slopes, result, kernels = _planes(g), _planes(gx), _planes(w)

    def some(part: slice) -> None:
        space = _room(how, result)
        run(slopes, kernels, how, space, part.start, part.stop, result)

    in_blocks(some, len(result), _work(g, w))
    return gx


def grad_weight(
    g: Any,
    x: Any,
    w_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """Gradient of `forward` with respect to its weight, given that of y.

    Math: gw[o, k] = sum_(n, p) g[n, o, p] x[n, c, p stride + k dilation]
    Shape: (N, O, *S'), (N, C, *S) -> (O, 1, *K) = w_shape
    """
    run = _find("grad_weight", x, w_shape, g.shape[2:])
    if run is None:
        return None
    how, gw = geometry(stride, padding, dilation), np.empty(w_shape, x.dtype)
    slopes, planes, result = _planes(g), _planes(x), _planes(gw)

    def some(part: slice) -> None:
        space = _room(how, planes)
        run(slopes, planes, how, space, part.start, part.stop, result)

    in_blocks(some, len(gw), _work(g, gw))
    return gw


def _find(name: str, x: Any, w_shape: Shape, out: Shape) -> Any:
    """The twin of a function for such arrays, or None."""
    if not served(x, w_shape, out):
        return None
    return _twins.find(name, np.empty(0, x.dtype))


def _planes(x: Any) -> Any:
    """(N, C, *S) -> (N C, D, H, W)"""
    planes = x.shape[0] * x.shape[1]
    return np.ascontiguousarray(x).reshape(planes, *in_three(x.shape[2:]))


def _room(how: Any, planes: Any) -> Any:
    """Room for a whole plane."""
    size = planes.shape[1:]
    return room(how, size, size[0] + 2 * int(how[1, 0]), planes.dtype)


def _work(y: Any, w: Any) -> float:
    """About how many nanoseconds the products take."""
    return float(y.size * (w.size // len(w)) / SPEED)
