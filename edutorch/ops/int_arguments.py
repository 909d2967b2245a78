"""Integer arguments of layers: a single one or several, from Python or NumPy."""

from __future__ import annotations

import operator
from typing import Any

from ..tensor.tensor import Tensor
from .argument_checks import size_type_error, type_error
from .argument_errors import check_integer

__all__ = ["int_of", "ints_of"]


def int_of(value: Any, argument: str, function: str = "") -> int:
    """The value of an integer argument, as a Python int.

    Raises:
        TypeError: for anything else, in the name of the function.

    Example:
        >>> import edutorch as torch
        >>> torch.chunk(torch.ones(2), 1.5)
        Traceback (most recent call last):
        TypeError: chunk(): argument 'chunks' (position 2) must be int, not float
    """
    if type(value) is int:
        return value
    check_integer(value)
    try:
        if not isinstance(value, bool):
            return operator.index(value)
    except (TypeError, RuntimeError):  # tensors of several elements are not numbers
        pass
    raise type_error("int", argument, value, function)


def ints_of(value: Any, function: str = "") -> tuple[int, ...]:
    """An int, or a sequence of ints, as a tuple of Python ints.

    Raises:
        TypeError: for anything else, in the name of the function.

    Example:
        >>> import numpy as np
        >>> ints_of(3), ints_of([np.int64(2), 1])
        ((3,), (2, 1))
    """
    if type(value) is int:
        return (value,)
    if isinstance(value, (list, tuple)) and not (value and type(value[0]) is bool):
        try:
            return tuple([operator.index(n) for n in value])
        except (TypeError, RuntimeError):
            raise size_type_error(value, function) from None
    if isinstance(value, (list, tuple)):
        raise size_type_error(value, function)  # PyTorch takes bools after the first
    single = not isinstance(value, bool)
    if isinstance(value, Tensor):
        single = value.ndim == 0 and not value.dtype.is_floating_point
    try:
        if single:
            return (operator.index(value),)
    except (TypeError, RuntimeError):
        pass
    raise type_error("tuple of ints", "size", value, function)
