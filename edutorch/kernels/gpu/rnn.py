"""Steps of an LSTM, one kernel each, by the formulas of `kernels/rnn_gates.py`."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import sources
from .sources import REALS, Source, blocks

__all__ = ["lstm_step", "lstm_step_backward"]

STEPS = """
extern "C" __global__ void lstm_step_{R}({R}* a, {R}* c, {R}* h, {R}* t, long long n,
                                         int width) {{
    long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    {R}* gates = a + k / width * width * 4 + k % width;
    {R} i = tanh(gates[0]) * {R}(0.5) + {R}(0.5);
    {R} f = tanh(gates[width]) * {R}(0.5) + {R}(0.5);
    {R} z = tanh(gates[2 * width]);
    {R} o = tanh(gates[3 * width]) * {R}(0.5) + {R}(0.5);
    gates[0] = i; gates[width] = f; gates[2 * width] = z; gates[3 * width] = o;
    {R} cell = c[k] * f + i * z;
    c[k] = cell; t[k] = tanh(cell); h[k] = o * t[k];
}}
extern "C" __global__ void lstm_step_backward_{R}(
    const {R}* gh, {R}* gc, const {R}* f, {R}* grads, const {R}* dc, long long n,
    int width, long long stride) {{
    long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n) return;
    {R}* gates = grads + k / width * width * 4 + k % width;
    {R} g = gc[k] + gh[k] * dc[k];
    gates[0] *= g; gates[width] *= g; gates[2 * width] *= g; gates[3 * width] *= gh[k];
    gc[k] = g * f[k / width * stride + k % width];
}}
"""
SOURCE = Source(
    "rnn",
    "".join(STEPS.format(R=real) for real in REALS.values()),
    tuple(
        f"lstm_step{part}_{real}"
        for real in REALS.values()
        for part in ("", "_backward")
    ),
)


def _is_supported(*arrays: Any) -> bool:
    """Whether the kernels support these arrays, some of which they change."""
    dtype = arrays[0].dtype
    return (
        sources.is_gpu_array(arrays[0])
        and dtype in REALS
        and all(x.dtype == dtype and x.flags.c_contiguous for x in arrays)
    )


def lstm_step(a: Any, c: Any) -> Any:
    """The new h and tanh(c), gates and cells in place; None for unsupported arrays."""
    if not (_is_supported(a, c) and c.size):
        return None
    h, tanh_c = sources.array_library().empty((2, *c.shape), c.dtype)
    kernel = SOURCE.kernel(f"lstm_step_{REALS[c.dtype]}")
    kernel(*blocks(c.size), (a, c, h, tanh_c, np.int64(c.size), np.int32(c.shape[-1])))
    return h, tanh_c


def lstm_step_backward(gh: Any, gc: Any, f: Any, grads: Any, d_c: Any) -> bool:
    """Gradients of a step, in place; False for unsupported arrays."""
    if not (_is_supported(gh, gc, grads, d_c) and f.dtype == gc.dtype and gc.size):
        return False
    step, last = (s // f.itemsize for s in f.strides)
    if last != 1:
        return False
    kernel = SOURCE.kernel(f"lstm_step_backward_{REALS[gc.dtype]}")
    sizes = np.int64(gc.size), np.int32(gc.shape[-1]), np.int64(step)
    kernel(*blocks(gc.size), (gh, gc, f, grads, d_c, *sizes))
    return True
