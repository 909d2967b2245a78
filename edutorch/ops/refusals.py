"""What many functions refuse alike, with PyTorch's words."""

from __future__ import annotations

import re
import sys
from typing import Any

from .. import dtypes
from ..tensor.tensor import Tensor

__all__ = [
    "asked_function", "need_floats", "need_tensors", "not_a", "numpy_dtype", "whole",
]  # fmt: skip


HELPER = re.compile(r"_|\w+_of$|into$|not_a$|numpy_dtype$|<")  # "<": comprehensions


# PyTorch has several signatures of these, and does not say which argument is wrong.
OVERLOADED = frozenset(
    [
        "all",
        "any",
        "count_nonzero",
        "max",
        "mean",
        "min",
        "prod",
        "std",
        "std_mean",
        "sum",
        "var",
        "var_mean",
    ]
)


def asked_function() -> Any:
    """The code of the public function that is running, for messages.

    It is found by walking back over helpers, which are known by their names: only after
    something failed, so it costs nothing before.
    """
    frame = sys._getframe(1)
    while frame.f_back and HELPER.match(frame.f_code.co_name):
        frame = frame.f_back
    return frame.f_code


def not_a(kind: str, argument: str, value: Any) -> TypeError:
    """The refusal of an argument of the public function that is running.

    Args:
        kind: what the argument must be, in PyTorch's words ("tuple of ints").
        argument: its name.
        value: what was given.

    Example:
        >>> def median(input, dim):
        ...     raise not_a("int", "dim", dim)
        >>> median([], "a")
        Traceback (most recent call last):
        TypeError: median(): argument 'dim' (position 2) must be int, not str
    """
    code = asked_function()
    if code.co_name in OVERLOADED:
        return TypeError(
            f"{code.co_name}() received an invalid combination of arguments"
        )
    names = code.co_varnames[: code.co_argcount]
    place = f" (position {names.index(argument) + 1})" if argument in names else ""
    return TypeError(
        f"{code.co_name}(): argument '{argument}'{place} must be {kind}, not "
        f"{type(value).__name__}"
    )


def numpy_dtype(dtype: Any) -> Any:
    """NumPy's name of what the argument `dtype` asks for; None stays None.

    Raises:
        TypeError: for what is no dtype, in the name of the function that asked.

    Example:
        >>> import edutorch as torch
        >>> numpy_dtype(torch.float32)
        dtype('float32')
    """
    if dtype is None:
        return None
    if isinstance(dtype, dtypes.dtype):
        return dtype.numpy
    if dtype not in (bool, int, float, complex):
        raise not_a("torch.dtype", "dtype", dtype)
    return dtypes.to_dtype(dtype).numpy


def need_tensors(function: str, **operands: Any) -> None:
    """Refuse numbers, None and whatever else is no tensor (or array).

    Args:
        function: the name of the public function.
        operands: its first arguments, by their names, in order.

    Raises:
        TypeError: with the first argument that is none.

    Example:
        >>> need_tensors("f", input=None)
        Traceback (most recent call last):
        TypeError: f(): argument 'input' (position 1) must be Tensor, not NoneType
    """
    for position, (name, value) in enumerate(operands.items(), 1):
        if not isinstance(value, Tensor) and not hasattr(value, "dtype"):
            raise TypeError(
                f"{function}(): argument '{name}' (position {position}) must be "
                f"Tensor, not {type(value).__name__}"
            )


def need_floats(kernel: str, *operands: Any, also: str = "") -> None:
    """Refuse tensors of integers, booleans and complex numbers.

    Args:
        kernel: PyTorch's name of what has not been written for them.
        operands: tensors.
        also: NumPy's letters of kinds that are taken all the same.

    Raises:
        NotImplementedError: with the first dtype that is refused.

    Example:
        >>> import edutorch as torch
        >>> need_floats("gelu_cpu", torch.tensor(1))
        Traceback (most recent call last):
        NotImplementedError: "gelu_cpu" not implemented for 'Long'
    """
    for x in operands:
        if x._data.dtype.kind not in "fV" + also:
            raise NotImplementedError(
                f"\"{kernel}\" not implemented for '{x.dtype.short}'"
            )


def whole(value: Any) -> int:
    """A whole number; digits in a text are none.

    Raises:
        TypeError: for texts.

    Example:
        >>> whole(3.0)
        3
    """
    if isinstance(value, str):
        raise TypeError("'str' object cannot be interpreted as an integer")
    return int(value)
