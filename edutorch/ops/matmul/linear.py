"""The affine map of a layer."""

from __future__ import annotations

from math import prod
from typing import Any

from numpy import ndarray

from ...autograd import modes as _m
from ...autograd.batched_tensor import any_batched
from ...autograd.dispatch import Op, apply, apply2
from ...kernels.gemm import MIN_SIZE, affine
from ...kernels.products import LARGE
from ...tensor.tensor import Tensor
from ..argument_checks import type_error
from ..registration import copyto
from ..shape.views import reshape
from .array_products import matmul_arrays
from .checks import check_linear, check_vector_weight, is_vector_shaped
from .matrix_products import (
    BLAS,
    matmul,
    times_conjugate,
    transposed_times_conjugate,
)

__all__ = ["linear"]


class Linear(Op):
    """Affine map of the last dimension.

    Math: y = x wᵀ + b      ∂L/∂x = g conj(w)      ∂L/∂w = gᵀ conj(x)      ∂L/∂b = Σ g
    Shape: (*, k), (m, k), (m) -> (*, m)

    The bias is added to the product of rows and matrix, as PyTorch's addmm does.
    """

    onnx = "Gemm"
    same_device = slice(2, None)  # the bias, which is added to the rows
    reorders_leaves = True
    saves = (0, 1)  # not the bias, which may be changed before backward
    saves_for = {0: 1, 1: 0}  # noqa: RUF012 (never changed)

    check = staticmethod(check_linear)
    complex32_kernel = "addmm_impl_cpu_"

    @property
    def packs(self) -> tuple[int, ...]:
        """The factors in the argument order of PyTorch's addmm or mm."""
        return (0, 1) if len(self.edges) == 3 else (1, 0)

    def sort_leaves(self, leaves: list[Tensor]) -> None:
        """Order the leaves: bias first; the weight, unless x is a matrix, before x."""
        x, w, *b = self.edges
        edges = (*b, w, x) if b and len(self.out_shape) != 2 else (*b, x, w)
        places = {edge: place for place, edge in enumerate(edges)}
        leaves.sort(key=places.__getitem__)

    def name(self) -> str:
        """PyTorch's name of the node, which depends on the shape."""
        x, b = len(self.out_shape), len(self.edges)
        if x == 2:
            return "AddmmBackward0" if b == 3 else "MmBackward0"
        if b == 3:
            return "ViewBackward0"
        return "UnsafeViewBackward0" if x > 1 else "SqueezeBackward4"

    @property
    def next_functions(self) -> tuple[tuple[Any, int], ...]:
        """The nodes that backward visits next; of addmm the bias comes first."""
        found = super().next_functions
        matrix = len(found) == 3 and len(self.out_shape) == 2
        return (found[2], *found[:2]) if matrix else found

    def forward(self, x: Any, w: Any, b: Any = None) -> Any:
        rows = x if x.ndim <= 2 else x.reshape(prod(x.shape[:-1]), x.shape[-1])
        dense = type(x) is ndarray is type(w) and x.dtype in BLAS and w.shape[1] != 1
        if dense and b is not None and rows.shape[0] * w.shape[0] >= MIN_SIZE:
            y = affine(rows, w, b)
            if y is not None:
                return y if x.ndim <= 2 else y.reshape(*x.shape[:-1], w.shape[0])
        y = rows.dot(w.T) if dense and w.size < LARGE else matmul_arrays(rows, w.T)
        if b is not None:
            y += b if b.ndim <= y.ndim else b[0]  # a vector has only one row of bias
        return y if x.ndim <= 2 else y.reshape(*x.shape[:-1], w.shape[0])  # (*, m)

    def backward(self, g: Any) -> Any:
        x, w = self.inputs[:2]
        rows, gx, gw = g, None, None
        if g.ndim != 2:  # one product of all rows, not one for each matrix
            rows = reshape(g, (prod(g.shape[:-1]), g.shape[-1]))
        if self.needs[0]:
            gx = times_conjugate(rows, w)
            if g.ndim != 2:
                gx = reshape(gx, (*g.shape[:-1], w.shape[1]))
        if self.needs[1]:
            if x.ndim != 2:
                x = reshape(x, (prod(x.shape[:-1]), x.shape[-1]))
            gw = transposed_times_conjugate(rows, x)  # (m, k)
        return gx, gw, rows if len(self.needs) == 3 and self.needs[2] else None


def linear(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Affine map of the last dimension, as in `nn.Linear`.

    Math: y = x wᵀ + b      ∂L/∂x = g conj(w)      ∂L/∂w = gᵀ conj(x)      ∂L/∂b = Σ g
    Shape: (*, k), (m, k), (m) -> (*, m); with `weight` (k): (*, k) -> (*)

    Raises:
        RuntimeError: for shapes that do not fit and different dtypes.
        TypeError: for arguments that are not tensors.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.matmul import linear
        >>> linear(torch.ones(2), torch.ones(3, 2), torch.zeros(3))
        tensor([2., 2., 2.])
    """
    if _m.special_modes and linear in _m.modes.autocast:
        if bias is not None and any_batched((input, weight, bias)):
            # `vmap` takes the map apart before autocast casts its product, as PyTorch's
            return linear(input, weight, out=out) + bias
        return _m.autocast(linear, input, weight, bias, out=out)
    if not isinstance(weight, Tensor):
        raise type_error("Tensor", "weight", weight, "linear")
    if weight._data.ndim < 2:
        result = _with_vector(input, weight, bias)
    elif bias is None:
        result = apply2(Linear(), input, weight)
    elif isinstance(bias, Tensor) and bias._data.ndim != 1:
        result = _with_shaped_bias(input, weight, bias)
    else:
        result = apply(Linear(), input, weight, bias)
    return result if out is None else _into(out, result, input, weight, bias)


def _into(
    out: Any, result: Tensor, input: Tensor, weight: Tensor, bias: Tensor | None
) -> Tensor:
    """Write a result into `out`; one of a vector as a row first, as in PyTorch.

    Only the bias, which is added last, may not overlap `out`.
    """
    if weight.ndim != 2:
        return copyto(out, result, "linear", (input, weight, bias))
    if bias is not None and bias.ndim == 1 and input.ndim == 2:
        bias = bias.expand(result.shape)
    if input.ndim != 1:
        return copyto(out, result, "linear", (bias,))
    return copyto(out, result.unsqueeze(0), "linear", (bias,)).squeeze_(0)


def _with_shaped_bias(x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    """The affine map with a bias that is not a vector.

    If it has the shape of a row or of a column, or `x` is a matrix, the op adds it;
    otherwise it is added to the op's result.
    """
    if x._data.ndim == 2 or is_vector_shaped(b._data.shape):
        return apply(Linear(), x, w, b)
    y = apply2(Linear(), x, w)
    return y + b if any_batched((b,)) else y.add_(b)


def _with_vector(x: Tensor, w: Tensor, b: Tensor | None) -> Tensor:
    """The affine map with one output: the weight is a vector."""
    if isinstance(x, Tensor):
        if not (b is None or isinstance(b, Tensor)):
            raise type_error("Tensor", "bias", b, "linear")
        check_vector_weight(x, w, b)
    y = matmul(x, w)
    return y if b is None else y.add_(b)
