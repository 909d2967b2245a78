"""Compiled loops of `kernels/conv_depthwise.py`: a kernel for each channel.

Planes are processed one after another. The rows of an output plane are padded to the
row length of the padded buffer (see Note [Padded buffer] in `padded_buffers.py`), so
that the elements which a tap reads for all outputs are contiguous; the padding between
two rows is not used.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require
from edutorch.kernels.fast.compiling import helper, kernel
from edutorch.kernels.fast.padded_buffers import (
    copy_into,
    copy_out_of,
    fits,
    tap_starts,
)

__all__ = ["forward", "grad_input", "grad_weight"]


@helper
def _tap_elements(padded: Any, first: int, y: Any) -> Any:
    """The contiguous elements of the buffer that a tap reads for y (D', H', W')."""
    _, height, width = padded.shape[3:]
    count = ((y.shape[0] - 1) * height + y.shape[1] - 1) * width + y.shape[2]
    return padded.reshape(-1)[first : first + count]


@helper
def _copy_rows(g: Any, rows: Any) -> None:
    """Copy rows into longer ones, whose ends are zero."""
    for h in range(g.shape[1]):
        for d in range(g.shape[0]):
            row, target = g[d, h], rows[d, h]
            for j in range(row.size):
                target[j] = row[j]


@kernel(
    "void(T[:,:,:,::1], T[:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], int64, int64,"
    " T[:,:,:,::1])"
)
def forward(
    x: Any, w: Any, geometry: Any, padded: Any, start: int, stop: int, y: Any
) -> None:
    """Compute planes `start` ... `stop - 1` of the output; y contains the bias.

    Math: y[n, o, p] += sum_k w[o, k] x[n, c, p stride + k dilation], c = o C // O
    Shape: (N C, D, H, W), (O, KD, KH, KW) -> (N O, D', H', W')
    """
    require(fits(padded, geometry, x.shape[3], w.shape[1:], y.shape[1:]))
    require(len(y) % len(x) == len(y) % len(w) == 0)
    require(0 <= start <= stop <= len(y))
    multiplier, flat = len(y) // len(x), w.reshape(len(w), -1)
    rows = np.empty(padded.shape[3:], padded.dtype)
    sums, taps = rows.reshape(-1), tap_starts(w.shape[1:], geometry, padded)
    for i in range(start, stop):
        if i == start or i % multiplier == 0:
            copy_into(x[i // multiplier], geometry, -geometry[1, 0], padded)
        sums[:] = 0
        for k in range(flat.shape[1]):
            elements = _tap_elements(padded, taps[k], y[i])
            factor = flat[i % len(w), k]
            for j in range(elements.size):
                sums[j] += factor * elements[j]
        for h in range(y.shape[2]):
            for d in range(y.shape[1]):
                row, total = y[i, d, h], rows[d, h]
                for j in range(row.size):
                    row[j] += total[j]


@kernel(
    "void(T[:,:,:,::1], T[:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], int64, int64,"
    " T[:,:,:,::1])"
)
def grad_input(
    g: Any, w: Any, geometry: Any, padded: Any, start: int, stop: int, gx: Any
) -> None:
    """Compute planes `start` ... `stop - 1` of the gradient of the input.

    Math: gx[n, c, p stride + k dilation] = sum_(o, k) w[o, k] g[n, o, p]
    Shape: (N O, D', H', W'), (O, KD, KH, KW) -> (N C, D, H, W)
    """
    require(fits(padded, geometry, gx.shape[3], w.shape[1:], g.shape[1:]))
    require(len(g) % len(gx) == len(g) % len(w) == 0)
    require(0 <= start <= stop <= len(gx))
    multiplier, flat = len(g) // len(gx), w.reshape(len(w), -1)
    rows = np.zeros(padded.shape[3:], padded.dtype)
    grads, taps = rows.reshape(-1), tap_starts(w.shape[1:], geometry, padded)
    for i in range(start * multiplier, stop * multiplier):
        if i % multiplier == 0:
            padded[...] = 0
        _copy_rows(g[i], rows)
        for k in range(flat.shape[1]):
            elements = _tap_elements(padded, taps[k], g[i])
            factor = flat[i % len(w), k]
            for j in range(elements.size):
                elements[j] += factor * grads[j]
        if i % multiplier == multiplier - 1:
            copy_out_of(padded, geometry, gx[i // multiplier])


@kernel(
    "void(T[:,:,:,::1], T[:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], int64, int64,"
    " T[:,:,:,::1])"
)
def grad_weight(
    g: Any, x: Any, geometry: Any, padded: Any, start: int, stop: int, gw: Any
) -> None:
    """Compute kernels `start` ... `stop - 1` of the gradient of the weight.

    Math: gw[o, k] = sum_(n, p) g[n, o, p] x[n, c, p stride + k dilation]
    Shape: (N O, D', H', W'), (N C, D, H, W) -> (O, KD, KH, KW)
    """
    require(fits(padded, geometry, x.shape[3], gw.shape[1:], g.shape[1:]))
    require(len(g) % len(x) == len(g) % len(gw) == 0)
    require(0 <= start <= stop <= len(gw))
    multiplier, flat, n = len(g) // len(x), gw.reshape(len(gw), -1), len(g) // len(gw)
    rows = np.zeros(padded.shape[3:], padded.dtype)
    grads, taps = rows.reshape(-1), tap_starts(gw.shape[1:], geometry, padded)
    for i in range(start * n, stop * n):
        o, plane = i // n, i % n * len(gw) + i // n
        if i % n == 0:
            flat[o] = 0
        copy_into(x[plane // multiplier], geometry, -geometry[1, 0], padded)
        _copy_rows(g[plane], rows)
        for k in range(flat.shape[1]):
            elements = _tap_elements(padded, taps[k], g[plane])
            total = g.dtype.type(0)
            for j in range(elements.size):
                total += grads[j] * elements[j]
            flat[o, k] += total
