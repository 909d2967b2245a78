"""Resampling along one dimension: each output is a weighted sum of a few inputs.

Two tables give the inputs and their weights: `index` and `weight`, both of shape
(out, taps). Images are resampled one dimension after the other.
"""

from __future__ import annotations

import math
from math import prod
from typing import Any, NamedTuple

import numpy as np

from edutorch.backends.array_modules import array_module

__all__ = [
    "WeightTable", "antialias_table", "interpolation_table", "nearest_table",
    "resample", "resample_backward", "resample_bytes",
]  # fmt: skip

# Up to this many inputs a line is fastest resampled by a product with a matrix that is
# mostly zeros (128 planes from 32 x 32 to 64 x 64 and back: 1.5 ms against 16 ms).
MAX_MATRIX_SIZE = 128


class WeightTable(NamedTuple):
    """For each result along a line, its inputs and their weights."""

    index: Any  # (out, taps), rising along the line
    weight: Any  # (out, taps); None: one tap with weight 1
    size: int  # of the input line


def source_step(n: int, out: int, align: bool, scale: float | None) -> float:
    """The distance of neighbouring results, in input pixels."""
    if align:
        return (n - 1) / (out - 1) if out > 1 else 0.0
    return 1 / scale if scale is not None and scale > 0 else n / out


def nearest_table(
    n: int, out: int, exact: bool, scale: float | None, dtype: Any
) -> WeightTable:
    """The input at or before each result's corner, or (`exact`) around its middle.

    Example:
        >>> nearest_table(2, 4, False, None, np.float32).index[:, 0]
        array([0, 0, 1, 1])
    """
    wide = dtype if np.dtype(dtype).kind == "f" else np.float32
    places = np.arange(out).astype(wide)
    moved = (places + wide(0.5 if exact else 0)) * wide(
        source_step(n, out, False, scale)
    )
    index = np.floor(moved.astype(np.float32)).astype(np.int64)
    return WeightTable(np.minimum(index, n - 1)[:, None], None, n)


def interpolation_table(
    n: int, out: int, cubic: bool, align: bool, scale: float | None, dtype: Any
) -> WeightTable:
    """Linear interpolation of two neighbours, or cubic interpolation of four.

    Example:
        >>> interpolation_table(2, 3, False, True, None, np.float32).weight
        array([[1. , 0. ],
               [0.5, 0.5],
               [1. , 0. ]], dtype=float32)
    """
    place = np.arange(out).astype(dtype)
    distance = dtype(source_step(n, out, align, scale))
    if align:
        place = place * distance
    else:  # the centres of cells are aligned
        place = (place + dtype(0.5)) * distance - dtype(0.5)
    if not cubic:
        place = np.maximum(place, 0)
    first = np.floor(place)
    if not cubic:
        first = np.minimum(first, n - 1)
    t = np.clip(place - first, 0, 1)[:, None]
    if cubic:
        weight = cubic_curve(np.abs(t - np.arange(-1, 3)), -0.75)
    else:
        weight = np.concatenate([1 - t, t], 1)
    taps = np.arange(-1, 3) if cubic else np.arange(2)
    index = np.clip(first.astype(np.int64)[:, None] + taps, 0, n - 1)
    return WeightTable(index, weight.astype(dtype), n)


def cubic_curve(x: Any, a: float) -> Any:
    """The weight of a value at distance x >= 0: cubic convolution.

    Reference: Keys (1981), "Cubic convolution interpolation for digital image
    processing".
    """
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = ((x - 5) * x + 8) * a * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0))


def triangle_filter(x: Any) -> Any:
    """The weight of a value at distance x: linear interpolation."""
    return np.maximum(1 - np.abs(x), 0)


def lanczos_filter(x: Any) -> Any:
    """The weight of a value at distance x: sinc, windowed by a wider sinc."""
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


FILTERS = {
    "linear": (triangle_filter, 1),
    "cubic": (lambda x: cubic_curve(np.abs(x), -0.5), 2),
    "lanczos": (lanczos_filter, 3),
}  # the curve, and its radius


def antialias_table(
    n: int, out: int, kind: str, align: bool, scale: float | None, dtype: Any
) -> WeightTable:
    """A filter as wide as a result's cell, which averages when images shrink.

    Example:
        >>> antialias_table(4, 2, "linear", False, None, np.float64).weight.round(3)
        array([[0.429, 0.429, 0.143],
               [0.143, 0.429, 0.429]])
    """
    curve, reach = FILTERS[kind]
    distance = source_step(n, out, align, scale)
    wide = max(distance, 1.0)
    support = reach * wide
    middle = distance * (np.arange(out) + 0.5)
    first = np.maximum((middle - support + 0.5).astype(np.int64), 0)
    last = np.minimum((middle + support + 0.5).astype(np.int64), n)
    taps = first[:, None] + np.arange(max(1, int((last - first).max(initial=1))))
    weight = curve((taps - middle[:, None] + 0.5) / wide)
    weight = np.where(taps < last[:, None], weight, 0)
    total = weight.sum(1, keepdims=True)
    weight = weight / np.where(total == 0, 1, total)
    index = np.minimum(taps, np.maximum(last - 1, 0)[:, None])
    return WeightTable(index, weight.astype(dtype), n)


def resample(x: Any, axis: int, table: WeightTable) -> Any:
    """A weighted sum of taps at each place of the lines along `axis`.

    Math: y[i] = Σ_t weight[i, t] · x[index[i, t]]
    """
    xp = array_module(x)
    index = xp.asarray(table.index)
    if table.weight is None:
        return xp.take(x, index[:, 0], axis)
    if table.size <= MAX_MATRIX_SIZE:
        y = _apply_matrix(x, axis, table_matrix(table).astype(x.dtype))
        if xp.isfinite(y).all():  # zeros times inf or nan would give nan
            return y
    weight = xp.asarray(table.weight).astype(x.dtype, copy=False)
    shape = (-1, *(1,) * (x.ndim - axis - 1))
    y = 0
    for tap in range(index.shape[1]):
        y = y + xp.take(x, index[:, tap], axis) * weight[:, tap].reshape(shape)
    return y


def table_matrix(table: WeightTable) -> Any:
    """A table as the matrix that a line is multiplied with: (out, size).

    Example:
        >>> table_matrix(interpolation_table(2, 3, False, True, None, np.float32))
        array([[1. , 0. ],
               [0.5, 0.5],
               [0. , 1. ]])
    """
    out, taps = table.index.shape
    found = np.zeros((out, table.size))
    weight = 1.0 if table.weight is None else table.weight.reshape(-1)
    rows = np.repeat(np.arange(out), taps)
    np.add.at(found, (rows, table.index.reshape(-1)), weight)
    return found


def _apply_matrix(x: Any, axis: int, weights: Any) -> Any:
    """The lines along an axis, multiplied with a matrix."""
    weights = array_module(x).asarray(weights)
    if axis == x.ndim - 1:
        return x @ weights.T
    *leading, n = x.shape[: axis + 1]
    rest = x.shape[axis + 1 :]
    y = weights @ x.reshape(*leading, n, prod(rest))
    return y.reshape(*leading, len(weights), *rest)


def resample_backward(g: Any, axis: int, table: WeightTable) -> Any:
    """The transpose of `resample`: each gradient is added to its taps.

    Indices rise along a line, so equal ones are neighbours, and runs are summed.

    Math: x[j] = Σ weight[i, t] · g[i] over index[i, t] = j
    """
    xp = array_module(g)
    if table.size <= MAX_MATRIX_SIZE:
        gx = _apply_matrix(g, axis, table_matrix(table).astype(g.dtype).T)
        if xp.isfinite(gx).all():
            return gx
    shape = (-1, *(1,) * (g.ndim - axis - 1))
    before = (slice(None),) * axis
    gx = xp.zeros((*g.shape[:axis], table.size, *g.shape[axis + 1 :]), g.dtype)
    for tap in range(table.index.shape[1]):
        index, part = table.index[:, tap], g
        if table.weight is not None:
            weight = xp.asarray(table.weight[:, tap]).astype(g.dtype, copy=False)
            part = g * weight.reshape(shape)
        starts = np.flatnonzero(np.diff(index, prepend=-1))
        sums = xp.add.reduceat(part, xp.asarray(starts), axis)
        gx[(*before, xp.asarray(index[starts]))] += sums
    return gx


def resample_bytes(x: Any, axis: int, table: WeightTable) -> Any:
    """`resample` of bytes in whole numbers: weights are fractions of a power of two.

    PyTorch (and Pillow) keep weights in 16 bits; products are summed exactly, so a
    product of matrices of doubles gives the same.
    """
    xp = array_module(x)
    weights = table_matrix(table)
    bits = weight_bits(float(weights.max()))
    scaled = weights * (1 << bits)
    whole = np.trunc(scaled + np.where(scaled < 0, -0.5, 0.5))
    sums = xp.moveaxis(x, axis, -1).astype(np.float64) @ xp.asarray(whole.T)
    y = xp.clip(xp.floor((sums + (1 << bits - 1)) / (1 << bits)), 0, 255)
    return xp.moveaxis(y.astype(x.dtype), -1, axis)


def weight_bits(most: float) -> int:
    """The number of fractional bits that a 16-bit weight can have.

    Example:
        >>> weight_bits(1.0)
        14
    """
    for bits in range(22):
        if math.floor(0.5 + most * (1 << bits + 1)) >= 1 << 15:
            return bits
    return 22
