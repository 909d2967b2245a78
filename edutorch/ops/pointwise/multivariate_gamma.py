"""The logarithm of the multivariate gamma function."""

from __future__ import annotations

import math
from typing import Any

from ...autograd.dispatch import Op
from ...autograd.inplace import check_memory
from ...autograd.one_node import as_one_node
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, refuse_kinds
from ..int_arguments import int_of
from ..registration import composite, copyto, public
from .special_functions import digamma, lgamma

__all__ = ["mvlgamma"]


class Mvlgamma(Op):
    """The node of `mvlgamma`, which is composed of ops.

    Math: y = p(p-1)/4 · ln π + Σ_(i<p) ln Γ(x - i/2)
          ∂L/∂x = g · Σ_(i<p) digamma(x - i/2)
    """

    saves = (0,)

    def __init__(self, p: int) -> None:
        self.p = p

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        slope = digamma(x)
        for i in range(1, self.p):
            slope = slope + digamma(x - i / 2)
        return g * slope


def _fit_mvlgamma(self: Tensor, result: Tensor) -> None:
    """Check that the function may be written to what it was computed of.

    Raises:
        RuntimeError: for integers and for expanded memory.
    """
    if self._data.dtype.kind in "iu":
        raise RuntimeError(
            f"mvlgamma: result type {self.dtype.short} can't be cast to the desired "
            f"output type {result.dtype.short}"
        )
    check_memory(self)


def _sum_of_lgamma(x: Tensor, p: int) -> Tensor:
    x = x.contiguous()
    total: Tensor = lgamma(x) + p * (p - 1) / 4 * math.log(math.pi)
    for i in range(1, p):
        total = total + lgamma(x - i / 2)
    return total.contiguous()


@public("mvlgamma", inplace="mvlgamma_", fit=_fit_mvlgamma)
@composite
def mvlgamma(input: Tensor, p: int, *, out: Tensor | None = None) -> Tensor:
    """Elementwise logarithm of the multivariate gamma function.

    Math: y = p(p-1)/4 · ln π + Σ_(i<p) ln Γ(x - i/2)
          ∂L/∂x = g · Σ_(i<p) digamma(x - i/2)
    Shape: (*) -> (*)

    Raises:
        RuntimeError: if `p` is below 1.

    Example:
        >>> import edutorch as torch
        >>> torch.mvlgamma(torch.tensor([2.0]), 2)
        tensor([0.4516])
    """
    need_tensors("mvlgamma", input=input)
    p = int_of(p, "p", "mvlgamma")
    if input._data.dtype.kind == "b":
        raise RuntimeError("The input tensor may not be a boolean tensor.")
    if p < 1:
        raise RuntimeError("p has to be greater than or equal to 1")
    refuse_kinds("arange_cpu", "c", input)
    result = as_one_node(Mvlgamma(p), lambda x: _sum_of_lgamma(x, p), input)
    if out is None:
        return result
    return copyto(out, result, "mvlgamma", (input,), variant=input.dtype.short)
