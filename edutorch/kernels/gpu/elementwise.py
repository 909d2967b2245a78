"""Elementwise kernels: one expression for each number, and its settings.

The names are those of `kernels/activations.py` and `erf.py`, which call this file first
for arrays on a GPU.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from . import sources
from .sources import REALS, Source, blocks, dense

__all__ = ["EXPRESSIONS", "run"]

# The operands, and y from them; s and t are the settings.
EXPRESSIONS: Final = {
    "relu_gradient": ("g y", "y != 0 ? g : 0"),
    "leaky_relu": ("x", "x > 0 ? x : x * s"),
    "leaky_relu_gradient": ("g x", "x > 0 ? g : g * s"),
    "sigmoid": ("x", "1 / (1 + exp(-x))"),
    "sigmoid_gradient": ("g y", "g * (y * (1 - y))"),
    "tanh_gradient": ("g y", "g * (1 - y * y)"),
    "expm1": ("x", "expm1(x)"),
    "silu": ("x", "x / (1 + exp(-x))"),
    "silu_gradient": ("g x", "g * sigmoid(x) * (1 + x * (1 - sigmoid(x)))"),
    "gelu": ("x", "x * normcdf(x)"),
    "gelu_gradient": (
        "g x", "g * (normcdf(x) + x * R(0.3989422804014327) * exp(x * x * R(-0.5)))",
    ),
}  # fmt: skip

HEAD = """
#define R {real}
__device__ R sigmoid_of(R x) {{ return 1 / (1 + exp(-x)); }}
"""
KERNEL = """
extern "C" __global__ void {name}_{real}({operands}, R* out, long long n, R s) {{
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    {loads}
    out[i] = {expression};
}}
"""


def _code(real: str) -> str:
    parts = [HEAD.format(real=real)]
    for name, (operands, expression) in EXPRESSIONS.items():
        names = operands.split()
        parts.append(KERNEL.format(
            name=name, real=real,
            operands=", ".join(f"const R* {v}_" for v in names),
            loads=" ".join(f"R {v} = {v}_[i];" for v in names),
            expression=expression.replace("sigmoid(", "sigmoid_of("),
        ))  # fmt: skip
    return "".join(parts) + "#undef R\n"


SOURCE = Source(
    "elementwise",
    "".join(map(_code, REALS.values())),
    tuple(f"{name}_{real}" for real in REALS.values() for name in EXPRESSIONS),
)


def run(name: str, arrays: tuple[Any, ...], setting: float = 0.0) -> Any:
    """The result of a kernel, or None for arrays that it does not support."""
    first = arrays[0]
    if name not in EXPRESSIONS or any(a.shape != first.shape for a in arrays):
        return None
    found = dense(*arrays)
    if found is None:
        return None
    y = sources.array_library().empty(first.shape, first.dtype)
    if y.size:
        kernel = SOURCE.kernel(f"{name}_{REALS[first.dtype]}")
        scalars = np.int64(y.size), first.dtype.type(setting)
        kernel(*blocks(y.size), (*found, y, *scalars))
    return y
