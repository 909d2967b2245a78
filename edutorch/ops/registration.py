"""Registers public functions as methods, operators and in-place variants of Tensor."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from ..autograd import op_errors
from ..autograd.foreign_operands import OPERATORS
from ..autograd.inplace_variants import in_place
from ..tensor.tensor import Tensor
from .out_argument import copyto
from .out_refusals import out_error

__all__ = [
    "attach",
    "composite",
    "copyto",
    "method",
    "public",
]

op_errors.out_error = out_error

F = TypeVar("F", bound=Callable[..., Any])


def public(
    *methods: str, inplace: str = "", augmented: str = "", before: Any = None,
    refuse: Any = None, composed: bool = False, fit: Any = None,
) -> Callable[[F], F]:  # fmt: skip
    """Attach a function to Tensor under each name; return the function unchanged.

    Args:
        methods: names of methods and operators ("add", "__add__").
        inplace: the name of the in-place variant ("add_").
        augmented: the operator of the in-place variant ("__iadd__").
        before: a further check, which only the in-place variant makes.
        refuse: called after the variant has failed, to raise the error that PyTorch
            would have raised first.
        composed: whether PyTorch composes the variant of others, so that `before`
            comes before all checks of the tensor.
        fit: called with the tensor and the result; refuses a result of another shape,
            or resizes the tensor, and checks its memory.
    """

    def register(function: F) -> F:
        if methods:
            qualify(function, methods[0])
        for name in methods:
            dunder = name.startswith("__")
            setattr(Tensor, name, as_operator(function, name) if dunder else function)
        if inplace:
            variant = in_place(
                function, inplace, before, refuse=refuse, composed=composed, fit=fit
            )
            setattr(Tensor, inplace, variant)
            if augmented:
                update = in_place(function, inplace, before, operator=True)
                operator = as_operator(update, augmented)
                operator.stands_for = variant
                setattr(Tensor, augmented, operator)
        return function

    return register


def as_operator(function: Any, name: str) -> Any:
    """The function with the name of an operator.

    Dispatch recognises operators by their code objects: they return `NotImplemented`
    for operands that a function refuses.

    Example:
        >>> as_operator(composite, "__add__").__code__.co_name
        '__add__'
    """
    code = function.__code__.replace(co_name=name)
    OPERATORS.add(code)
    variant = FunctionType(
        code, function.__globals__, function.__name__, function.__defaults__,
        function.__closure__,
    )  # fmt: skip
    variant.__kwdefaults__ = function.__kwdefaults__
    variant.__annotations__, variant.__doc__ = (
        function.__annotations__,
        function.__doc__,
    )
    variant.__module__, variant.__qualname__ = (
        function.__module__,
        function.__qualname__,
    )
    variant.__dict__.update(function.__dict__, stands_for=function)
    return variant


def method(function: F) -> F:
    """Attach a function that is only a method, under its name without `_tensor_`."""
    name = function.__name__.removeprefix("_tensor_")
    qualify(function, name)
    setattr(Tensor, name, function)
    return function


def qualify(function: Any, name: str) -> None:
    """Name a function that is only a method as Python's messages are to name it.

    Example:
        >>> Tensor.sum(Tensor([1.0]), axes=0)
        Traceback (most recent call last):
        TypeError: Tensor.sum() got an unexpected keyword argument 'axes'
    """
    if getattr(function, "__name__", "").startswith("_tensor_"):
        function.__qualname__ = f"Tensor.{name}"


def attach(**methods: Any) -> None:
    """Give Tensor methods and properties named like the arguments.

    Example:
        >>> attach(abs=Tensor.abs)
    """
    for name, value in methods.items():
        qualify(value, name)
        setattr(Tensor, name, value)


def composite(function: F) -> F:
    """Mark a function as composed of ops: views fold these into one box."""
    vars(function)["composite"] = True
    return function
