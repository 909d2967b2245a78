"""Operands that are not tensors: which of them dispatch accepts.

PyTorch accepts Python and NumPy numbers, but rejects NumPy arrays. The formulas of this
library do use arrays; `modes.takes_arrays` is set while one runs (`accept_arrays`), and
unset while one calls a function of the user (`call_user`). For all other operands, an
operator returns `NotImplemented`, so that Python tries the other operand's method, and
a function raises an error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

import numpy as np

from .. import dtypes
from . import op_errors
from .modes import modes

__all__ = [
    "FOREIGN", "OPERATORS", "accept_arrays", "as_operand", "call_user",
    "foreign_result",
]  # fmt: skip

FOREIGN: Any = object()
OPERATORS: set[CodeType] = set()  # methods of Tensor that Python calls for `x + y`
AUTOGRAD = f"{__name__.rpartition('.')[0]}."


@contextmanager
def accept_arrays() -> Iterator[None]:
    """Let public functions accept NumPy arrays, as they do in formulas of backward.

    Example:
        >>> import numpy as np
        >>> import edutorch as torch
        >>> with accept_arrays():
        ...     torch.exp(np.zeros(1))
        array([1.])
    """
    before, modes.takes_arrays = modes.takes_arrays, True
    try:
        yield
    finally:
        modes.takes_arrays = before


def call_user(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call the program's own function, in which NumPy arrays are rejected."""
    before, modes.takes_arrays = modes.takes_arrays, False
    try:
        return function(*arguments)
    finally:
        modes.takes_arrays = before


def as_operand(x: Any) -> Any:
    """Convert an operand for dispatch; `FOREIGN` if it cannot be one.

    Raises:
        OverflowError: for integers beyond 64 bits.
    """
    if isinstance(x, (int, float, complex)) and not isinstance(x, np.generic):
        if type(x) is int and not dtypes.LEAST <= x < dtypes.BEYOND:
            raise dtypes.integer_overflow(x)
        return x
    if isinstance(x, (np.number, np.bool_)):
        return x.item() if modes.takes_arrays else dtypes.as_number(x)
    if isinstance(x, np.ndarray) and modes.takes_arrays:
        return x
    return x if type(x).__module__.startswith("cupy") else FOREIGN


def _calling_function() -> FrameType:
    """The function that has called dispatch: the nearest outside of `autograd`.

    This is called only for errors. An argument to distinguish operators would cost
    time in each call.
    """
    frame = sys._getframe()
    while frame.f_back is not None:
        if not frame.f_globals.get("__name__", "").startswith(AUTOGRAD):
            break
        frame = frame.f_back
    return frame


# With an array on the left, these do not tell which dtype NumPy lacks.
REVERSED = ("__radd__", "__rmul__")


def foreign_result(op: Any, a: Any, b: Any) -> Any:
    """The result for a foreign operand: of an operator, `NotImplemented`.

    Raises:
        TypeError: of a function.
    """
    other = a if hasattr(b, "_data") else b
    if hasattr(other, "__torch_function__"):
        return op_errors.override(op.public, a, b)
    code = _calling_function().f_code
    if code in OPERATORS:
        silent = getattr(op, "gives_bool", False) or code.co_name in REVERSED
        if isinstance(b, np.ndarray) and not silent:
            _need_numpys_dtype(a)
        return NotImplemented
    raise op_errors.foreign_operand_error(op, a, b)


def _need_numpys_dtype(x: Any) -> None:
    """Reject tensors that NumPy cannot represent, if an operator defers to it."""
    if x.dtype is dtypes.bfloat16 and not x._requires_grad:
        raise TypeError("Got unsupported ScalarType BFloat16")
