"""Arithmetic with numbers inside composed functions.

An operator called from Python makes a tensor of a number; inside PyTorch's functions it
calls the signature for numbers, whose node has another name and no edge for the number:
"DivBackward1" instead of "DivBackward0".
"""

from __future__ import annotations

from typing import Any

from ...autograd.dispatch import apply2
from ...tensor.tensor import Tensor
from .arithmetic import Add, Div, Mul, Sub

__all__ = ["add_number", "div_number", "mul_number", "number_minus", "sub_number"]


class AddNumber(Add):
    """A sum with a number.

    Math: y = x + n      ∂L/∂x = g
    """

    public, torch_name = "add", "Add"
    overload, constants = 1, (1,)
    complex32 = "single"
    float8_kernel = "add_stub"


class SubNumber(Sub):
    """A difference with a number.

    Math: y = x - n      ∂L/∂x = g
    """

    public, torch_name = "sub", "Sub"
    overload, constants = 1, (1,)
    complex32 = "single"
    float8_kernel = "add_stub"


class MulNumber(Mul):
    """A product with a number.

    Math: y = x · n      ∂L/∂x = g · n
    """

    public, torch_name = "mul", "Mul"
    overload, constants = 1, (1,)
    complex32 = "single"
    float8_kernel = "mul_cpu_reduced_float"


class DivNumber(Div):
    """A quotient with a number.

    Math: y = x / n      ∂L/∂x = g / n
    """

    public, torch_name = "div", "Div"
    overload, constants = 1, (1,)
    float8_kernel = "div_cpu_reduced_float"


def add_number(x: Any, number: Any) -> Tensor:
    """`x + number`, as PyTorch's functions in C++ compute it.

    Example:
        >>> add_number(Tensor([1.0]), 2).item()
        3.0
    """
    return apply2(AddNumber(), x, number)


def sub_number(x: Any, number: Any) -> Tensor:
    """`x - number`, as PyTorch's functions in C++ compute it.

    Example:
        >>> sub_number(Tensor([1.0]), 2).item()
        -1.0
    """
    return apply2(SubNumber(), x, number)


def number_minus(number: Any, x: Any) -> Tensor:
    """`number - x`, which PyTorch's functions in C++ compute as a tensor's difference.

    Example:
        >>> number_minus(2, Tensor([1.0])).item()
        1.0
    """
    return apply2(Sub(), number, x)


def mul_number(x: Any, number: Any) -> Tensor:
    """`x * number`, as PyTorch's functions in C++ compute it.

    Example:
        >>> mul_number(Tensor([1.0]), 2).item()
        2.0
    """
    return apply2(MulNumber(), x, number)


def div_number(x: Any, number: Any) -> Tensor:
    """`x / number`, as PyTorch's functions in C++ compute it.

    Example:
        >>> div_number(Tensor([1.0]), 2).item()
        0.5
    """
    return apply2(DivNumber(), x, number)
