"""im2col and col2im: sliding windows as columns, and columns added to an image."""

from __future__ import annotations

from math import prod
from typing import Any

from edutorch.backends.array_modules import array_module
from edutorch.kernels.sliding_windows import (
    Shape,
    add_windows,
    batch_first,
    batch_last,
    conv_size,
    windows,
)

__all__ = ["fold", "unfold"]


def unfold(
    x: Any, kernel: Shape, stride: Shape, padding: Shape, dilation: Shape
) -> Any:
    """Every window of each image as one column.

    Math: y[n, (c, k), p] = x[n, c, p stride - padding + k dilation]
    Shape: (N, C, *S) -> (N, C prod(K), prod(S'))
    """
    n, c, *size = x.shape
    out = conv_size(tuple(size), kernel, stride, padding, dilation)
    view = windows(batch_last(x, padding), kernel, out, stride, dilation)
    columns = array_module(x).moveaxis(view, -1, 0)  # (N, C, *K, *S')
    y = columns.reshape(n, c * prod(kernel), prod(out))
    return y.astype(x.dtype, copy=False)


def fold(
    columns: Any,
    size: Shape,
    kernel: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """Sum of the columns at the places they come from: the transpose of `unfold`.

    Math: y[n, c, p stride - padding + k dilation] += x[n, (c, k), p]
    Shape: (N, C prod(K), prod(S')) -> (N, C, *size)
    """
    n, rows, _ = columns.shape
    c = rows // prod(kernel)
    out = conv_size(size, kernel, stride, padding, dilation)
    standing = batch_last(columns)  # (C prod(K), prod(S'), N)
    y = array_module(columns).zeros((c, *size, n), standing.dtype)
    standing = standing.reshape(c, *kernel, *out, n)
    add_windows(y, standing, stride, padding, dilation)
    return batch_first(y, columns.dtype)
