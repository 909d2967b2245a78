"""Softmax, cross entropy and norms: one block of threads computes one row.

The formulas are those of `kernels/plain/softmax.py` and `norm.py`. Each function
returns None for arrays that its kernels do not support.
"""

from __future__ import annotations

from math import prod
from typing import Any, Final

import numpy as np

from . import sources
from .sources import REALS, Source, dense

__all__ = [
    "cross_entropy", "cross_entropy_backward", "log_softmax", "log_softmax_backward",
    "normalize_channels", "normalize_channels_backward", "normalize_rows",
    "normalize_rows_backward", "softmax", "softmax_backward",
]  # fmt: skip

REDUCE = r"""
template <typename T> struct Add {
    static __device__ T zero() { return 0; }
    static __device__ T of(T a, T b) { return a + b; }
};
template <typename T> struct Most {
    static __device__ T zero() { return -__int_as_float(0x7f800000); }
    static __device__ T of(T a, T b) { return a != a || a > b ? a : b; }
};
// The sum (or maximum) of a number of each thread of the block, for all threads.
template <template <typename> class Op, typename T> __device__ T all(T x) {
    __shared__ T parts[32];
    __syncthreads();
    for (int k = 16; k; k /= 2) x = Op<T>::of(x, __shfl_xor_sync(0xffffffffu, x, k));
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
    __syncthreads();
    x = threadIdx.x % 32 < blockDim.x / 32 ? parts[threadIdx.x % 32] : Op<T>::zero();
    for (int k = 16; k; k /= 2) x = Op<T>::of(x, __shfl_xor_sync(0xffffffffu, x, k));
    return x;
}
__device__ float exp_of(float x) { return expf(x); }
__device__ double exp_of(double x) { return exp(x); }
__device__ float log_of(float x) { return logf(x); }
__device__ double log_of(double x) { return log(x); }
#define EACH(i, n) for (long long i = threadIdx.x; i < n; i += blockDim.x)
"""
SOFTMAX = r"""
extern "C" __global__ void softmax_R(const R* x, R* y, long long width, int log) {
    x += blockIdx.x * width; y += blockIdx.x * width;
    R most = Most<R>::zero(), total = 0;
    EACH(i, width) most = Most<R>::of(x[i], most);
    most = all<Most>(most);
    EACH(i, width) total += exp_of(x[i] - most);
    total = all<Add>(total);
    if (log) { R shift = log_of(total); EACH(i, width) y[i] = x[i] - most - shift; }
    else { R scale = 1 / total; EACH(i, width) y[i] = exp_of(x[i] - most) * scale; }
}
extern "C" __global__ void softmax_backward_R(
    const R* g, const R* y, R* gx, long long width, int log) {
    g += blockIdx.x * width; y += blockIdx.x * width; gx += blockIdx.x * width;
    R total = 0;
    EACH(i, width) total += log ? g[i] : g[i] * y[i];
    total = all<Add>(total);
    EACH(i, width) gx[i] = log ? g[i] - exp_of(y[i]) * total : y[i] * (g[i] - total);
}
extern "C" __global__ void cross_entropy_R(
    const R* x, const long long* target, R* loss, R* sums, long long width) {
    long long row = blockIdx.x;
    x += row * width;
    R most = Most<R>::zero(), total = 0;
    EACH(i, width) most = Most<R>::of(x[i], most);
    most = all<Most>(most);
    EACH(i, width) total += exp_of(x[i] - most);
    total = all<Add>(total);
    if (threadIdx.x == 0) {
        sums[row] = most; sums[gridDim.x + row] = total;
        long long hit = target[row];
        R own = hit >= 0 && hit < width ? x[hit] : R(0) / R(0);
        loss[row] = log_of(total) - (own - most);
    }
}
extern "C" __global__ void cross_entropy_backward_R(
    const R* g, int each, const R* x, const R* sums, const long long* target, R* gx,
    long long width) {
    long long row = blockIdx.x;
    x += row * width; gx += row * width;
    R scale = g[each ? row : 0], most = sums[row];
    R share = scale / sums[gridDim.x + row];
    long long hit = target[row];
    EACH(i, width) gx[i] = exp_of(x[i] - most) * share - (i == hit ? scale : 0);
}
"""
NORMS = r"""
extern "C" __global__ void normalize_rows_R(
    const R* x, const R* w, const R* b, R* y, R* mean, R* var, long long width, R eps) {
    long long row = blockIdx.x;
    x += row * width; y += row * width;
    R total = 0, square = 0;
    EACH(i, width) total += x[i];
    R m = all<Add>(total) / width;
    EACH(i, width) { R z = x[i] - m; square += z * z; }
    R v = all<Add>(square) / width, scale = 1 / sqrt(v + eps);
    EACH(i, width) {
        R z = (x[i] - m) * scale;
        y[i] = (w ? z * w[i] : z) + (b ? b[i] : R(0));
    }
    if (threadIdx.x == 0) { mean[row] = m; var[row] = v; }
}
extern "C" __global__ void normalize_rows_backward_R(
    const R* g, const R* x, const R* w, const R* mean, const R* var, R* gx,
    long long width, R eps) {
    long long row = blockIdx.x;
    g += row * width; x += row * width; gx += row * width;
    R m = mean[row], scale = 1 / sqrt(var[row] + eps), along = 0, along_z = 0;
    EACH(i, width) {
        R h = w ? g[i] * w[i] : g[i];
        along += h; along_z += h * (x[i] - m) * scale;
    }
    along = all<Add>(along) / width; along_z = all<Add>(along_z) / width;
    EACH(i, width) {
        R h = w ? g[i] * w[i] : g[i];
        gx[i] = (h - along - (x[i] - m) * scale * along_z) * scale;
    }
}
// Sums over rows, of 32 columns in each block; blocks of one column share the rows.
extern "C" __global__ void scale_gradients_R(
    const R* g, const R* x, const R* mean, const R* var, R* gw, R* gb,
    long long rows, long long width, R eps) {
    __shared__ R parts[2][8][33];
    int lane = threadIdx.x % 32, line = threadIdx.x / 32;
    long long column = blockIdx.x * 32ll + lane;
    R w = 0, b = 0;
    if (column < width)
        for (long long row = blockIdx.y * 8ll + line; row < rows;
             row += gridDim.y * 8) {
            R h = g[row * width + column];
            b += h;
            w += h * (x[row * width + column] - mean[row]) / sqrt(var[row] + eps);
        }
    parts[0][line][lane] = w; parts[1][line][lane] = b;
    __syncthreads();
    if (line == 0 && column < width) {
        w = b = 0;
        for (int k = 0; k < 8; ++k) { w += parts[0][k][lane]; b += parts[1][k][lane]; }
        gw[blockIdx.y * width + column] = w; gb[blockIdx.y * width + column] = b;
    }
}
// A channel's numbers lie in pieces, one of each image.
#define AT(i) ((i) / size * size * gridDim.x + blockIdx.x * size + (i) % size)
extern "C" __global__ void normalize_channels_R(
    const R* x, const R* w, const R* b, R* y, R* mean, R* var,
    long long n, long long size, R eps) {
    int c = blockIdx.x;
    R total = 0, square = 0;
    EACH(i, n) total += x[AT(i)];
    R m = all<Add>(total) / n;
    EACH(i, n) { R z = x[AT(i)] - m; square += z * z; }
    R v = all<Add>(square) / n, scale = 1 / sqrt(v + eps);
    R factor = w ? scale * w[c] : scale, shift = b ? b[c] : R(0);
    EACH(i, n) { long long at = AT(i); y[at] = (x[at] - m) * factor + shift; }
    if (threadIdx.x == 0) { mean[c] = m; var[c] = v; }
}
extern "C" __global__ void normalize_channels_backward_R(
    const R* g, const R* x, const R* w, const R* mean, const R* var, R* gx, R* gw,
    R* gb, long long n, long long size, R eps) {
    int c = blockIdx.x;
    R m = mean[c], scale = 1 / sqrt(var[c] + eps), along = 0, along_z = 0;
    EACH(i, n) {
        long long at = AT(i);
        along += g[at]; along_z += g[at] * (x[at] - m) * scale;
    }
    along = all<Add>(along); along_z = all<Add>(along_z);
    if (threadIdx.x == 0) { gb[c] = along; gw[c] = along_z; }
    R factor = w ? scale * w[c] : scale;
    along /= n; along_z /= n;
    EACH(i, n) {
        long long at = AT(i);
        gx[at] = (g[at] - along - (x[at] - m) * scale * along_z) * factor;
    }
}
"""
KERNELS: Final = (
    "softmax", "softmax_backward", "cross_entropy", "cross_entropy_backward",
    "normalize_rows", "normalize_rows_backward", "scale_gradients",
    "normalize_channels", "normalize_channels_backward",
)  # fmt: skip
SOURCE = Source(
    "rows",
    REDUCE
    + "".join(
        f"#define R {real}\n{SOFTMAX.replace('_R(', f'_{real}(')}"
        f"{NORMS.replace('_R(', f'_{real}(')}#undef R\n#undef AT\n"
        for real in REALS.values()
    ),
    tuple(f"{name}_{real}" for real in REALS.values() for name in KERNELS),
)


def _run(name: str, like: Any, grid: Any, width: int, *arguments: Any) -> None:
    """Run a kernel of the dtype with as many threads as a row has work for."""
    threads = 1024 if width > 4096 else 256 if width > 256 else 64 if width > 64 else 32
    kernel = SOURCE.kernel(f"{name}_{REALS[like.dtype]}")
    kernel(grid if type(grid) is tuple else (grid,), (threads,), arguments)


def _pointer(x: Any) -> Any:
    """An array, or the null pointer for None."""
    return np.uint64(0) if x is None else x


def _along_last(axis: int, *arrays: Any) -> Any:
    """The arrays in rows where an op goes along the last dimension, else None."""
    x = arrays[0]
    if not (x.ndim and x.size and axis % x.ndim == x.ndim - 1):
        return None
    return dense(*arrays)


def _softmax(x: Any, axis: int, log: int) -> Any:
    rows = _along_last(axis, x)
    if rows is None:
        return None
    width = x.shape[-1]
    y = sources.array_library().empty(x.shape, x.dtype)
    _run("softmax", x, x.size // width, width, rows[0], y, np.int64(width),
         np.int32(log))  # fmt: skip
    return y


def softmax(x: Any, axis: int) -> Any:
    """Softmax along the last dimension."""
    return _softmax(x, axis, 0)


def log_softmax(x: Any, axis: int) -> Any:
    """Logarithm of softmax along the last dimension."""
    return _softmax(x, axis, 1)


def _softmax_backward(g: Any, y: Any, axis: int, log: int) -> Any:
    rows = _along_last(axis, g, y)
    if rows is None:
        return None
    width = y.shape[-1]
    gx = sources.array_library().empty(y.shape, y.dtype)
    _run("softmax_backward", y, y.size // width, width, *rows, gx, np.int64(width),
         np.int32(log))  # fmt: skip
    return gx


def softmax_backward(g: Any, y: Any, axis: int) -> Any:
    """Gradient of `softmax`."""
    return _softmax_backward(g, y, axis, 0)


def log_softmax_backward(g: Any, y: Any, axis: int) -> Any:
    """Gradient of `log_softmax`."""
    return _softmax_backward(g, y, axis, 1)


def cross_entropy(x: Any, target: Any) -> Any:
    """Losses of rows, and the (2, M) numbers that the backward needs."""
    rows = dense(x)
    if rows is None or not x.size:
        return None
    xp, (n, width) = sources.array_library(), x.shape
    loss, sums = xp.empty(n, x.dtype), xp.empty((2, n), x.dtype)
    target = xp.ascontiguousarray(target, np.int64)
    _run("cross_entropy", x, n, width, rows[0], target, loss, sums, np.int64(width))
    return loss, sums


def cross_entropy_backward(g: Any, x: Any, sums: Any, target: Any) -> Any:
    """Gradient of `cross_entropy`; g is a number or one for each row."""
    rows = dense(x)
    if rows is None or not x.size:
        return None
    xp, (n, width) = sources.array_library(), x.shape
    gx = xp.empty(x.shape, x.dtype)
    g = xp.ascontiguousarray(g, x.dtype)
    target = xp.ascontiguousarray(target, np.int64)
    _run("cross_entropy_backward", x, n, width, g, np.int32(g.size > 1), rows[0], sums,
         target, gx, np.int64(width))  # fmt: skip
    return gx


def normalize_rows(x: Any, w: Any, b: Any, eps: float) -> Any:
    """Rows of mean 0 and variance 1, with a scale for each column."""
    arrays = dense(x, w, b)
    if (
        arrays is None
        or not x.size
        or any(v is not None and v.ndim > 1 for v in (w, b))
    ):
        return None
    xp, n, width = sources.array_library(), len(x), prod(x.shape[1:])
    y, (mean, var) = xp.empty(x.shape, x.dtype), xp.empty((2, n), x.dtype)
    _run("normalize_rows", x, n, width, *map(_pointer, arrays), y, mean, var,
         np.int64(width), x.dtype.type(eps))  # fmt: skip
    return y, mean, var


def normalize_rows_backward(
    g: Any, x: Any, w: Any, mean: Any, var: Any, eps: float
) -> Any:
    """Gradients of `normalize_rows` with respect to x, w and b."""
    arrays = dense(g, x, w, mean, var)
    if arrays is None or not x.size or w is None or w.ndim > 1:
        return None
    xp, n, width = sources.array_library(), len(x), prod(x.shape[1:])
    g, x, w, mean, var = arrays
    gx, number, size = xp.empty(x.shape, x.dtype), x.dtype.type(eps), np.int64(width)
    _run("normalize_rows_backward", x, n, width, g, x, w, mean, var, gx, size, number)
    parts = max(1, min(64, n // 64))
    gw, gb = xp.empty((2, parts, width), x.dtype)
    _run("scale_gradients", x, (-(-width // 32), parts), 257, g, x, mean, var, gw, gb,
         np.int64(n), size, number)  # fmt: skip
    return (gx, gw[0], gb[0]) if parts == 1 else (gx, gw.sum(0), gb.sum(0))


def normalize_channels(x: Any, w: Any, b: Any, eps: float) -> Any:
    """Channels of mean 0 and variance 1, each with a scale."""
    arrays = dense(x, w, b)
    if arrays is None or not x.size:
        return None
    xp, c, size = sources.array_library(), x.shape[1], prod(x.shape[2:])
    y, (mean, var) = xp.empty(x.shape, x.dtype), xp.empty((2, c), x.dtype)
    n = x.size // c
    _run("normalize_channels", x, c, n, *map(_pointer, arrays), y, mean, var,
         np.int64(n), np.int64(size), x.dtype.type(eps))  # fmt: skip
    return y, mean, var


def normalize_channels_backward(
    g: Any, x: Any, w: Any, mean: Any, var: Any, eps: float
) -> Any:
    """Gradients of `normalize_channels` with respect to x, w and b."""
    arrays = dense(g, x, w, mean, var)
    if arrays is None or not x.size:
        return None
    xp, c, size = sources.array_library(), x.shape[1], prod(x.shape[2:])
    gx, (gw, gb) = xp.empty(x.shape, x.dtype), xp.empty((2, c), x.dtype)
    n = x.size // c
    _run("normalize_channels_backward", x, c, n, *map(_pointer, arrays), gx, gw, gb,
         np.int64(n), np.int64(size), x.dtype.type(eps))  # fmt: skip
    return gx, gw, gb
