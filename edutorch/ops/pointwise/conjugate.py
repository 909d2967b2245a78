"""Conjugates, and zeros for formulas of derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.batched_tensor import Batched
from ...autograd.conj_neg_views import ConjView, NegView, run_lazily
from ...autograd.dispatch import apply1
from ...autograd.inplace import alias_with_history, check_writable, update
from ...autograd.inplace_variants import in_place
from ...autograd.memory_overlap import overlaps_itself
from ...autograd.modes import modes
from ...errors import raise_if
from ...tensor.tensor import Tensor, strided
from ..argument_checks import tensor_of
from ..argument_errors import argument_error
from ..promotion import Pointwise
from ..registration import attach, copyto, public

__all__ = ["conj", "conj_physical"]


@public("conj")
def conj(input: Any) -> Any:
    """A view of the complex conjugate; a real tensor is returned unchanged.

    The view shares the memory of `input` and is conjugated whenever it is read.

    Math: y = conj(x)      ∂L/∂x = conj(g)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([1 + 2j])
        >>> y = torch.conj(x)
        >>> y[0] = 3j
        >>> x, y.is_conj()
        (tensor([0.-3.j]), True)
    """
    if isinstance(input, Tensor):
        if not input.is_complex():
            return input
        viewed = type(input) is not Batched and input.layout is strided
        return run_lazily(ConjView(), input) if viewed else apply1(Conj(), input)
    if hasattr(input, "dtype") and modes.takes_arrays:
        return input.conj() if input.dtype.kind in "cW" else input
    if not isinstance(input, (int, float, complex)):
        return tensor_of(input, "conj")
    if not modes.takes_arrays:  # no formula
        raise_if(argument_error())
    return input.conjugate()


class Conj(Pointwise):
    """Complex conjugate.

    Math: y = conj(x)      ∂L/∂x = conj(g)
    """

    saves = ()

    def forward(self, x: Any) -> Any:
        return np.conj(x)

    def backward(self, g: Any) -> Any:
        return conj(g)


def _neg_view(self: Tensor) -> Tensor:
    """A view of the negative, which shares memory and is negated on reading.

    Math: y = -x      ∂L/∂x = -g
    Shape: (*) -> (*)
    """
    return -self if type(self) is Batched else run_lazily(NegView(), self)


attach(_neg_view=_neg_view)


class ConjPhysical(Conj):
    """The complex conjugate, computed at once.

    Math: y = conj(x)      ∂L/∂x = conj(g)
    """

    complex32 = "single"

    def forward(self, x: Any) -> Any:
        return np.conjugate(x) if x.dtype.kind in "cW" else x.copy()  # also bytes


@public("conj_physical")
def conj_physical(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The complex conjugate, computed at once; a real tensor is returned unchanged.

    Math: y = conj(x)      ∂L/∂x = conj(g)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.conj_physical(torch.tensor([1 + 2j]))
        tensor([1.-2.j])
    """
    real = isinstance(input, Tensor) and input._data.dtype.kind not in "cW"
    result = input if real else apply1(ConjPhysical(), input)
    return result if out is None else copyto(out, result, "conj_physical", (input,))


def _physical(input: Tensor) -> Tensor:
    op = ConjPhysical()
    op.overload = 1  # PyTorch's number of the node
    return apply1(op, input)


_conjugate = in_place(_physical, "conj_physical_")


def _conj_physical_(self: Tensor) -> Tensor:
    """Conjugate in place; a real tensor that overlaps itself is left unchanged.

    Math: x <- conj(x)      ∂L/∂x = conj(g)
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([1 + 2j]).conj_physical_()
        tensor([1.-2.j])
    """
    if self._data.dtype.kind == "c" or not overlaps_itself(self._data):
        return _conjugate(self)
    check_writable(self, overlapping=True)
    old = alias_with_history(self)
    return update(self, old, _physical(old))


attach(conj_physical_=_conj_physical_)  # as all in-place methods


class Zeros(Pointwise):
    """Zeros with the same shape: the derivative of a piecewise constant function.

    Math: y = 0      ∂L/∂x = 0
    """

    saves = ()

    @property
    def differentiable(self) -> bool:
        """Whether the op is recorded: only in forward mode, which needs its tangent."""
        return modes.forward

    def forward(self, x: Any) -> Any:
        return np.zeros_like(x)

    def backward(self, g: Any) -> Any:
        return zeros(g)


def zeros(x: Any) -> Any:
    """Zeros like `x`, for formulas."""
    return apply1(Zeros(), x)
