"""Convolution in 1, 2 and 3 dimensions: windows as rows of a matrix, and a product.

A window is the area that the kernel covers at one output position. Written as rows of a
matrix, `rows`, they turn a convolution into `rows @ w.T`; its gradients are those of a
product.

Reference: Chellapilla, Puri, Simard (2006), "High performance convolutional neural
networks for document processing".
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

__all__ = ["conv_forward", "conv_grad_input", "conv_grad_weight"]

Shape = tuple[int, ...]


def conv_forward(
    x: Any,
    w: Any,
    b: Any,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
    out: Shape,
) -> Any:
    """Cross-correlation of `x` with `w`, plus the bias `b` (or None).

    Math: y[n, o, p] = b[o] + sum_(c, k) w[o, c, k] x[n, c, p stride + k dilation]
    Shape: (N, C, *S), (O, C / groups, *K), (O) -> (N, O, *out)
    """
    rows = window_rows(x, w.shape[2:], out, stride, padding, dilation, groups)
    y = rows @ _matrices(w, groups).swapaxes(1, 2)  # (G, N P, O / G)
    y = y.reshape(groups, len(x), prod(out), len(w) // groups)
    y = y.transpose(1, 0, 3, 2).reshape(len(x), len(w), *out)
    return y if b is None else y + b.reshape(-1, *(1,) * len(out))


def conv_grad_weight(
    g: Any,
    x: Any,
    w_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """Gradient of `conv_forward` with respect to its weight, given that of y.

    Math: gw[o, c, k] = sum_(n, p) g[n, o, p] x[n, c, p stride + k dilation]
    Shape: (N, O, *S'), (N, C, *S) -> (O, C / groups, *K) = w_shape
    """
    out = g.shape[2:]
    rows = window_rows(x, w_shape[2:], out, stride, padding, dilation, groups)
    gw = _output_rows(g, groups).swapaxes(1, 2) @ rows  # (G, O / G, C / G K)
    return gw.reshape(w_shape)


def conv_grad_input(
    g: Any,
    w: Any,
    x_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """Gradient of `conv_forward` with respect to its input, given that of y.

    Each window's gradient is added to the inputs that the window covers.

    Math: gx[n, c, p stride + k dilation] = sum_(o, k) w[o, c, k] g[n, o, p]
    Shape: (N, O, *S'), (O, C / groups, *K) -> (N, C, *S) = x_shape
    """
    (n, c, *size), kernel, out = x_shape, w.shape[2:], g.shape[2:]
    rows = _output_rows(g, groups) @ _matrices(w, groups)  # (G, N P, C / G K)
    rows = rows.reshape(groups, n, prod(out), c // groups, prod(kernel))
    windows = rows.transpose(1, 0, 3, 4, 2).reshape(n, c, *kernel, *out)
    padded = [s + 2 * p for s, p in zip(size, padding, strict=True)]
    gx = np.zeros((n, c, *padded), windows.dtype)
    every = slice(None)
    for k in np.ndindex(*kernel):
        covered = [
            slice(i * d, i * d + (o - 1) * s + 1, s)
            for i, d, o, s in zip(k, dilation, out, stride, strict=True)
        ]
        gx[(every, every, *covered)] += windows[(every, every, *k)]
    inside = [slice(p, p + s) for s, p in zip(size, padding, strict=True)]
    return gx[(every, every, *inside)].copy()  # without the memory around it


def window_rows(
    x: Any,
    kernel: Shape,
    out: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """im2col: the window at each output position as a row of a matrix.

    Shape: (N, C, *S) -> (G, N P, C / G K), P = prod(out), K = prod(kernel)
    """
    n, c, dims = len(x), x.shape[1], len(kernel)
    x = np.pad(x, ((0, 0), (0, 0), *[(p, p) for p in padding]))
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation, strict=True)]
    axes = tuple(range(2, 2 + dims))
    windows = np.lib.stride_tricks.sliding_window_view(x, reach, axes)
    positions = [slice(0, (o - 1) * s + 1, s) for o, s in zip(out, stride, strict=True)]
    cells = [slice(None, None, d) for d in dilation]
    every = slice(None)
    windows = windows[(every, every, *positions, *cells)]  # (N, C, *out, *kernel)
    windows = windows.reshape(n, groups, c // groups, *out, *kernel)
    behind = range(3 + dims, 3 + 2 * dims)
    windows = windows.transpose(1, 0, *range(3, 3 + dims), 2, *behind)
    return windows.reshape(groups, n * prod(out), c // groups * prod(kernel))


def _output_rows(g: Any, groups: int) -> Any:
    """Gradients of outputs as rows, one for each position: (G, N P, O / G)."""
    n, o, *out = g.shape
    g = g.reshape(n, groups, o // groups, prod(out))
    return g.transpose(1, 0, 3, 2).reshape(groups, n * prod(out), o // groups)


def _matrices(w: Any, groups: int) -> Any:
    """The weight as a matrix for each group: (G, O / G, C / G K)."""
    return w.reshape(groups, len(w) // groups, prod(w.shape[1:]))
