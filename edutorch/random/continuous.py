"""Real random numbers: uniform, normal and derived distributions.

All fill arrays in row-major order, from `(generator, shape, dtype, ...)`.

Reference: Box and Muller, 1958.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..backends import array_module
from ..kernels.box_muller import box_muller
from ..kernels.multiply_add import multiply_add
from .generator import Generator

__all__ = [
    "uniform",
    "normal",
    "log_normal",
    "exponential",
    "cauchy",
    "empty_like",
    "fill_axes",
    "in_fill_order",
]


def uniform(
    generator: Generator, shape: Any, dtype: Any, low: float = 0.0, high: float = 1.0
) -> Any:
    """Uniform random numbers in [low, high)."""
    if generator.on_gpu:
        return generator.gpu.uniform(shape, np.dtype(dtype), low, high)
    n = math.prod(shape)
    x = generator.doubles(n) if dtype == np.float64 else generator.singles(n)
    if (low, high) == (0.0, 1.0) and x.dtype == dtype:
        return x.reshape(shape)
    first, last = x.dtype.type(low), x.dtype.type(high)
    x = multiply_add(x, last - first, first).astype(dtype, copy=False)
    x[x == np.asarray(high, dtype)] = low  # rounding may have reached the open end
    return x.reshape(shape)


def normal(
    generator: Generator,
    shape: Any,
    dtype: Any,
    mean: float = 0.0,
    std: float = 1.0,
    contiguous: bool = True,
) -> Any:
    """Normally distributed numbers.

    Fewer than 16 numbers, and those for memory that is not contiguous, are made in
    pairs of float64; the unused second number of a last pair is kept for the next draw.
    Otherwise, 16 uniform numbers give a block of 16 normals: 8 cosines, then 8 sines.
    If the last block would be incomplete, the last 16 numbers are drawn again.
    """
    if generator.on_gpu:
        return generator.gpu.normal(shape, np.dtype(dtype), mean, std)
    n = math.prod(shape)
    if n < 16 or not contiguous:
        return _normal_pairs(generator, n, dtype, mean, std).reshape(shape)
    draw = generator.doubles if dtype == np.float64 else generator.singles
    full_blocks = n - n % 16
    u = draw(n if np.dtype(dtype).itemsize >= 4 else full_blocks)
    x = np.empty(n, u.dtype)
    x[:full_blocks] = box_muller(u[:full_blocks])
    if full_blocks < n:
        x[n - 16 :] = box_muller(draw(16))
    if (mean, std) != (0.0, 1.0):
        x = _scale_and_shift(x, u.dtype.type(mean), u.dtype.type(std))
    return x.astype(dtype, copy=False).reshape(shape)


def _scale_and_shift(x: Any, mean: Any, std: Any) -> Any:
    """The numbers x · std + mean; rounded once in float32."""
    if x.dtype != np.float32:
        return x * std + mean
    return (x.astype(np.float64) * std + mean).astype(np.float32)


def _normal_pairs(
    generator: Generator, n: int, dtype: Any, mean: float, std: float
) -> Any:
    cached = generator.take_normal() if n else None
    first = [] if cached is None else [cached]
    missing = n - len(first)
    u = generator.doubles(missing + missing % 2).reshape(-1, 2)
    radius = np.sqrt(-2.0 * np.log1p(-u[:, 1]))
    angle = 2.0 * math.pi * u[:, 0]
    pairs = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    x = np.append(first, pairs)
    if x.size > n:
        generator.keep_normal(float(x[n]))
    return (x[:n] * std + mean).astype(dtype)


def log_normal(
    generator: Generator, shape: Any, dtype: Any, mean: float = 1.0, std: float = 2.0
) -> Any:
    """exp(x) of normally distributed x."""
    if generator.on_gpu:
        return generator.gpu.log_normal(shape, np.dtype(dtype), mean, std)
    x = _normal_pairs(generator, math.prod(shape), np.float64, mean, std)
    return _cast_and_reshape(np.exp(x), shape, dtype)


def exponential(generator: Generator, shape: Any, dtype: Any, rate: float = 1.0) -> Any:
    """Exponentially distributed waiting times, at `rate` events per unit of time."""
    if generator.on_gpu:
        return generator.gpu.exponential(shape, np.dtype(dtype), rate)
    u = generator.doubles(math.prod(shape))
    return _cast_and_reshape(-1.0 / rate * np.log1p(-u), shape, dtype)


def cauchy(
    generator: Generator,
    shape: Any,
    dtype: Any,
    median: float = 0.0,
    sigma: float = 1.0,
) -> Any:
    """Numbers of the Cauchy distribution; `sigma` is half its interquartile range."""
    if generator.on_gpu:
        return generator.gpu.cauchy(shape, np.dtype(dtype), median, sigma)
    u = generator.doubles(math.prod(shape))
    return _cast_and_reshape(median + sigma * np.tan(math.pi * (u - 0.5)), shape, dtype)


def _cast_and_reshape(x: Any, shape: Any, dtype: Any) -> Any:
    """The float64 numbers x in their type; too large ones become inf."""
    with np.errstate(over="ignore"):
        return x.astype(dtype).reshape(shape)


def fill_axes(array: Any) -> list[int]:
    """The dimensions of an array in the order in which PyTorch fills it.

    That is the order of memory: the smallest stride comes last. Dimensions along
    which nothing moves stay where they are.
    """
    axes = list(range(array.ndim))
    if array.flags.c_contiguous:
        return axes
    for i in reversed(axes[:-1]):  # sort by insertion, from the last dimension on
        here = i
        for k in range(i + 1, array.ndim):
            outer, inner = (abs(array.strides[axes[j]]) for j in (here, k))
            if outer and inner and outer > inner:
                break
            if outer and inner and outer < inner:
                axes[here], axes[k] = axes[k], axes[here]
                here = k
    return axes


def in_fill_order(array: Any) -> Any:
    """The same memory, so that its row-major order is PyTorch's order of filling."""
    return array.transpose(fill_axes(array))


def empty_like(array: Any, dtype: Any, make: Any = None) -> Any:
    """New memory without gaps, in the order of an array's memory.

    `make` is the function for empty arrays of another device.
    """
    axes = fill_axes(array)
    shape = tuple(array.shape[i] for i in axes)
    dense = (make or array_module(array).empty)(shape, dtype)
    return dense.transpose(*map(int, np.argsort(axes)))  # CuPy takes no array
