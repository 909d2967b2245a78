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
SQUARES = ((2, 2), (2, 2), (0, 0), (1, 1))  # windows that have their own kernel


def max_pool(
    x: Any,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    ceil_mode: bool = False,
) -> tuple[Any, Any]:
    """The maximum of each window, and the number of the tap that it is at.

    The first of equal values counts, as in PyTorch; nan is larger than every number.

    Math: y[n, c, p] = max_k x[n, c, p stride - padding + k dilation]
    Shape: (N, C, *S) -> (N, C, *S'), (N, C, *S') small unsigned integers
    """
    out = pool_size(x.shape[2:], kernel, stride, padding, dilation, ceil_mode)
    planes, shape = planes_first(x)
    n = prod(kernel)
    y = array_module(x).empty((planes.shape[0], *out, planes.shape[-1]), x.dtype)
    argmax = array_module(x).empty(y.shape, np.min_scalar_type(n))
    params = kernel, stride, padding, dilation
    run = _find_loop(planes, y, argmax, params)
    if run is None:
        steps = [
            (t, *tap_slices(tap, x.shape[2:], out, stride, padding, dilation))
            for t, tap in enumerate(taps(kernel))
        ]
        run = partial(_window_argmax, steps=steps)
    _in_blocks(run, y.size * n, planes, y, argmax)
    return restore_planes(y, shape), restore_planes(argmax, shape)


def _in_blocks(run: Any, steps: int, x: Any, *others: Any) -> None:
    """Call `run` on some planes of the arrays at a time, in several threads if large.

    A step, one tap of one window, takes a few nanoseconds.
    """
    if type(x) is not np.ndarray or plain():
        run(x, *others)
        return
    arrays = (x, *others)
    parallel_blocks(
        lambda part: run(*[a[part] for a in arrays]), len(x), 2 * steps, uses_blas=False
    )


def _find_loop(x: Any, y: Any, argmax: Any, params: tuple[Shape, ...]) -> Any:
    """The compiled loop for these planes, or None."""
    if argmax.dtype != np.uint8:
        return None
    if x.shape[-1] == 1:
        run = _compiled.find("max_pool_2x2", x, y)
        whole = tuple(s // 2 for s in x.shape[1:-1]) == y.shape[1:-1]
        if run is None or params != SQUARES or not whole:
            return None
        return lambda x, y, argmax: run(x[..., 0], y[..., 0], argmax[..., 0])
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


def _window_argmax(x: Any, y: Any, argmax: Any, steps: list[Any]) -> None:
    """Write the maximum of each window to y, and its tap to argmax."""
    xp = array_module(x)
    least = lowest(x.dtype)
    y[...], argmax[...] = least, 0
    for t, source, target in steps:
        value, best = x[(ALL, *source)], y[(ALL, *target)]
        new_tap = (value > best) * argmax.dtype.type(t)
        xp.maximum(best, value, out=best)
        best_tap = argmax[(ALL, *target)]
        xp.maximum(best_tap, new_tap, out=best_tap)  # later maxima win
    if y.size and not y.min() > least:  # nan somewhere, or a window of -inf only
        argmax[...] = _argmax_with_nan(x, y, argmax, steps)


def _argmax_with_nan(x: Any, y: Any, argmax: Any, steps: list[Any]) -> Any:
    """In PyTorch's order: the first element always counts, and so does the last nan."""
    xp = array_module(x)
    no_tap = len(steps)
    best = xp.full_like(y, lowest(x.dtype))
    argmax = xp.full_like(argmax, no_tap)
    for t, source, target in steps:
        value, best_tap = x[(ALL, *source)], argmax[(ALL, *target)]
        current_best = best[(ALL, *target)]
        is_better = (value > current_best) | (value != value) | (best_tap == no_tap)
        xp.copyto(best_tap, t, where=is_better)
        xp.copyto(current_best, value, where=is_better)
    return argmax


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
    argmax: Any,
    x_shape: Shape,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """Gradient of `max_pool`: each g goes to the maximum of its window.

    Math: gx[n, c, p stride - padding + k dilation] += g[n, c, p] where argmax == k
    Shape: (N, C, *S'), (N, C, *S') -> (N, C, *S) = x_shape
    """
    taps_of_max, shape = planes_first(argmax)
    gt = planes_like(g, argmax).astype(accumulator(g.dtype), copy=False)
    shape_x = (taps_of_max.shape[0], *x_shape[2:], taps_of_max.shape[-1])
    gx = array_module(g).empty(shape_x, gt.dtype)
    params = kernel, stride, padding, dilation
    run = None
    if taps_of_max.dtype == np.uint8:
        run = _compiled.find("max_pool_backward", gt, gx)
    if run is None:
        run = partial(_scatter, params=params)
    else:
        run = _with_geometry(run, params)
    _in_blocks(run, gx.size, gt, taps_of_max, gx)
    return restore_planes(gx, shape).astype(g.dtype, copy=False)


def _scatter(g: Any, argmax: Any, gx: Any, params: tuple[Shape, ...]) -> None:
    """Set gx to the sum of each g at the maximum of its window."""
    kernel, stride, padding, dilation = params
    out, size = g.shape[1:-1], gx.shape[1:-1]
    apart = all(
        t > d * (k - 1) for k, t, d in zip(kernel, stride, dilation, strict=True)
    )
    gx[...] = 0
    for t, tap in enumerate(taps(kernel)):
        source, target = tap_slices(tap, size, out, stride, padding, dilation)
        part, mask = g[(ALL, *target)], argmax[(ALL, *target)] == t
        if apart:  # no two windows share a cell
            masked(part, mask, out=gx[(ALL, *source)])
        else:
            gx[(ALL, *source)] += masked(part, mask)


def max_pool_take(
    x: Any,
    argmax: Any,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """The values of `x` at the maxima: the transpose of `max_pool_backward`.

    Shape: (N, C, *S), (N, C, *S') -> (N, C, *S')
    """
    taps_of_max, shape = planes_first(argmax)
    xt = planes_like(x, argmax)
    y = array_module(x).empty(taps_of_max.shape, x.dtype)
    for t, tap in enumerate(taps(kernel)):
        source, target = tap_slices(
            tap, x.shape[2:], argmax.shape[2:], stride, padding, dilation
        )
        mask = taps_of_max[(ALL, *target)] == t
        array_module(x).copyto(y[(ALL, *target)], xt[(ALL, *source)], where=mask)
    return restore_planes(y, shape)


def max_pool_indices(
    argmax: Any,
    size: Shape,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """PyTorch's indices of the maxima: positions in the flattened input plane.

    Shape: (N, C, *S') -> (N, C, *S') int64
    """
    xp = array_module(argmax)
    pitch = [prod(size[i + 1 :]) for i in range(len(size))]
    start = first = np.zeros((1,) * argmax.ndim, np.int64)
    for i, (t, p, d) in enumerate(zip(stride, padding, dilation, strict=True)):
        n = argmax.shape[i + 2]
        begin = (np.arange(n) * t - p).reshape(-1, *(1,) * (len(size) - 1 - i))
        start = start + begin * pitch[i]
        first = first + np.where(begin < 0, begin % d, begin) * pitch[i]
    offset = [
        sum(k * d * q for k, d, q in zip(tap, dilation, pitch, strict=True))
        for tap in taps(kernel)
    ]
    index = xp.asarray(start) + xp.asarray(np.array([*offset, 0], np.int64))[argmax]
    if not (argmax == len(offset)).any():
        return index
    # A window with no cell of the plane names the first that is not before it.
    return xp.where(argmax == len(offset), xp.asarray(first), index)
