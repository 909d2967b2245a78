"""Real and imaginary parts of complex numbers, as views."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply1
from ...autograd.modes import modes
from ...tensor.tensor import Tensor
from ..argument_checks import tensor_of
from ..registration import attach
from ..shape.slices import Select, index_at_dim
from .complex_numbers import view_as_real

__all__ = ["imag", "real"]


def real(input: Tensor) -> Tensor:
    """A view of the real part of a complex tensor; a real tensor itself.

    Math: y = Re x      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.real(torch.tensor([1 + 2j]))
        tensor([1.])
    """
    if not isinstance(input, Tensor):
        return np.real(input if modes.takes_arrays else tensor_of(input, "real"))
    if input._data.dtype.kind not in "cW":
        return input
    return _part(input.conj() if input._conjugated else input, 0)


def _part(x: Tensor, which: int) -> Tensor:
    """A view of the real parts (0) or imaginary parts (1)."""
    if x.is_sparse:
        return apply1(SparsePart(which), x)
    return apply1(Select(index_at_dim(x._data.ndim, which)), view_as_real(x))


class SparsePart(Op):
    """The real parts (0) or imaginary parts (1) of a sparse tensor's values.

    Math: y = Re x  or  y = Im x      ∂L/∂x = g  or  ∂L/∂x = i · g
    """

    attributes = ("which",)
    saves = ()
    torch_name = "Select"

    def __init__(self, which: int) -> None:
        self.which = which

    def forward(self, x: Any) -> Any:
        return x.imag if self.which else x.real

    def backward(self, g: Any) -> Any:
        return g * (1j if self.which else 1 + 0j)


def imag(input: Tensor) -> Tensor:
    """A view of the imaginary part of a complex tensor.

    Math: y = Im x      ∂L/∂x = i · g
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for real tensors.

    Example:
        >>> import edutorch as torch
        >>> torch.imag(torch.tensor([1 + 2j]))
        tensor([2.])
    """
    if not isinstance(input, Tensor):
        return np.imag(input if hasattr(input, "dtype") else tensor_of(input, "imag"))
    if input._data.dtype.kind not in "cW":
        raise RuntimeError(
            "imag is not implemented for tensors with non-complex dtypes."
        )
    if not input._conjugated:
        return _part(input, 1)
    pairs = view_as_real(input.conj())._neg_view()  # type: ignore[attr-defined]  # attached
    return apply1(Select(index_at_dim(input._data.ndim, 1)), pairs)


def _set_part(name: str) -> Any:
    def write(self: Tensor, value: Any) -> None:
        part = getattr(self, name)
        part[...] = value

    return write


attach(real=property(real, _set_part("real")))
attach(imag=property(imag, _set_part("imag")))
