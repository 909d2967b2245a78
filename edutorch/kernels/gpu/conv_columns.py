"""Kernels that gather columns for convolutions in 1 and 2 dimensions, and scatter them.

Columns have the shape (C, K, N, P): a row for each channel and cell of the kernel, and
all images side by side, so that the convolution and its two gradients are one product
of matrices each (one for each group): see `conv.py`. Each function returns None for
arrays that its kernels do not take.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from . import sources
from .sources import REALS, Source, blocks, dense

__all__ = ["gather", "images", "scatter"]

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


def gather(
    x: Any, kernel: Shape, out: Shape, stride: Shape, padding: Shape, dilation: Shape
) -> Any:
    """The windows of images as columns.

    Shape: (N, C, *S) -> (C, K, N, P)
    """
    found = dense(x) if len(kernel) <= 2 else None
    n, c = x.shape[:2]
    shape = c, prod(kernel), n, prod(out)
    if found is None or not prod(shape):
        return None
    if prod(kernel) == 1 and x.shape[2:] == out and not any(padding):
        return x.reshape(n, c, 1, -1).transpose(1, 2, 0, 3).copy()
    columns = sources.array_library().empty(shape, x.dtype)
    sizes = _sizes(x.shape, kernel, out, stride, padding, dilation)
    count = np.int64(columns.size)
    _launch("gather", x, columns.size, *found, columns, count, *sizes)
    return columns


def scatter(
    columns: Any,
    x_shape: Shape,
    kernel: Shape,
    out: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
) -> Any:
    """Add columns to the elements of the images that they were gathered from.

    Shape: (C, K, N, P) in any grouping -> (N, C, *S) = x_shape
    """
    found = dense(columns) if len(kernel) <= 2 else None
    if found is None or not (columns.size and prod(x_shape)):
        return None
    x = sources.array_library().empty(x_shape, columns.dtype)
    sizes = _sizes(x_shape, kernel, out, stride, padding, dilation)
    _launch("scatter", x, x.size, *found, x, np.int64(x.size), *sizes)
    return x


def images(rows: Any, b: Any, out: Shape) -> Any:
    """Outputs with the channel first as images, plus a bias (or None).

    Shape: (O, N, P), (O) -> (N, O, *out)
    """
    found = dense(rows, b)
    if found is None or not rows.size:
        return None
    o, n, size = rows.shape
    y = sources.array_library().empty((n, o, *out), rows.dtype)
    bias = np.uint64(0) if b is None else found[1]
    _launch("images_first", y, y.size, found[0], bias, y, np.int64(y.size),
            np.int32(n), np.int32(o), np.int32(size))  # fmt: skip
    return y
