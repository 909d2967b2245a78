"""How a public function becomes Tensor's method, operator and in-place twin."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

from ..autograd.inplace import in_place, update
from ..tensor.tensor import Tensor

__all__ = ["composite", "into", "method", "public"]

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


def into(out: Any, result: Any) -> Any:
    """Write a result into the tensor that `out=` names, and return that tensor.

    Raises:
        RuntimeError: if one of them requires grad, or dtypes do not fit.
    """
    if isinstance(out, (tuple, list)):
        written = [into(o, r) for o, r in zip(out, result, strict=True)]
        return type(result)(*written) if hasattr(result, "_fields") else tuple(written)
    if out._requires_grad or result._requires_grad:
        name = sys._getframe(1).f_code.co_name  # the function that was asked
        raise RuntimeError(
            f"{name}(): functions with out=... arguments don't support automatic "
            "differentiation, but one of the arguments requires grad."
        )
    if out._data.shape != result._data.shape:
        out._data = type(result._data)(result._data.shape, dtype=out._data.dtype)
        out._storage = None
    return update(out, out, result)
