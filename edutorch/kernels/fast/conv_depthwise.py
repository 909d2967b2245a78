"""Compiled loops of `kernels/conv_depthwise.py`: one kernel slides over one channel.

The work goes plane by plane. Outputs are stored with the row length of the padded
buffer, see Note [Padded buffer] in `padded_buffers.py`: a tap then reads one contiguous
run for all outputs, with a few unused ones between two rows.
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
def _run(padded: Any, first: int, y: Any) -> Any:
    """The contiguous run of the buffer that a tap reads for y (D', H', W')."""
    _, high, wide = padded.shape[3:]
    count = ((y.shape[0] - 1) * high + y.shape[1] - 1) * wide + y.shape[2]
    return padded.reshape(-1)[first : first + count]


@helper
def _widen(g: Any, lines: Any) -> None:
    """Pad rows with zeros to the row length of the buffer."""
    for h in range(g.shape[1]):
        for d in range(g.shape[0]):
            line, target = g[d, h], lines[d, h]
            for j in range(line.size):
                target[j] = line[j]


@kernel(
    "void(T[:,:,:,::1], T[:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], int64, int64,"
    " T[:,:,:,::1])"
)
def forward(
    x: Any, w: Any, geometry: Any, padded: Any, start: int, stop: int, y: Any
) -> None:
    """Compute planes `start` to `stop` of the outputs; y holds the bias.

    Math: y[n, o, p] += sum_k w[o, k] x[n, c, p stride + k dilation], c = o C // O
    Shape: (N C, D, H, W), (O, KD, KH, KW) -> (N O, D', H', W')
    """
    require(fits(padded, geometry, x.shape[3], w.shape[1:], y.shape[1:]))
    require(len(y) % len(x) == len(y) % len(w) == 0)
    require(0 <= start <= stop <= len(y))
    each, flat = len(y) // len(x), w.reshape(len(w), -1)
    lines = np.empty(padded.shape[3:], padded.dtype)
    sums, taps = lines.reshape(-1), tap_starts(w.shape[1:], geometry, padded)
    for i in range(start, stop):
        if i == start or i % each == 0:
            copy_into(x[i // each], geometry, -geometry[1, 0], padded)
        sums[:] = 0
        for k in range(flat.shape[1]):
            cells = _run(padded, taps[k], y[i])
            factor = flat[i % len(w), k]
            for j in range(cells.size):
                sums[j] += factor * cells[j]
        for h in range(y.shape[2]):
            for d in range(y.shape[1]):
                line, total = y[i, d, h], lines[d, h]
                for j in range(line.size):
                    line[j] += total[j]


@kernel(
    "void(T[:,:,:,::1], T[:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], int64, int64,"
    " T[:,:,:,::1])"
)
def grad_input(
    g: Any, w: Any, geometry: Any, padded: Any, start: int, stop: int, gx: Any
) -> None:
    """Compute planes `start` to `stop` of the gradient of the inputs.

    Math: gx[n, c, p stride + k dilation] = sum_(o, k) w[o, k] g[n, o, p]
    Shape: (N O, D', H', W'), (O, KD, KH, KW) -> (N C, D, H, W)
    """
    require(fits(padded, geometry, gx.shape[3], w.shape[1:], g.shape[1:]))
    require(len(g) % len(gx) == len(g) % len(w) == 0)
    require(0 <= start <= stop <= len(gx))
    each, flat = len(g) // len(gx), w.reshape(len(w), -1)
    lines = np.zeros(padded.shape[3:], padded.dtype)
    grads, taps = lines.reshape(-1), tap_starts(w.shape[1:], geometry, padded)
    for i in range(start * each, stop * each):
        if i % each == 0:
            padded[...] = 0
        _widen(g[i], lines)
        for k in range(flat.shape[1]):
            cells = _run(padded, taps[k], g[i])
            factor = flat[i % len(w), k]
            for j in range(cells.size):
                cells[j] += factor * grads[j]
        if i % each == each - 1:
            copy_out_of(padded, geometry, gx[i // each])


@kernel(
    "void(T[:,:,:,::1], T[:,:,:,::1], int64[:,::1], T[:,:,:,:,:,::1], int64, int64,"
    " T[:,:,:,::1])"
)
def grad_weight(
    g: Any, x: Any, geometry: Any, padded: Any, start: int, stop: int, gw: Any
) -> None:
    """Compute kernels `start` to `stop` of the gradient of the weight.

    Math: gw[o, k] = sum_(n, p) g[n, o, p] x[n, c, p stride + k dilation]
    Shape: (N O, D', H', W'), (N C, D, H, W) -> (O, KD, KH, KW)
    """
    require(fits(padded, geometry, x.shape[3], gw.shape[1:], g.shape[1:]))
    require(len(g) % len(x) == len(g) % len(gw) == 0)
    require(0 <= start <= stop <= len(gw))
    each, flat, n = len(g) // len(x), gw.reshape(len(gw), -1), len(g) // len(gw)
    lines = np.zeros(padded.shape[3:], padded.dtype)
    grads, taps = lines.reshape(-1), tap_starts(gw.shape[1:], geometry, padded)
    for i in range(start * n, stop * n):
        o, plane = i // n, i % n * len(gw) + i // n
        if i % n == 0:
            flat[o] = 0
        copy_into(x[plane // each], geometry, -geometry[1, 0], padded)
        _widen(g[plane], lines)
        for k in range(flat.shape[1]):
            cells = _run(padded, taps[k], g[plane])
            total = g.dtype.type(0)
            for j in range(cells.size):
                total += grads[j] * cells[j]
            flat[o, k] += total
