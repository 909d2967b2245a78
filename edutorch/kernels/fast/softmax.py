"""Compiled loops of `kernels/softmax.py`: softmax and cross entropy, a row at a time.

A row stays in the first cache for all passes over it.
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
def _largest_bits(bits: Any) -> Any:
    """The bits of the largest number of a row; nan is larger than all others.

    The maximum of floats is no vector instruction for LLVM, because of nan; that of
    integers is. Bits are in the order of the numbers but for the negative ones, whose
    lower 31 bits are flipped.
    """
    lower, sign = np.int32(0x7FFFFFFF), np.int32(31)
    most = np.int32(-0x80000000)
    for j in range(bits.size):
        b = bits[j]
        most = max(most, np.int32(b ^ np.int32(np.int32(b >> sign) & lower)))
    return np.int32(most ^ np.int32(np.int32(most >> sign) & lower))


@kernel("void(T[:,::1], T[:,::1])", SINGLE)
def softmax(x: Any, y: Any) -> None:
    """Math: y_ij = exp(x_ij - m_i) / sum_k exp(x_ik - m_i)."""
    require(x.shape == y.shape)
    bits, top = x.view(np.int32), np.empty(1, np.int32)
    most = top.view(np.float32)
    for i in range(len(x)):
        row, out = x[i], y[i]
        top[0] = _largest_bits(bits[i])
        m, total = most[0], np.float32(0)
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
def _loss(total: Any, chosen: Any, most: Any) -> Any:
    """In this order, since most + log total would lose digits of the latter."""
    return np.log(total) - (chosen - most)


@kernel("void(T[:,::1], int64[::1], T[::1], T[::1], T[::1])", SINGLE)
def cross_entropy(x: Any, target: Any, largest: Any, sums: Any, losses: Any) -> None:
    """Math: m_i = max_j x_ij, s_i = sum_j exp(x_ij - m_i), l_i = log s_i + m_i - x_it.

    t is the target of row i.
    """
    require(len(x) == target.size == largest.size == sums.size == losses.size)
    require_in_range(target, x.shape[1])
    bits, top = x.view(np.int32), np.empty(1, np.int32)
    most = top.view(np.float32)
    for i in range(len(x)):
        row = x[i]
        top[0] = _largest_bits(bits[i])
        m, total = most[0], np.float32(0)
        for j in range(row.size):
            total += exp_nonpositive(row[j] - m)
        largest[i], sums[i] = m, total
        losses[i] = _loss(total, row[target[i]], m)


@kernel("void(T[:,::1], T[:,::1])", SINGLE)
def log_softmax(x: Any, y: Any) -> None:
    """Math: y_ij = x_ij - m_i - log sum_k exp(x_ik - m_i)."""
    require(x.shape == y.shape)
    bits, top = x.view(np.int32), np.empty(1, np.int32)
    most = top.view(np.float32)
    for i in range(len(x)):
        row, out = x[i], y[i]
        top[0] = _largest_bits(bits[i])
        m, total = most[0], np.float32(0)
        for j in range(row.size):
            out[j] = row[j] - m
            total += exp_nonpositive(out[j])
        shift = np.log(total)
        # Apart from the loop above, as m + shift would lose the digits of shift.
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
    x: Any, target: Any, most: Any, sums: Any, g: Any, gx: Any
) -> None:
    """Math: gx_ij = g_i (exp(x_ij - m_i) / s_i - [j = target_i])."""
    require(x.shape == gx.shape)
    require(len(x) == target.size == most.size == sums.size == g.size)
    require_in_range(target, x.shape[1])
    for i in range(len(x)):
        row, out = x[i], gx[i]
        grad, shift = g[i], most[i]
        scale = grad / sums[i]
        for j in range(row.size):
            out[j] = scale * exp_nonpositive(row[j] - shift)
        out[target[i]] -= grad
