"""Products of two stacks of matrices: bmm."""

from __future__ import annotations

from typing import Any

from numpy import ndarray

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply2
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..registration import copyto, public
from .array_products import bmm_arrays, ctranspose
from .checks import refuse_dtypes

__all__ = ["bmm"]


def batch_times(a: Any, b: Any) -> Any:
    """The products of two stacks of matrices, for formulas."""
    return bmm_arrays(a, b) if type(a) is ndarray and a.ndim > 2 else a @ b


class Bmm(Op):
    """Products of matrices, one for each entry of a batch.

    Math: y[i] = a[i] b[i]      ∂L/∂a = g bᵀ      ∂L/∂b = aᵀ g
    Shape: (n, p, k), (n, k, q) -> (n, p, q)
    """

    onnx = "MatMul"
    packs = (1, 0)
    saves_for = {0: 1, 1: 0}  # noqa: RUF012 (a table, not a state)
    promote = staticmethod(refuse_dtypes)
    complex32_kernel = "bmm"

    def check(self, a: Any, b: Any) -> None:
        n, m = a._data.shape, b._data.shape
        if len(n) != 3 or len(m) != 3:
            raise RuntimeError(f"batch{1 + (len(n) == 3)} must be a 3D tensor")
        if n[0] != m[0] or n[2] != m[1]:
            raise RuntimeError(
                "Expected size for first two dimensions of batch2 tensor to be: "
                f"[{n[0]}, {n[2]}] but got: [{m[0]}, {m[1]}]."
            )

    def forward(self, a: Any, b: Any) -> Any:
        return bmm_arrays(a, b)

    def backward(self, g: Any) -> Any:
        a, b = self.inputs
        return (
            batch_times(g, ctranspose(b)) if self.needs[0] else None,
            batch_times(ctranspose(a), g) if self.needs[1] else None,
        )


@public("bmm")
def bmm(input: Tensor, mat2: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Products of matrices, one for each entry of a batch.

    Math: y[i] = a[i] b[i]      ∂L/∂a = g bᵀ      ∂L/∂b = aᵀ g
    Shape: (n, p, k), (n, k, q) -> (n, p, q)

    Raises:
        RuntimeError: for other numbers of dimensions, or sizes that do not fit.

    Example:
        >>> import edutorch as torch
        >>> a = torch.tensor([[[1.0, 2.0]], [[3.0, 4.0]]])
        >>> torch.bmm(a, a.mT)  # each row times itself
        tensor([[[ 5.]],
                [[25.]]])
    """
    if _m.special_modes and bmm in _m.modes.autocast:
        return _m.autocast(bmm, input, mat2, out=out)
    if not (isinstance(input, Tensor) and isinstance(mat2, Tensor)):
        need_tensors("bmm", input=input, mat2=mat2)
    result = apply2(Bmm(), input, mat2)
    return result if out is None else copyto(out, result, "bmm", (input, mat2))
