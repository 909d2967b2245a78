"""8-bit floats, which can be stored and moved; arithmetic raises PyTorch's errors."""

from __future__ import annotations

from typing import Any, NoReturn

from .. import dtypes
from .node import Op

__all__ = ["check_float8", "refuse_dtype"]


def check_float8(op: Op, array: Any) -> None:
    """Refuse an op on 8-bit floats, unless it only moves them.

    Raises:
        NotImplementedError: with PyTorch's name of the kernel.
    """
    if array.dtype in dtypes.FLOAT8 and not (op.takes_float8 or op.is_view):
        refuse_dtype(op, dtypes.of_numpy[array.dtype], op.float8_kernel)


def refuse_dtype(op: Op, found: dtypes.dtype, kernel: str) -> NoReturn:
    """Refuse an op on a dtype.

    Args:
        kernel: PyTorch's name of the missing kernel; "" for the usual one.

    Raises:
        NotImplementedError: with the name of the kernel.
    """
    usual = f"{op.public}_{'vml_cpu' if op.vectorized else 'cpu'}"
    name = kernel or getattr(op, "kernel", "") or usual
    raise NotImplementedError(f"\"{name}\" not implemented for '{found.short}'")
