"""Operands that are no tensors: which dispatch takes, and which it leaves to others.

PyTorch takes Python's and NumPy's numbers. NumPy's arrays it refuses, but formulas of
this library use them, as constants. All else is a stranger: an operator gives way to
it, as Python wants it (`NotImplemented`), and a function refuses it.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import numpy as np

from .. import dtypes
from . import op_errors

__all__ = ["STRANGER", "by_user", "gave_way", "taken"]

STRANGER: Any = object()
# What stands between a program and a public function.
_BETWEEN = frozenset(f"edutorch.{name}" for name in ("autograd.inplace", "overrides"))


def taken(x: Any, depth: int = 3) -> Any:
    """An operand as dispatch takes it, or `STRANGER`.

    Args:
        depth: how many frames above this one the public function runs.
    """
    if isinstance(x, (int, float, complex)) and not isinstance(x, np.generic):
        return x
    if isinstance(x, (np.number, np.bool_)):
        user = by_user(sys._getframe(depth))
        return dtypes.as_number(x) if user else x.item()
    if isinstance(x, np.ndarray) and not by_user(sys._getframe(depth)):
        return x
    return x if type(x).__module__.startswith("cupy") else STRANGER


def by_user(function: FrameType) -> bool:
    """Whether a program called a function, and not a formula of this library."""
    frame = function.f_back
    while frame is not None:
        module = frame.f_globals.get("__name__", "")
        if module not in _BETWEEN:
            return not module.startswith("edutorch.")
        frame = frame.f_back
    return True


def gave_way(op: Any, a: Any, b: Any) -> Any:
    """What becomes of an operation with a stranger: `NotImplemented` of an operator.

    Raises:
        TypeError: of a function.
    """
    stranger = a if hasattr(b, "_data") else b
    if hasattr(stranger, "__torch_function__"):
        return op_errors.override(op.public, a, b)
    if sys._getframe(3).f_code.co_name.startswith("__"):
        if isinstance(b, np.ndarray) and not getattr(op, "gives_bool", False):
            _need_numpys_dtype(a)
        return NotImplemented
    raise op_errors.foreign(op, a, b)


def _need_numpys_dtype(x: Any) -> None:
    """Refuse tensors that NumPy cannot have, when an operator leaves them to it."""
    if x.dtype is dtypes.bfloat16 and not x._requires_grad:
        raise TypeError("Got unsupported ScalarType BFloat16")
