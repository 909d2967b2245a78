"""Compiled loops of `kernels/softmax.py`: softmax and cross entropy.

Rows are processed one after another, so that a row stays in the L1 cache.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.kernels.fast.bounds import require, require_in_range
from edutorch.kernels.fast.compiling import SINGLE, helper, kernel
from edutorch.kernels.fast.exp import exp_nonpositive

__all__ = [
    "cross_entropy",
    "cross_entropy_backward",
    "log_softmax",
    "log_softmax_backward",
    "softmax",
    "softmax_backward",
]


@helper
def _max_bits(bits: Any) -> Any:
    """The bits of the maximum of a row; nan counts as larger than all numbers.

    LLVM vectorises the maximum of integers, but not that of floats, because of nan.
    Read as integers, the bits of floats are in the order of the numbers, once the lower
    31 bits of negative ones are flipped.
    """
    lower, sign = np.int32(0x7FFFFFFF), np.int32(31)
    largest = np.int32(-0x80000000)
    for j in range(bits.size):
        b = bits[j]
        largest = max(largest, np.int32(b ^ np.int32(np.int32(b >> sign) & lower)))
    return np.int32(largest ^ np.int32(np.int32(largest >> sign) & lower))


@kernel("void(T[:,::1], T[:,::1])", SINGLE)
def softmax(x: Any, y: Any) -> None:
    """Math: y_ij = exp(x_ij - m_i) / sum_k exp(x_ik - m_i)."""
    require(x.shape == y.shape)
    bits, max_bits = x.view(np.int32), np.empty(1, np.int32)
    max_value = max_bits.view(np.float32)
    for i in range(len(x)):
        row, out = x[i], y[i]
        max_bits[0] = _max_bits(bits[i])
        m, total = max_value[0], np.float32(0)
        for j in range(row.size):
            e = exp_nonpositive(row[j] - m)
            out[j] = e
            total += e
        scale = np.float32(1) / total
        for j in range(row.size):
            out[j] *= scale


@kernel("void(T[:,::1], T[:,::1], T[:,::1])")
def softmax_backward(g: Any, y: Any, gx: Any) -> None:
    """Math: gx = y (g - sum_j g_j y_j)."""
    require(g.shape == y.shape == gx.shape and g.shape[1] > 0)
    for i in range(len(g)):
        g_row, y_row, gx_row = g[i], y[i], gx[i]
        total = g_row[0] * y_row[0]
        for j in range(1, y_row.size):
            total += g_row[j] * y_row[j]
        for j in range(y_row.size):
            gx_row[j] = (g_row[j] - total) * y_row[j]


@helper
def _row_loss(total: Any, chosen: Any, row_max: Any) -> Any:
    """log(total) - (chosen - row_max): row_max + log(total) would lose digits."""
    return np.log(total) - (chosen - row_max)


@kernel("void(T[:,::1], int64[::1], T[::1], T[::1], T[::1])", SINGLE)
def cross_entropy(x: Any, target: Any, row_max: Any, sums: Any, losses: Any) -> None:
    """Math: m_i = max_j x_ij, s_i = sum_j exp(x_ij - m_i), l_i = log s_i + m_i - x_it.

    t is the target of row i.
    """
    require(len(x) == target.size == row_max.size == sums.size == losses.size)
    require_in_range(target, x.shape[1])
    bits, max_bits = x.view(np.int32), np.empty(1, np.int32)
    max_value = max_bits.view(np.float32)
    for i in range(len(x)):
        row = x[i]
        max_bits[0] = _max_bits(bits[i])
        m, total = max_value[0], np.float32(0)
        for j in range(row.size):
            total += exp_nonpositive(row[j] - m)
        row_max[i], sums[i] = m, total
        losses[i] = _row_loss(total, row[target[i]], m)


@kernel("void(T[:,::1], T[:,::1])", SINGLE)
def log_softmax(x: Any, y: Any) -> None:
    """Math: y_ij = x_ij - m_i - log sum_k exp(x_ik - m_i)."""
    require(x.shape == y.shape)
    bits, max_bits = x.view(np.int32), np.empty(1, np.int32)
    max_value = max_bits.view(np.float32)
    for i in range(len(x)):
        row, out = x[i], y[i]
        max_bits[0] = _max_bits(bits[i])
        m, total = max_value[0], np.float32(0)
        for j in range(row.size):
            out[j] = row[j] - m
            total += exp_nonpositive(out[j])
        shift = np.log(total)
        # A separate subtraction, because m + shift would lose digits of shift.
        for j in range(row.size):
            out[j] -= shift


@kernel("void(T[:,::1], T[:,::1], T[:,::1])", SINGLE)
def log_softmax_backward(g: Any, y: Any, gx: Any) -> None:
    """Math: gx = g - exp(y) sum_j g_j."""
    require(g.shape == y.shape == gx.shape and g.shape[1] > 0)
    for i in range(len(g)):
        g_row, y_row, gx_row = g[i], y[i], gx[i]
        total = g_row[0]
        for j in range(1, g_row.size):
            total += g_row[j]
        for j in range(y_row.size):
            gx_row[j] = g_row[j] - exp_nonpositive(y_row[j]) * total


@kernel("void(T[:,::1], int64[::1], T[::1], T[::1], T[::1], T[:,::1])", SINGLE)
def cross_entropy_backward(
    x: Any, target: Any, row_max: Any, sums: Any, g: Any, gx: Any
) -> None:
    """Math: gx_ij = g_i (exp(x_ij - m_i) / s_i - [j = target_i])."""
    require(x.shape == gx.shape)
    require(len(x) == target.size == row_max.size == sums.size == g.size)
    require_in_range(target, x.shape[1])
    for i in range(len(x)):
        row, out = x[i], gx[i]
        grad, shift = g[i], row_max[i]
        scale = grad / sums[i]
        for j in range(row.size):
            out[j] = scale * exp_nonpositive(row[j] - shift)
        out[target[i]] -= grad
