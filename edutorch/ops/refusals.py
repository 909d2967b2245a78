"""What many functions refuse alike, with PyTorch's words."""

from __future__ import annotations

from typing import Any

from ..tensor.tensor import Tensor

__all__ = ["need_floats", "need_tensors", "whole"]


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
