"""16-bit floats: computed in single precision, rounded once.

NumPy would round after every step, sum in 16 bits, and has no functions for bfloat16.
So one rule holds for all ops: for float16 and bfloat16, `forward` and `backward`
receive float32 arrays, and their results are rounded. Ops that only move values opt out
by `forward_in_single` and `backward_in_single`, and work on the 16-bit arrays.

Dispatch and the engine call these functions only where an operand is not a float32 or
float64 array.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..kernels.casts import cast
from ..kernels.memory_format import cast_preserving_strides
from ..tensor.complex_parts import COMPLEX32
from ..tensor.tensor import Tensor
from . import modes as _m
from .complex32 import forward_complex32
from .float8 import check_float8
from .node import Op

__all__ = [
    "SINGLE",
    "forward_with_number",
    "forward",
    "gradient_rounding",
    "is_half",
    "is_reduced_precision",
    "half_rounding",
    "no_rounding",
    "upcast",
]

SINGLE = np.dtype(np.float32)
ORDINARY = dtypes.ORDINARY
COMPLEX = (COMPLEX32, dtypes.complex32)  # of an array, of a tensor
HALVES = "eE"  # NumPy's characters of float16 and bfloat16


def is_half(dtype: Any) -> bool:
    """Whether a NumPy dtype (or one of several) is a 16-bit float.

    Example:
        >>> is_half(np.dtype(np.float16)), is_half(SINGLE)
        (True, False)
    """
    if type(dtype) is tuple:
        return any(is_half(d) for d in dtype)
    return dtype.char in HALVES


def is_reduced_precision(dtype: Any) -> bool:
    """Whether a NumPy dtype (or one of several) is a 16-bit float, or a pair of them.

    Example:
        >>> is_reduced_precision(COMPLEX32), is_half(COMPLEX32)
        (True, False)
    """
    if type(dtype) is tuple:
        return any(is_reduced_precision(d) for d in dtype)
    return dtype.char in HALVES or dtype == COMPLEX32


def forward(op: Op, *arrays: Any) -> Any:
    """Run `op.forward`; 16-bit floats in single precision, with the result rounded.

    Operands of several floating types stay as they are, but a 0-d array of float32 may
    join 16-bit ones if the op sets `unrounded_scalars`. The operands of an op that was
    given a dtype stay as they are, too: it converts them itself.

    Sets `modes.half_used` once there is a 16-bit operand: from then on, the engine
    looks for nodes that need `upcast`.
    """
    for x in arrays:
        if type(x) is np.ndarray and x.dtype in ORDINARY:
            continue
        dtype = getattr(x, "dtype", SINGLE)
        if dtype.char in HALVES:
            break
        if dtype.itemsize == 1:
            check_float8(op, x)
        elif dtype == COMPLEX32:
            _m.half_used = True
            return forward_complex32(op, arrays)
    else:
        return op.forward(*arrays)
    _m.half_used = True
    narrow = x.dtype
    has_dtype = getattr(op, "dtype", None) is not None
    some_single = any(getattr(x, "dtype", None) == SINGLE for x in arrays)
    if (
        has_dtype
        or not (op.forward_in_single or some_single)
        or not _share_dtype(op, arrays, narrow)
    ):
        return op.forward(*arrays)
    y = op.forward(*[_to_single(x, narrow) for x in arrays])
    if isinstance(y, (tuple, list)):
        return tuple([_rounded(z, narrow) for z in y])
    return _rounded(y, narrow)


def _share_dtype(op: Op, arrays: Any, narrow: Any) -> bool:
    """Whether all floating and complex operands are of one 16-bit dtype.

    A 0-d array of float32 counts as a number if the op sets `unrounded_scalars`.
    """
    for x in arrays:
        dtype = getattr(x, "dtype", narrow)
        if dtype != narrow and dtype.kind not in "biu":
            is_number = op.unrounded_scalars and dtype == SINGLE and x.ndim == 0
            if not is_number:
                return False
    return True


def _to_single(x: Any, narrow: Any) -> Any:
    return (
        cast_preserving_strides(x, SINGLE) if getattr(x, "dtype", None) == narrow else x
    )


def _rounded(y: Any, narrow: Any) -> Any:
    """A result in 16 bits; indices, truth values and complex numbers as they are."""
    if getattr(y, "dtype", None) != SINGLE:
        return y
    with np.errstate(all="ignore"):
        return cast(y, narrow)


def forward_with_number(op: Op, x: Any, y: Any, dtype: Any) -> Any:
    """Run `op.forward` on an array of `dtype` and a Python number, in either order.

    Next to 16-bit floats, a number listed in `op.unrounded_scalars` keeps its digits.
    """
    position = 1 if hasattr(x, "dtype") else 0  # of the number
    if dtype.char in HALVES and position in op.unrounded_scalars:
        _m.half_used = True
        return _rounded(op.forward(_to_single(x, dtype), _to_single(y, dtype)), dtype)
    return forward(op, *op.promote(x, y))


def half_rounding(*operands: Any) -> Any:
    """A function that rounds to the 16-bit dtype of operands, or None if they differ.

    For the few operations that PyTorch computes in 16 bits step by step.

    Example:
        >>> import edutorch as torch
        >>> half_rounding(torch.ones(2).half())(np.float32(0.1))
        np.float32(0.099975586)
    """
    found = {getattr(x, "_data", x).dtype for x in operands}
    narrow = found.pop()
    if found or not is_half(narrow):
        return None

    def rounded(y: Any) -> Any:
        with np.errstate(all="ignore"):
            return cast(cast(np.asarray(y, SINGLE), narrow), SINGLE)[()]

    return rounded


def gradient_rounding(op: Op, g: Any) -> Any:
    """How the steps of an op's backward formula are rounded, given the gradient.

    For the few formulas whose steps PyTorch computes in 16 bits; without rounding in
    derivatives of derivatives.
    """
    if isinstance(g, Tensor) or not is_half(op.out_dtype):
        return no_rounding
    return half_rounding(np.empty(0, op.out_dtype))


def no_rounding(y: Any) -> Any:
    """The identity, used where `half_rounding` returns None."""
    return y


def upcast(node: Op, gradients: Any) -> Any:
    """Cast the gradients and saved values of a node with 16-bit results to float32.

    Arrays or, with `create_graph`, tensors. The engine rounds what `backward` returns.
    """
    if node.inputs is not None:
        node.inputs = [_upcast(x) for x in node.inputs]
    if node.output is not None:
        node.output = _upcast(node.output)
    if type(gradients) is list:
        return [_upcast(g) for g in gradients]
    return _upcast(gradients)


def _upcast(x: Any) -> Any:
    wide = np.complex64 if getattr(x, "dtype", None) in COMPLEX else SINGLE
    if isinstance(x, Tensor):
        return (
            x.to(dtypes.of_numpy[np.dtype(wide)])
            if is_reduced_precision(x._data.dtype)
            else x
        )
    return cast(x, wide) if is_reduced_precision(getattr(x, "dtype", SINGLE)) else x
