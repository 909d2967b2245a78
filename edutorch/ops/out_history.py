"""The history of results in `out=`: refused, or one that ends."""

from __future__ import annotations

from typing import Any

from ..autograd.dispatch import Op, apply
from ..tensor.tensor import Tensor

__all__ = ["gradient_error", "without_derivative"]


def gradient_error(by: str) -> RuntimeError:
    """The error for `out=` when gradients are required."""
    return RuntimeError(
        f"{by}(): functions with out=... arguments don't support automatic "
        "differentiation, but one of the arguments requires grad."
    )


class WithoutDerivative(Op):
    """The node of a result in `out` whose derivative PyTorch does not know.

    Math: y = x; no derivative
    """

    attributes = ("function",)
    saves = ()

    def __init__(self, function: str) -> None:
        self.function = function

    def forward(self, x: Any, *operands: Any) -> Any:
        return x.copy()

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "torch::autograd::NotImplemented"

    def backward(self, g: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{self.function} is not implemented")


def without_derivative(
    result: Tensor, kernel: str, inputs: tuple[Any, ...]
) -> tuple[Tensor, bool]:
    """The result with a history that ends here, and whether it has one."""
    tensors = [t for t in inputs if isinstance(t, Tensor)]
    leaf = next((t for t in tensors if t._requires_grad), None)
    if leaf is None or result._data.dtype.kind in "biu":
        return result, False
    return apply(WithoutDerivative(kernel), result.detach(), leaf), True
