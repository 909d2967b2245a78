"""Maximum pooling in 1, 2 and 3 dimensions.

A loop over the cells of the window ("taps"); each iteration combines one shifted,
strided view of the whole input. The forward stores the tap of each window's maximum in
one byte; PyTorch's indices into the input plane are computed on request. Windows of
2 x 2 cells, channels-last images and all gradients have compiled loops.
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.config import plain
from edutorch.kernels.activations import masked
from edutorch.kernels.compiled import CompiledKernels
from edutorch.kernels.sliding_windows import (
    Shape,
    accumulator,
    planes_first,
    planes_like,
    pool_size,
    restore_planes,
    tap_slices,
    taps,
)
from edutorch.kernels.thread_pool import parallel_blocks

__all__ = [
    "lowest",
    "max_pool",
    "max_pool_backward",
    "max_pool_indices",
    "max_pool_reference",
    "max_pool_take",
]

ALL = slice(None)
_compiled = CompiledKernels("max_pool")
SQUARES = ((2, 2), (2, 2), (0, 0), (1, 1))  # windows that a kernel of their own pools


def max_pool(
    x: Any,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    ceil_mode: bool = False,
) -> tuple[Any, Any]:
    """Largest value of each window, and the number of the tap that holds it.

    The first of equal values wins, as in PyTorch; nan wins over every number.

    Math: y[n, c, p] = max_k x[n, c, p stride - padding + k dilation]
    Shape: (N, C, *S) -> (N, C, *S'), (N, C, *S') small unsigned integers
    """
    out = pool_size(x.shape[2:], kernel, stride, padding, dilation, ceil_mode)
    planes, shape = planes_first(x)
    n = prod(kernel)
    y = array_module(x).empty((planes.shape[0], *out, planes.shape[-1]), x.dtype)
    winner = array_module(x).empty(y.shape, np.min_scalar_type(n))
    params = kernel, stride, padding, dilation
    run = _find_loop(planes, y, winner, params)
    if run is None:
        steps = [
            (t, *tap_slices(tap, x.shape[2:], out, stride, padding, dilation))
            for t, tap in enumerate(taps(kernel))
        ]
        run = partial(_window_argmax, steps=steps)
    _in_blocks(run, y.size * n, planes, y, winner)
    return restore_planes(y, shape), restore_planes(winner, shape)


def _in_blocks(run: Any, steps: int, x: Any, *others: Any) -> None:
    """Call `run` on some planes of the arrays at a time, in several threads if large.

    A step, one tap of one window, takes a few nanoseconds.
    """
    if type(x) is not np.ndarray or plain():
        run(x, *others)
        return
    arrays = (x, *others)
    parallel_blocks(lambda part: run(*[a[part] for a in arrays]), len(x), 2 * steps)


def _find_loop(x: Any, y: Any, winner: Any, params: tuple[Shape, ...]) -> Any:
    """The compiled loop for these planes, or None."""
    if winner.dtype != np.uint8:
        return None
    if x.shape[-1] == 1:
        run = _compiled.find("max_pool_2x2", x, y)
        whole = tuple(s // 2 for s in x.shape[1:-1]) == y.shape[1:-1]
        if run is None or params != SQUARES or not whole:
            return None
        return lambda x, y, winner: run(x[..., 0], y[..., 0], winner[..., 0])
    run = _compiled.find("max_pool_channels_last", x, y)
    if run is None:
        return None
    return _with_geometry(run, params)


def _with_geometry(run: Any, params: tuple[Shape, ...]) -> Any:
    """A loop over planes of three dimensions, for arrays of one to three."""
    missing = 3 - len(params[0])
    rows = zip(params, (1, 1, 0, 1), strict=True)
    geometry = np.array([(*(fill,) * missing, *row) for row, fill in rows])

    def run_3d(*arrays: Any) -> None:
        run(*[_as_3d(a, missing) for a in arrays], geometry)

    return run_3d


def _as_3d(x: Any, missing: int) -> Any:
    """(P, *S, B) with dimensions of size 1 before those of S."""
    return x.reshape(len(x), *(1,) * missing, *x.shape[1:])


def _window_argmax(x: Any, y: Any, winner: Any, steps: list[Any]) -> None:
    """Write the largest value of each window, and its tap, into y and winner."""
    xp = array_module(x)
    least = lowest(x.dtype)
    y[...], winner[...] = least, 0
    for t, source, target in steps:
        value, best = x[(ALL, *source)], y[(ALL, *target)]
        better = (value > best) * winner.dtype.type(t)
        xp.maximum(best, value, out=best)
        won = winner[(ALL, *target)]
        xp.maximum(won, better, out=won)  # t grows: the latest improvement counts
    if y.size and not y.min() > least:  # nan somewhere, or a window of -inf only
        winner[...] = _winner_with_nan(x, y, winner, steps)


def _winner_with_nan(x: Any, y: Any, winner: Any, steps: list[Any]) -> Any:
    """As PyTorch scans: a first cell always wins, and so does the latest nan."""
    xp = array_module(x)
    unset = len(steps)
    best = xp.full_like(y, lowest(x.dtype))
    winner = xp.full_like(winner, unset)
    for t, source, target in steps:
        value, won = x[(ALL, *source)], winner[(ALL, *target)]
        current_best = best[(ALL, *target)]
        better = (value > current_best) | (value != value) | (won == unset)
        xp.copyto(won, t, where=better)
        xp.copyto(current_best, value, where=better)
    return winner


def lowest(dtype: Any) -> Any:
    """The lowest value of a dtype: -inf, or the smallest integer."""
    return np.iinfo(dtype).min if np.dtype(dtype).kind in "iu" else -np.inf


def max_pool_reference(
    x: Any,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    ceil_mode: bool = False,
) -> tuple[Any, Any]:
    """`max_pool` window by window; returns values and PyTorch's flat indices.

    Shape: (N, C, *S) -> (N, C, *S'), (N, C, *S')
    """
    n, c, *size = x.shape
    out = pool_size(tuple(size), kernel, stride, padding, dilation, ceil_mode)
    y, index = np.zeros((n, c, *out), x.dtype), np.zeros((n, c, *out), np.int64)
    for i, j, *window in np.ndindex(n, c, *out):
        best = None
        for tap in taps(kernel):
            place = tuple(
                p * t - q + k * d
                for p, t, q, k, d in zip(
                    window, stride, padding, tap, dilation, strict=True
                )
            )
            if all(0 <= a < s for a, s in zip(place, size, strict=True)):
                value = x[(i, j, *place)]
                if best is None or value > best or value != value:
                    best = value
                    index[(i, j, *window)] = np.ravel_multi_index(place, size)
        y[(i, j, *window)] = best
    return y, index


def max_pool_backward(
    g: Any,
    winner: Any,
    x_shape: Shape,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """Gradient of `max_pool`: each g goes to the cell that won its window.

    Math: gx[n, c, p stride - padding + k dilation] += g[n, c, p] where winner == k
    Shape: (N, C, *S'), (N, C, *S') -> (N, C, *S) = x_shape
    """
    chosen, shape = planes_first(winner)
    gt = planes_like(g, winner).astype(accumulator(g.dtype), copy=False)
    shape_x = (chosen.shape[0], *x_shape[2:], chosen.shape[-1])
    gx = array_module(g).empty(shape_x, gt.dtype)
    params = kernel, stride, padding, dilation
    run = None
    if chosen.dtype == np.uint8:
        run = _compiled.find("max_pool_backward", gt, gx)
    if run is None:
        run = partial(_scatter, params=params)
    else:
        run = _with_geometry(run, params)
    _in_blocks(run, gx.size, gt, chosen, gx)
    return restore_planes(gx, shape).astype(g.dtype, copy=False)


def _scatter(g: Any, winner: Any, gx: Any, params: tuple[Shape, ...]) -> None:
    """Write into gx the sum of each g at the cell that won its window."""
    kernel, stride, padding, dilation = params
    out, size = g.shape[1:-1], gx.shape[1:-1]
    apart = all(
        t > d * (k - 1) for k, t, d in zip(kernel, stride, dilation, strict=True)
    )
    gx[...] = 0
    for t, tap in enumerate(taps(kernel)):
        source, target = tap_slices(tap, size, out, stride, padding, dilation)
        part, mask = g[(ALL, *target)], winner[(ALL, *target)] == t
        if apart:  # no two windows share a cell
            masked(part, mask, out=gx[(ALL, *source)])
        else:
            gx[(ALL, *source)] += masked(part, mask)


def max_pool_take(
    x: Any,
    winner: Any,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """Values of `x` at the cells that won: the transpose of `max_pool_backward`.

    Shape: (N, C, *S), (N, C, *S') -> (N, C, *S')
    """
    chosen, shape = planes_first(winner)
    xt = planes_like(x, winner)
    y = array_module(x).empty(chosen.shape, x.dtype)
    for t, tap in enumerate(taps(kernel)):
        source, target = tap_slices(
            tap, x.shape[2:], winner.shape[2:], stride, padding, dilation
        )
        mask = chosen[(ALL, *target)] == t
        array_module(x).copyto(y[(ALL, *target)], xt[(ALL, *source)], where=mask)
    return restore_planes(y, shape)


def max_pool_indices(
    winner: Any,
    size: Shape,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """PyTorch's indices of the winners: positions in the flattened input plane.

    Shape: (N, C, *S') -> (N, C, *S') int64
    """
    xp = array_module(winner)
    pitch = [prod(size[i + 1 :]) for i in range(len(size))]
    start = first = np.zeros((1,) * winner.ndim, np.int64)
    for i, (t, p, d) in enumerate(zip(stride, padding, dilation, strict=True)):
        n = winner.shape[i + 2]
        begin = (np.arange(n) * t - p).reshape(-1, *(1,) * (len(size) - 1 - i))
        start = start + begin * pitch[i]
        first = first + np.where(begin < 0, begin % d, begin) * pitch[i]
    offset = [
        sum(k * d * q for k, d, q in zip(tap, dilation, pitch, strict=True))
        for tap in taps(kernel)
    ]
    index = xp.asarray(start) + xp.asarray(np.array([*offset, 0], np.int64))[winner]
    if not (winner == len(offset)).any():
        return index
    # A window with no cell of the plane names the first that is not before it.
    return xp.where(winner == len(offset), xp.asarray(first), index)
