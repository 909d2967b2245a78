"""How a public function becomes Tensor's method, operator and in-place twin."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from ..autograd.inplace import in_place
from ..errors import named_type
from ..tensor.tensor import Tensor
from .asked import asked
from .outs import into
from .overloads import no_overload

__all__ = [
    "composite", "into", "method", "public", "refuse_numbers", "refuse_self",
]  # fmt: skip

NUMBERS = frozenset((bool, int, float, complex))
F = TypeVar("F", bound=Callable[..., Any])


def public(*methods: str, inplace: str = "", augmented: str = "") -> Callable[[F], F]:
    """Attach a function to Tensor under each name; returns the function unchanged.

    Args:
        methods: names of methods and operators ("add", "__add__").
        inplace: the name of the in-place twin ("add_").
        augmented: the operator of the in-place twin ("__iadd__").
    """

    def attach(function: F) -> F:
        for name in methods:
            setattr(Tensor, name, function)
        if inplace:
            twin = in_place(function, inplace)
            setattr(Tensor, inplace, twin)
            if augmented:
                setattr(Tensor, augmented, twin)
        return function

    return attach


def method(function: F) -> F:
    """Attach a function that is a method only, under its own name."""
    name = function.__name__
    setattr(Tensor, name.removeprefix("_tensor_"), function)
    return function


def composite(function: F) -> F:
    """Mark a function made of ops: views fold the ops it runs into one box."""
    function.composite = True  # type: ignore[attr-defined]  # a note on the function
    return function


def refuse_numbers(name: str, beside: Any = None, **operands: Any) -> None:
    """Refuse Python numbers where a function takes tensors only.

    Args:
        name: the public function.
        beside: an operand that may be a number.
        operands: those that must be tensors, by their names.

    Raises:
        TypeError: with the first argument that is a number.
    """
    tensors = any(isinstance(value, Tensor) for value in (beside, *operands.values()))
    for position, (argument, value) in enumerate(operands.items(), 1):
        # In formulas NumPy's numbers are arrays without dimensions.
        if type(value) in NUMBERS or (tensors and isinstance(value, np.generic)):
            raise TypeError(
                no_overload(asked())
                or f"{name}(): argument '{argument}' (position {position}) must be "
                f"Tensor, not {named_type(value)}"
            )


def refuse_self(name: str, self: Any) -> None:
    """Refuse an operator's method asked of something that is no tensor.

    Raises:
        TypeError: in Python's words for methods of built-in types.
    """
    if isinstance(self, (int, float, complex)):
        raise TypeError(
            f"descriptor '{name}' for 'torch._C.TensorBase' objects doesn't apply to a "
            f"'{type(self).__name__}' object"
        )
