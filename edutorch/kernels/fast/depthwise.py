"""Twins of `kernels/depthwise.py`: one kernel slides over one channel.

Plane by plane and tap by tap: a line of outputs adds a line of inputs times one
number. See Note [Room] in `windows.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.compiling import helper, kernel
from edutorch.kernels.fast.windows import enter, leave, tap_line, window

__all__ = ["forward", "grad_input", "grad_weight"]


@helper
def _add(y: Any, factor: Any, room: Any, how: Any, tap: Any) -> None:
    """Math: y[p] += factor room[p stride]."""
    for h in range(y.shape[1]):
        for d in range(y.shape[0]):
            line, cells = y[d, h], window(room, how, tap, d, h)
            for j in range(line.size):
                line[j] += factor * cells[j]


@helper
def _spread(g: Any, factor: Any, room: Any, how: Any, tap: Any) -> None:
    """Math: room[p stride] += factor g[p]."""
    for h in range(g.shape[1]):
        for d in range(g.shape[0]):
            line, cells = g[d, h], window(room, how, tap, d, h)
            for j in range(line.size):
                cells[j] += factor * line[j]


@helper
def _sum_products(g: Any, room: Any, how: Any, tap: Any, sums: Any) -> None:
    """Math: sums[w] += sum_(d, h) g[d, h, w] room[(d, h, w) stride]."""
    for h in range(g.shape[1]):
        for d in range(g.shape[0]):
            line, cells = g[d, h], window(room, how, tap, d, h)
            for j in range(line.size):
                sums[j] += line[j] * cells[j]


@kernel(
    "void(T[:,:,:,::1], T[:,:,:,::1], int64[:,::1], T[:,:,:,::1], int64, int64,"
    " T[:,:,:,::1])"
)
def forward(x: Any, w: Any, how: Any, room: Any, start: int, stop: int, y: Any) -> None:
    """Planes `start` to `stop` of the outputs; y holds the bias.

    Math: y[n, o, p] += sum_k w[o, k] x[n, c, p stride + k dilation], c = o C // O
    Shape: (N C, D, H, W), (O, KD, KH, KW) -> (N O, D', H', W')
    """
    each, flat = len(y) // len(x), w.reshape(len(w), -1)
    for i in range(start, stop):
        factors = flat[i % len(w)]
        if i == start or i % each == 0:
            enter(x[i // each], how, -how[1, 0], room)
        for k in range(factors.size):
            tap = tap_line(k, w.shape[1:], how)
            _add(y[i], factors[k], room, how, tap)


@kernel(
    "void(T[:,:,:,::1], T[:,:,:,::1], int64[:,::1], T[:,:,:,::1], int64, int64,"
    " T[:,:,:,::1])"
)
def grad_input(
    g: Any, w: Any, how: Any, room: Any, start: int, stop: int, gx: Any
) -> None:
    """Planes `start` to `stop` of the inputs' gradient.

    Math: gx[n, c, p stride + k dilation] = sum_(o, k) w[o, k] g[n, o, p]
    Shape: (N O, D', H', W'), (O, KD, KH, KW) -> (N C, D, H, W)
    """
    each, flat = len(g) // len(gx), w.reshape(len(w), -1)
    for i in range(start * each, stop * each):
        factors = flat[i % len(w)]
        if i % each == 0:
            room[...] = 0
        for k in range(factors.size):
            tap = tap_line(k, w.shape[1:], how)
            _spread(g[i], factors[k], room, how, tap)
        if i % each == each - 1:
            leave(room, how, gx[i // each])


@kernel(
    "void(T[:,:,:,::1], T[:,:,:,::1], int64[:,::1], T[:,:,:,::1], int64, int64,"
    " T[:,:,:,::1])"
)
def grad_weight(
    g: Any, x: Any, how: Any, room: Any, start: int, stop: int, gw: Any
) -> None:
    """Kernels `start` to `stop` of the weight's gradient.

    Math: gw[o, k] = sum_(n, p) g[n, o, p] x[n, c, p stride + k dilation]
    Shape: (N O, D', H', W'), (N C, D, H, W) -> (O, KD, KH, KW)
    """
    each, flat, n = len(g) // len(x), gw.reshape(len(gw), -1), len(g) // len(gw)
    sums = np.empty((flat.shape[1], g.shape[3]), g.dtype)
    for i in range(start * n, stop * n):
        o, plane = i // n, i % n * len(gw) + i // n
        if i % n == 0:
            sums[...] = 0
        enter(x[plane // each], how, -how[1, 0], room)
        for k in range(len(sums)):
            tap = tap_line(k, gw.shape[1:], how)
            _sum_products(g[plane], room, how, tap, sums[k])
        if i % n == n - 1:
            for k in range(len(sums)):
                flat[o, k] = sums[k].sum()
