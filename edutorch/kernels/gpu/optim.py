"""Steps of optimizers: all parameters of a group in one kernel.

A block updates up to CHUNK numbers of one parameter; a table assigns them. Only
gradients move between steps, so the addresses are sent with each step.

The formulas are those of `kernels/plain/optim.py`.
"""

from __future__ import annotations

import functools
from math import sqrt
from typing import Any, Final

import numpy as np

from ..plain.optim import AdamSettings, SgdSettings
from . import sources
from .sources import BLOCK, REALS, Source

__all__ = ["adam_steps", "is_supported", "grouped", "sgd_steps"]

CHUNK: Final = 4096

# A block finds its parameter, where its part begins, and how many numbers it has.
FIND = """
    int which = chunks[2 * blockIdx.x];
    long long start = (long long)chunks[2 * blockIdx.x + 1] * 4096;
    long long left = sizes[which] - start;
    int n = left < 4096 ? left : 4096;
"""
ADAM = """
extern "C" __global__ void adam_{real}(
    const int* chunks, const long long* sizes, {real}* const* at, const double* rates,
    int count, {real} share1, {real} share2, {real} decay, {real} shrink,
    {real} sign) {{
    {find}
    {real} *p = at[which] + start, *g = at[count + which] + start;
    {real} *m = at[2 * count + which] + start, *v = at[3 * count + which] + start;
    {real} size = rates[which], eps = rates[count + which];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {{
        {real} d = sign * g[i] + decay * p[i];
        {real} mean = m[i] + (d - m[i]) * share1;
        {real} square = v[i] + (d * d - v[i]) * share2;
        m[i] = mean; v[i] = square;
        p[i] = p[i] * shrink - size * (mean / (sqrt(square) + eps));
    }}
}}
"""
SGD = """
extern "C" __global__ void sgd_{real}(
    const int* chunks, const long long* sizes, {real}* const* at, int count,
    {real} lr, {real} momentum, {real} share, {real} decay, {real} sign,
    int nesterov) {{
    {find}
    {real} *p = at[which] + start, *g = at[count + which] + start;
    {real} *v = at[2 * count + which];
    for (int i = threadIdx.x; i < n; i += blockDim.x) {{
        {real} d = sign * g[i] + decay * p[i];
        if (v) {{
            {real} speed = momentum * v[start + i] + share * d;
            v[start + i] = speed;
            d = nesterov ? d + momentum * speed : speed;
        }}
        p[i] -= lr * d;
    }}
}}
"""
SOURCE = Source(
    "optim",
    "".join(
        code.format(real=real, find=FIND)
        for code in (ADAM, SGD)
        for real in REALS.values()
    ),
    tuple(f"{name}_{real}" for name in ("adam", "sgd") for real in REALS.values()),
)


def is_supported(p: Any, *others: Any) -> bool:
    """Whether a parameter and what belongs to it can be updated by these kernels.

    Example:
        >>> is_supported(np.zeros(2))
        False
    """
    if not sources.is_gpu_array(p) or p.dtype not in REALS or not p.flags.c_contiguous:
        return False
    return all(
        x is None
        or (x.dtype == p.dtype and x.shape == p.shape and x.flags.c_contiguous)
        for x in others
    )


def _device(x: Any) -> int:
    """The number of the GPU that an array is on."""
    return int(x.device.id)


def _address(x: Any) -> int:
    """The address of an array."""
    return int(x.data.ptr)


def grouped(steps: list[Any]) -> list[list[Any]]:
    """Steps grouped by the dtype and device of the parameter: a kernel for each."""
    found: dict[Any, list[Any]] = {}
    for step in steps:
        found.setdefault((step[0].dtype, _device(step[0])), []).append(step)
    return list(found.values())


@functools.lru_cache(maxsize=64)
def _tables(sizes: tuple[int, ...], device: int) -> tuple[Any, Any, int]:
    """Which parameter and which part each block has; the sizes; how many blocks."""
    chunks = [(i, k) for i, n in enumerate(sizes) for k in range(-(-n // CHUNK))]
    asarray = sources.array_library().asarray
    return (
        asarray(np.array(chunks, np.int32).reshape(-1)),
        asarray(np.array(sizes, np.int64)),
        len(chunks),
    )


def _launch(name: str, columns: Any, before: Any, settings: Any) -> None:
    """Run a kernel over parameters: `columns` has the arrays of each kind."""
    params = columns[0]
    device = _device(params[0])
    chunks, sizes, n = _tables(tuple([p.size for p in params]), device)
    if not n:
        return
    asarray = sources.array_library().asarray
    at = asarray(np.array(
        [[0 if x is None else _address(x) for x in column] for column in columns],
        np.uint64,
    ))  # fmt: skip
    real = params[0].dtype.type
    tables = [asarray(table) for table in before]
    SOURCE.kernel(f"{name}_{REALS[params[0].dtype]}")(
        (n,), (BLOCK,),
        (chunks, sizes, at, *tables, np.int32(len(params)),
         *[real(x) if isinstance(x, float) else np.int32(x) for x in settings]),
    )  # fmt: skip


def adam_steps(
    steps: list[tuple[Any, Any, Any, Any, int]], settings: AdamSettings
) -> None:
    """A step of Adam for each (p, gradient, mean, square, t), all in one kernel."""
    lr, beta1, beta2, eps, weight_decay, decoupled, maximize = settings
    *columns, times = zip(*steps, strict=True)
    spreads = {t: sqrt(1 - beta2**t) for t in set(times)}
    rates = np.array(
        [[lr / (1 - beta1**t) * spreads[t] for t in times],
         [eps * spreads[t] for t in times]]
    )  # fmt: skip
    decay, shrink = (0.0, 1 - lr * weight_decay) if decoupled else (weight_decay, 1.0)
    numbers = (1 - beta1, 1 - beta2, decay, shrink, -1.0 if maximize else 1.0)
    _launch("adam", columns, [rates], tuple(map(float, numbers)))


def sgd_steps(
    steps: list[tuple[Any, Any, Any]], first: bool, settings: SgdSettings
) -> None:
    """A step of SGD for each (p, gradient, velocity or None), all in one kernel."""
    lr, momentum, dampening, weight_decay, nesterov, maximize = settings
    share = 1.0 if first else 1 - dampening
    numbers = (lr, momentum, share, weight_decay, -1.0 if maximize else 1.0)
    columns = tuple(zip(*steps, strict=True))
    _launch("sgd", columns, [], (*map(float, numbers), int(nesterov)))
