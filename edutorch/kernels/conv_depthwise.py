"""Depthwise convolutions by compiled loops, without im2col.

With one channel per group, gathering columns costs more than multiplying them. A loop
adds multiples of image rows instead. Without compiled kernels, im2col in `conv.py` is
faster than loops in NumPy; it is also the reference for the tests.

Each function returns None if there is no compiled kernel.

Reference: Howard et al. (2017), "MobileNets: efficient convolutional neural networks".
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.compiled import CompiledKernels
from edutorch.kernels.padded_buffers import (
    as_3d,
    conv_geometry,
    is_supported,
    padded_buffer,
)
from edutorch.kernels.sliding_windows import Shape
from edutorch.kernels.thread_pool import parallel_blocks

__all__ = ["forward", "grad_input", "grad_weight"]

PRODUCTS_PER_NANOSECOND = 4  # estimate

_compiled = CompiledKernels("conv_depthwise")


def forward(
    x: Any,
    w: Any,
    b: Any,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    out: Shape,
) -> Any:
    """Cross-correlation of each channel with its own kernels, plus the bias.

    Math: y[n, o, p] = b[o] + sum_k w[o, k] x[n, c, p stride + k dilation], c = o C // O
    Shape: (N, C, *S), (O, 1, *K), (O) -> (N, O, *out)
    """
    run = _find_kernel("forward", x, w.shape, out)
    if run is None:
        return None
    n, o, geometry = len(x), len(w), conv_geometry(stride, padding, dilation)
    y = np.zeros((n, o, *out), x.dtype)
    if b is not None:
        y += b.reshape(-1, *(1,) * len(out))
    planes, result, kernels = _planes(x), _planes(y), _planes(w)

    def convolve_planes(part: slice) -> None:
        padded = _padded_plane(geometry, planes)
        run(planes, kernels, geometry, padded, part.start, part.stop, result)

    parallel_blocks(convolve_planes, n * o, _nanoseconds(y, w), uses_blas=False)
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
    run = _find_kernel("grad_input", g, (*w.shape, *x_shape), g.shape[2:])
    if run is None:
        return None
    geometry = conv_geometry(stride, padding, dilation)
    gx = np.empty(x_shape, g.dtype)
    grads, result, kernels = _planes(g), _planes(gx), _planes(w)

    def compute_planes(part: slice) -> None:
        padded = _padded_plane(geometry, result)
        run(grads, kernels, geometry, padded, part.start, part.stop, result)

    parallel_blocks(compute_planes, len(result), _nanoseconds(g, w), uses_blas=False)
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
    run = _find_kernel("grad_weight", x, w_shape, g.shape[2:])
    if run is None:
        return None
    geometry, gw = conv_geometry(stride, padding, dilation), np.empty(w_shape, x.dtype)
    grads, planes, result = _planes(g), _planes(x), _planes(gw)

    def compute_kernels(part: slice) -> None:
        padded = _padded_plane(geometry, planes)
        run(grads, planes, geometry, padded, part.start, part.stop, result)

    parallel_blocks(compute_kernels, len(gw), _nanoseconds(g, gw), uses_blas=False)
    return gw


def _find_kernel(name: str, x: Any, w_shape: Shape, out: Shape) -> Any:
    """The compiled kernel for such arrays, or None."""
    if not is_supported(x, w_shape, out):
        return None
    return _compiled.find(name, np.empty(0, x.dtype))


def _planes(x: Any) -> Any:
    """(N, C, *S) -> (N C, D, H, W)"""
    planes = x.shape[0] * x.shape[1]
    return np.ascontiguousarray(x).reshape(planes, *as_3d(x.shape[2:]))


def _padded_plane(geometry: Any, planes: Any) -> Any:
    """The buffer for a whole plane."""
    size = planes.shape[1:]
    return padded_buffer(
        geometry, size, size[0] + 2 * int(geometry[1, 0]), planes.dtype
    )


def _nanoseconds(y: Any, w: Any) -> float:
    """Estimated nanoseconds for the products."""
    return float(y.size * (w.size // len(w)) / PRODUCTS_PER_NANOSECOND)
