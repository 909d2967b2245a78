"""complex32: pairs of 16-bit floats, which few operations support.

PyTorch's CPU has few kernels for this dtype. They compute in complex64 and round once,
like those of 16-bit floats; an op declares that it has one by `Op.complex32`. For all
other ops, the error names the missing kernel.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..tensor.complex_parts import COMPLEX32
from .float8 import refuse_dtype
from .node import Op

__all__ = ["forward_complex32"]

WIDE = np.dtype(np.complex64)
ROUNDED = {WIDE: COMPLEX32, np.dtype(np.float32): np.dtype(np.float16)}


def forward_complex32(op: Op, arrays: Any) -> Any:
    """Run `op.forward`: on the array itself, or in single precision with one rounding.

    Raises:
        NotImplementedError: with PyTorch's name of the kernel that is missing.
    """
    if op.complex32 != "single":
        if op.takes_float8 or op.is_view or op.complex32 == "stored":
            return op.forward(*arrays)
        refuse_dtype(op, dtypes.complex32, op.complex32_kernel)
    y = op.forward(*[_wide(x) for x in arrays])
    if isinstance(y, (tuple, list)):
        return tuple([_rounded(z) for z in y])
    return _rounded(y)


def _wide(x: Any) -> Any:
    return x.astype(WIDE) if getattr(x, "dtype", None) == COMPLEX32 else x


def _rounded(y: Any) -> Any:
    narrow = ROUNDED.get(y.dtype) if hasattr(y, "dtype") else None
    with np.errstate(all="ignore"):
        return y if narrow is None else y.astype(narrow)
