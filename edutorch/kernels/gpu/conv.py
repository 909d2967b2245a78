"""Convolution on a GPU: all windows as columns of a matrix, and one product.

On a GPU memory is plentiful and each call is costly, so all columns are gathered at
once and multiplied by cuBLAS. Batches whose columns would take more than COLUMN_BYTES
are cut. In 1 and 2 dimensions kernels gather and scatter (`conv_columns.py`); the rest
is done by functions that both NumPy and CuPy have.

Reference: Chellapilla, Puri, Simard (2006), "High performance convolutional neural
networks for document processing".
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.kernels.gpu import conv_columns

__all__ = ["conv_forward", "conv_grad_input", "conv_grad_weight"]

Shape = tuple[int, ...]

COLUMN_BYTES = 2**32


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
    params = tuple(out), stride, padding, dilation
    rows = matrices(w.astype(x.dtype, copy=False), groups)
    parts = []
    for part in batch_parts(x.shape, x.itemsize, w.shape[2:], out):
        columns = window_columns(x[part], w.shape[2:], *params)
        products = rows @ columns.reshape(groups, rows.shape[2], -1)  # (G, O / G, n P)
        parts.append(images(products.reshape(len(w), -1, prod(out)), b, tuple(out)))
    if len(parts) == 1:
        return parts[0]
    xp = array_module(x)
    return xp.concatenate(parts) if parts else xp.zeros((0, len(w), *out), x.dtype)


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
    out, kernel, total = g.shape[2:], w_shape[2:], None
    for part in batch_parts(x.shape, x.itemsize, kernel, out):
        columns = window_columns(x[part], kernel, out, stride, padding, dilation)
        columns = columns.reshape(groups, prod(w_shape[1:]), -1)
        product = output_rows(g[part], groups) @ columns.swapaxes(1, 2)
        total = product if total is None else total + product
    if total is None:
        return array_module(x).zeros(w_shape, x.dtype)
    return total.reshape(w_shape)


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
    kernel, out, parts = w.shape[2:], g.shape[2:], []
    rows = matrices(w.astype(g.dtype, copy=False), groups).swapaxes(1, 2)
    for part in batch_parts(x_shape, g.itemsize, kernel, out):
        columns = rows @ output_rows(g[part], groups)  # (G, C / G K, n P)
        shape = len(g[part]), *x_shape[1:]
        parts.append(
            add_columns(columns, shape, kernel, out, stride, padding, dilation)
        )
    if len(parts) == 1:
        return parts[0]
    xp = array_module(g)
    return xp.concatenate(parts) if parts else xp.zeros(x_shape, g.dtype)


def batch_parts(
    x_shape: Shape, itemsize: int, kernel: Shape, out: Shape
) -> Iterator[slice]:
    """Parts of a batch whose columns take at most COLUMN_BYTES."""
    one = x_shape[1] * prod(kernel) * prod(out) * itemsize
    step = max(1, COLUMN_BYTES // max(one, 1))
    return (slice(i, i + step) for i in range(0, x_shape[0], step))


def window_columns(
    x: Any, kernel: Shape, out: Shape, stride: Shape, padding: Shape, dilation: Shape
) -> Any:
    """im2col: the window at each output position as a column of a matrix.

    Shape: (n, C, *S) -> (C, K, n, P), P = prod(out), K = prod(kernel)
    """
    done = conv_columns.gather(x, kernel, out, stride, padding, dilation)
    if done is not None:
        return done
    x = padded(x, padding)
    (n, c), (sample, channel, *steps) = x.shape[:2], x.strides
    taps = [s * d for s, d in zip(steps, dilation, strict=True)]
    places = [s * t for s, t in zip(steps, stride, strict=True)]
    view = array_module(x).lib.stride_tricks.as_strided(
        x, (c, *kernel, n, *out), (channel, *taps, sample, *places)
    )
    return view.reshape(c, prod(kernel), n, prod(out))


def add_columns(
    columns: Any,
    x_shape: Shape,
    kernel: Shape,
    out: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """col2im: columns added to the elements that they were gathered from.

    Shape: (C, K, n, P) in any grouping -> (n, C, *S) = x_shape
    """
    params = stride, padding, dilation
    done = conv_columns.scatter(columns, x_shape, kernel, out, *params)
    if done is not None:
        return done
    n, c, *size = x_shape
    whole = [s + 2 * p for s, p in zip(size, padding, strict=True)]
    x = array_module(columns).zeros((n, c, *whole), columns.dtype)
    columns, every = columns.reshape(c, *kernel, n, *out), slice(None)
    for k in np.ndindex(*kernel):
        covered = [
            slice(i * d, i * d + (o - 1) * s + 1, s)
            for i, d, o, s in zip(k, dilation, out, stride, strict=True)
        ]
        x[(every, every, *covered)] += columns[(every, *k)].swapaxes(0, 1)
    inside = [slice(p, p + s) for s, p in zip(size, padding, strict=True)]
    return x[(every, every, *inside)].copy()  # without the memory around it


def images(rows: Any, b: Any, out: Shape) -> Any:
    """Outputs with the channel first as images, plus a bias.

    Shape: (O, n, P), (O) -> (n, O, *out)
    """
    done = conv_columns.images(rows, b, out)
    if done is not None:
        return done
    y = rows if b is None else rows + b.astype(rows.dtype, copy=False)[:, None, None]
    y = array_module(rows).ascontiguousarray(y.swapaxes(0, 1))
    return y.reshape(len(y), len(rows), *out)


def padded(x: Any, padding: Shape) -> Any:
    """Images with zeros around them, contiguous.

    Shape: (N, C, *S) -> (N, C, *(S + 2 padding))
    """
    xp = array_module(x)
    if not any(padding):
        return xp.ascontiguousarray(x)
    sizes = [s + 2 * p for s, p in zip(x.shape[2:], padding, strict=True)]
    y = xp.zeros((*x.shape[:2], *sizes), x.dtype)
    inside = [slice(p, p + s) for s, p in zip(x.shape[2:], padding, strict=True)]
    y[(slice(None), slice(None), *inside)] = x
    return y


def output_rows(g: Any, groups: int) -> Any:
    """Gradients of outputs, a row for each channel: (n, O, *S') -> (G, O / G, n P)."""
    n, o, *out = g.shape
    return g.swapaxes(0, 1).reshape(groups, o // groups, n * prod(out))


def matrices(w: Any, groups: int) -> Any:
    """The weight as a matrix for each group: (G, O / G, C / G K)."""
    return w.reshape(groups, len(w) // groups, prod(w.shape[1:]))
