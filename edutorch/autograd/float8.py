"""8-bit floats, which can be stored and moved; arithmetic raises PyTorch's errors."""

from __future__ import annotations

from typing import Any, NoReturn

from .. import dtypes
from .node import Op

__all__ = ["check_float8", "refuse_dtype"]

KERNELS = {  # PyTorch's, where they are not named as the function
    "add": "add_stub", "add_scaled": "add_stub", "sub": "add_stub", "rsub": "add_stub",
    "mul": "mul_cpu_reduced_float", "relu": "clamp_min_scalar_cpu",
    "floor_divide": "div_floor_cpu", "pow": "pow", "isinf": "isinf", "dot": "dot",
    "isfinite": "isfinite", "mean": "sum_cpu", "prod": "prod_out_cpu",
    "max": "max_all", "min": "min_all", "amax": "max_values_cpu",
    "amin": "min_values_cpu", "cumsum": "cumsum_out_cpu", "cumprod": "cumprod_out_cpu",
    "sort": "sorting_kernel_method_name", "argsort": "sorting_kernel_method_name",
    "unique": "unique", "gather": "gather_expanded_index", "masked_fill": "masked_fill",
    "nonzero": "nonzero_count_cpu", "to_sparse": "nonzero_count_cpu",
    "index_add": "index_add_", "matmul": "dot",
    "sigmoid": "sigmoid_cpu_reduced_float", "gelu": "GeluKernelImpl",
    "nan_to_num": "nan_to_num", "div": "div_cpu_reduced_float",
    "softmax": "softmax_lastdim_kernel_impl", "isclose": "mul_cpu_reduced_float",
    "log_softmax": "log_softmax_lastdim_kernel_impl", "uniform": "check_uniform_bounds",
    "normal": "normal_kernel_cpu",
}  # fmt: skip
BY_VECTORS = {
    "exp", "log", "sqrt", "sin", "cos", "tan", "tanh", "floor", "ceil", "round",
    "trunc", "expm1", "log1p", "erf", "acos", "asin", "atan", "log2", "log10",
}  # fmt: skip


def check_float8(op: Op, array: Any) -> None:
    """Refuse an op on 8-bit floats, unless it only moves them.

    Raises:
        NotImplementedError: with PyTorch's name of the kernel.
    """
    if array.dtype in dtypes.FLOAT8 and not (op.takes_float8 or op.is_view):
        refuse_dtype(op, dtypes.of_numpy[array.dtype])


def refuse_dtype(
    op: Op, found: dtypes.dtype, kernels: dict[str, str] = KERNELS
) -> NoReturn:
    """Refuse an op on a dtype.

    Raises:
        NotImplementedError: with PyTorch's name of the kernel, from `kernels` if there.
    """
    name = op.public
    tail = "vml_cpu" if name in BY_VECTORS else "cpu"
    own = getattr(op, "kernel", "") or f"{name}_{tail}"
    kernel = kernels.get(name, own)
    raise NotImplementedError(f"\"{kernel}\" not implemented for '{found.short}'")
