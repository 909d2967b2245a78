"""Compiled loops of `kernels/norm.py`: a row or channel stays in the cache.

Each pass over the numbers is a separate loop, so that LLVM vectorises it; see
Note [Loops that LLVM vectorises] in `compiling.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import kernel

__all__ = [
    "normalize_channels",
    "normalize_channels_backward",
    "normalize_rows",
    "normalize_rows_backward",
]


@kernel("void(T[:,::1], T[::1], T[::1], float64, T[:,::1], T[::1], T[::1])")
def normalize_rows(
    x: Any, w: Any, b: Any, eps: float, y: Any, mean: Any, var: Any
) -> None:
    """Math: y = (x - mean) / sqrt(var + eps) w + b, with w and b along the row."""
    require(x.shape == y.shape and x.shape[1] == w.size == b.size)
    require(len(x) == mean.size == var.size)
    width = x.shape[1]
    for i in range(len(x)):
        row, out = x[i], y[i]
        total = mean.dtype.type(0)
        for j in range(width):
            total += row[j]
        m = total / mean.dtype.type(width)
        mean[i] = m
        total = mean.dtype.type(0)
        for j in range(width):
            total += (row[j] - m) * (row[j] - m)
        var[i] = total / mean.dtype.type(width)
        scale = mean.dtype.type(1 / np.sqrt(var[i] + eps))
        for j in range(width):
            out[j] = (row[j] - m) * scale * w[j] + b[j]


@kernel("void(T[:,::1], T[:,::1], T[::1], T[::1], T[::1], T[:,::1], T[::1], T[::1])")
def normalize_rows_backward(
    g: Any, x: Any, w: Any, mean: Any, scale: Any, gx: Any, gw: Any, gb: Any
) -> None:
    """Write gx, and add to gw and gb.

    `scale` is 1 / sqrt(var + eps), z is the result for w = 1 and b = 0.

    Math: gx = (h - mean(h) - z mean(h z)) scale, h = g w; gw += sum g z; gb += sum g
    """
    require(g.shape == x.shape == gx.shape)
    require(x.shape[1] == w.size == gw.size == gb.size)
    require(len(x) == mean.size == scale.size)
    width = x.shape[1]
    share = mean.dtype.type(1 / width)
    for i in range(len(x)):
        g_row, x_row, gx_row = g[i], x[i], gx[i]
        m, s = mean[i], scale[i]
        along = along_z = mean.dtype.type(0)
        for j in range(width):
            h = g_row[j] * w[j]
            along += h
            along_z += h * (x_row[j] - m)
        along *= share
        along_z *= share * s * s
        for j in range(width):
            gw[j] += g_row[j] * ((x_row[j] - m) * s)
        for j in range(width):
            gb[j] += g_row[j]
        for j in range(width):
            gx_row[j] = (g_row[j] * w[j] - along - (x_row[j] - m) * along_z) * s


@kernel("void(T[:,:,::1], T[::1], T[::1], float64, T[:,:,::1], T[::1], T[::1], int64)")
def normalize_channels(
    x: Any, w: Any, b: Any, eps: float, y: Any, mean: Any, var: Any, first: int
) -> None:
    """Normalise the channels `first` ... `first + len(mean) - 1`.

    Math: y = (x - mean) / sqrt(var + eps) w + b, with one w and b for each channel
    """
    require(x.shape == y.shape and x.shape[1] == w.size == b.size)
    require(mean.size == var.size and 0 <= first <= w.size - mean.size)
    count = x.shape[0] * x.shape[2]
    for i in range(mean.size):
        c = first + i
        total = 0.0  # in double precision: there may be many rows
        for n in range(len(x)):
            row, part = x[n, c], mean.dtype.type(0)
            for j in range(row.size):
                part += row[j]
            total += part
        m = mean.dtype.type(total / count)
        total = 0.0
        for n in range(len(x)):
            row, part = x[n, c], mean.dtype.type(0)
            for j in range(row.size):
                part += (row[j] - m) * (row[j] - m)
            total += part
        mean[i], var[i] = m, total / count
        scale = mean.dtype.type(1 / np.sqrt(var[i] + eps)) * w[c]
        shift = b[c]
        for n in range(len(x)):
            row, out = x[n, c], y[n, c]
            for j in range(row.size):
                out[j] = (row[j] - m) * scale + shift


@kernel(
    "void(T[:,:,::1], T[:,:,::1], T[::1], T[::1], T[::1], T[:,:,::1], T[::1], T[::1],"
    "int64)"
)
def normalize_channels_backward(
    g: Any,
    x: Any,
    w: Any,
    mean: Any,
    scale: Any,
    gx: Any,
    gw: Any,
    gb: Any,
    first: int,
) -> None:
    """The gradients of the channels `first` ... `first + len(gw) - 1`.

    `scale` is 1 / sqrt(var + eps), z the result for w = 1 and b = 0.

    Math: gx = (g - mean(g) - z mean(g z)) w scale, gw = sum g z, gb = sum g
    """
    require(g.shape == x.shape == gx.shape)
    require(x.shape[1] == w.size == mean.size == scale.size)
    require(gw.size == gb.size and 0 <= first <= w.size - gw.size)
    share = mean.dtype.type(1 / (x.shape[0] * x.shape[2]))
    for i in range(gw.size):
        c = first + i
        m, s = mean[c], scale[c]
        total = total_z = 0.0
        for n in range(len(x)):
            g_row, x_row = g[n, c], x[n, c]
            along = along_z = mean.dtype.type(0)
            for j in range(x_row.size):
                along += g_row[j]
                along_z += g_row[j] * (x_row[j] - m)
            total += along
            total_z += along_z
        gw[i], gb[i] = total_z * s, total
        along = mean.dtype.type(total) * share
        along_z = mean.dtype.type(total_z) * share * s * s
        factor = s * w[c]
        for n in range(len(x)):
            g_row, x_row, gx_row = g[n, c], x[n, c], gx[n, c]
            for j in range(x_row.size):
                gx_row[j] = (g_row[j] - along - (x_row[j] - m) * along_z) * factor
