"""Convolution in 1 and 2 dimensions with columns gathered by a kernel of its own.

Columns stand as (C, K, N, P): a row for each channel and cell of the kernel, and all
images side by side, so that the convolution and its two gradients are one product of
matrices each (one for each group). Each function returns None for arrays that its
kernels do not take, and for columns that would fill too much memory.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from . import sources
from .sources import REALS, Source, blocks, dense

__all__ = ["conv_forward", "conv_grad_input", "conv_grad_weight"]

MOST_BYTES: Final = 2**32  # of columns

COLUMNS = """
extern "C" __global__ void gather_{R}(const {R}* x, {R}* columns, long long count,
                                      {sizes}) {{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int q = i % ow, p = i / ow % oh;
    long long rest = i / ow / oh;
    int image = rest % n; rest /= n;
    int l = rest % kw, k = rest / kw % kh, channel = rest / kw / kh;
    int row = p * sh - ph + k * dh, column = q * sw - pw + l * dw;
    bool inside = row >= 0 && row < h && column >= 0 && column < w;
    columns[i] = inside ? x[((long long)(image * c + channel) * h + row) * w + column]
                        : 0;
}}
// What each input gave to columns, added up.
extern "C" __global__ void scatter_{R}(const {R}* columns, {R}* x, long long count,
                                       {sizes}) {{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int column = i % w, row = i / w % h, channel = i / w / h % c, image = i / w / h / c;
    {R} total = 0;
    for (int k = 0; k < kh; ++k) {{
        int p = row + ph - k * dh;
        if (p < 0 || p % sh || p / sh >= oh) continue;
        for (int l = 0; l < kw; ++l) {{
            int q = column + pw - l * dw;
            if (q < 0 || q % sw || q / sw >= ow) continue;
            long long at = ((long long)(channel * kh + k) * kw + l) * n + image;
            total += columns[(at * oh + p / sh) * ow + q / sw];
        }}
    }}
    x[i] = total;
}}
// Images first, from outputs first, with a bias for each output.
extern "C" __global__ void images_first_{R}(const {R}* from, const {R}* bias, {R}* to,
    long long count, int images, int outputs, int size) {{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    int p = i % size, o = i / size % outputs, image = i / size / outputs;
    to[i] = from[((long long)o * images + image) * size + p] + (bias ? bias[o] : 0);
}}
"""
NAMES: Final = (
    "n", "c", "h", "w", "kh", "kw", "oh", "ow", "sh", "sw", "ph", "pw", "dh", "dw",
)  # fmt: skip
SOURCE = Source(
    "conv_columns",
    "".join(
        COLUMNS.format(R=real, sizes=", ".join(f"int {name}" for name in NAMES))
        for real in REALS.values()
    ),
    tuple(f"{name}_{real}" for real in REALS.values()
          for name in ("gather", "scatter", "images_first")),
)  # fmt: skip
Shape = tuple[int, ...]


def _sizes(
    x_shape: Shape,
    kernel: Shape,
    out: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> list[Any]:
    """The geometry as kernels take it; one dimension counts as rows of one line."""
    flat = len(kernel) == 1
    pairs = [x_shape[2:], kernel, out, stride, padding, dilation]
    rows = (1, 1, 1, 1, 0, 1)  # of a missing dimension
    full = [(r, *p) if flat else p for r, p in zip(rows, pairs, strict=True)]
    sizes = [*x_shape[:2], *(v for pair in full for v in pair)]
    return [np.int32(v) for v in sizes]


def _launch(name: str, like: Any, count: int, *arguments: Any) -> None:
    kernel = SOURCE.kernel(f"{name}_{REALS[like.dtype]}")
    kernel(*blocks(count), arguments)


def _takes(kernel: Shape, columns: int, itemsize: int) -> bool:
    return len(kernel) <= 2 and 0 < columns * itemsize <= MOST_BYTES


def _columns(x: Any, kernel: Shape, out: Shape, geometry: Any) -> Any:
    """Windows of all images as columns: (C, K, N, P)."""
    n, c = x.shape[:2]
    shape = (c, prod(kernel), n, prod(out))
    if prod(kernel) == 1 and x.shape[2:] == out and not any(geometry[1]):
        return x.reshape(n, c, 1, -1).transpose(1, 2, 0, 3).copy()
    columns = sources.array_library().empty(shape, x.dtype)
    sizes = _sizes(x.shape, kernel, out, *geometry)
    _launch("gather", x, columns.size, x, columns, np.int64(columns.size), *sizes)
    return columns


def _images_first(rows: Any, b: Any, n: int, out: Shape) -> Any:
    """Outputs (O, N, P) as images (N, O, *S)."""
    o, size = len(rows), prod(out)
    y = sources.array_library().empty((n, o, *out), rows.dtype)
    bias = np.uint64(0) if b is None else b
    _launch("images_first", y, y.size, rows, bias, y, np.int64(y.size),
            np.int32(n), np.int32(o), np.int32(size))  # fmt: skip
    return y


def _outputs_first(g: Any, groups: int) -> Any:
    """Images (N, O, *S) as a matrix for each group: (G, O / G, N P)."""
    n, o = g.shape[:2]
    rows = g.reshape(n, o, -1).swapaxes(0, 1)
    return (
        sources.array_library().ascontiguousarray(rows).reshape(groups, o // groups, -1)
    )


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
    """Cross-correlation of `x` with `w`, plus the bias `b` (or None)."""
    arrays, kernel = dense(x, w, b), w.shape[2:]
    number = x.shape[0] * x.shape[1] * prod(kernel) * prod(out)
    if arrays is None or not _takes(kernel, number, x.itemsize) or not w.size:
        return None
    x, w, b = arrays
    columns = _columns(x, kernel, tuple(out), (stride, padding, dilation))
    o = len(w)
    y = w.reshape(groups, o // groups, -1) @ columns.reshape(
        groups, prod(w.shape[1:]), -1
    )
    return _images_first(y.reshape(o, -1), b, len(x), tuple(out))


def conv_grad_weight(
    g: Any,
    x: Any,
    w_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """Gradient of `conv_forward` with respect to its weight."""
    arrays, kernel, out = dense(g, x), w_shape[2:], g.shape[2:]
    number = x.shape[0] * x.shape[1] * prod(kernel) * prod(out)
    if arrays is None or not _takes(kernel, number, x.itemsize):
        return None
    g, x = arrays
    columns = _columns(x, kernel, out, (stride, padding, dilation))
    columns = columns.reshape(groups, prod(w_shape[1:]), -1)
    return (_outputs_first(g, groups) @ columns.swapaxes(1, 2)).reshape(w_shape)


def conv_grad_input(
    g: Any,
    w: Any,
    x_shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """Gradient of `conv_forward` with respect to its input."""
    arrays, kernel, out = dense(g, w), w.shape[2:], g.shape[2:]
    number = x_shape[0] * x_shape[1] * prod(kernel) * prod(out)
    if arrays is None or not _takes(kernel, number, g.itemsize) or not prod(x_shape):
        return None
    g, w = arrays
    matrices = w.reshape(groups, len(w) // groups, -1).swapaxes(1, 2)
    columns = matrices @ _outputs_first(g, groups)  # (G, C / G K, N P)
    gx = sources.array_library().empty(x_shape, g.dtype)
    sizes = _sizes(tuple(x_shape), kernel, out, stride, padding, dilation)
    _launch("scatter", gx, gx.size, columns, gx, np.int64(gx.size), *sizes)
    return gx
