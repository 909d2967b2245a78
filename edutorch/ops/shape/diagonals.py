"""Diagonals and triangles."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1
from ...autograd.memory_overlap import refuse_repeated
from ...backends import array_module
from ...dtypes import can_cast
from ...kernels.memory_format import row_major
from ...tensor.storage import strided_view
from ...tensor.tensor import Tensor
from ..argument_checks import tensor_of
from ..argument_errors import parser_errors
from ..dims import dim_of, ndim_of
from ..int_arguments import int_of
from ..registration import composite, copyto, public
from .views import reshape

__all__ = ["diag", "diag_embed", "diagflat", "diagonal", "trace", "tril", "triu"]


def diagonal_of(x: Any, offset: int, dim1: int, dim2: int) -> Any:
    """A writable view of a diagonal as the last dimension."""
    n, m = x.shape[dim1], x.shape[dim2]
    length = max(min(n + min(offset, 0), m - max(offset, 0)), 0)
    start = [slice(None)] * x.ndim
    if length:
        start[dim1], start[dim2] = (
            slice(max(-offset, 0), None),
            slice(max(offset, 0), None),
        )
    x = x[tuple(start)]
    rest = [d for d in range(x.ndim) if d not in (dim1, dim2)]
    shape = (*(x.shape[d] for d in rest), length)
    strides = (*(x.strides[d] for d in rest), x.strides[dim1] + x.strides[dim2])
    return strided_view(x, shape, strides)


class Diagonal(Op):
    """A view of a diagonal as the last dimension.

    Math: y[.., i] = x[.., i, .., i + offset, ..]      ∂L/∂x = 0 with g there
    """

    attributes = ("offset", "dim1", "dim2")
    is_view = True
    saves = ()

    def __init__(self, offset: int, dim1: int, dim2: int) -> None:
        self.offset, self.dim1, self.dim2 = offset, dim1, dim2

    def forward(self, x: Any) -> Any:
        self.old_shape = x.shape
        return diagonal_of(x, self.offset, self.dim1, self.dim2)

    def backward(self, g: Any) -> Any:
        place = (self.offset, self.dim1, self.dim2)
        return apply1(DiagonalGrad(*place, self.old_shape), g)


class DiagonalCopy(Diagonal):
    """A copy of a diagonal: `diag` of a matrix.

    Math: y[.., i] = x[.., i, .., i + offset, ..]      ∂L/∂x = 0 with g there
    """

    is_view = False
    complex32 = "single"

    def name(self) -> str:
        """PyTorch's name of the node."""
        return "DiagonalBackward0_copy"

    def forward(self, x: Any) -> Any:
        return super().forward(x).copy()


class DiagEmbed(Op):
    """Zeros with `x` on a diagonal.

    Math: y[.., i, .., i + offset, ..] = x[.., i]      ∂L/∂x = that diagonal of g
    """

    attributes = ("offset", "dim1", "dim2", "shape")
    saves = ()
    complex32 = "single"

    def __init__(
        self, offset: int, dim1: int, dim2: int, shape: tuple[int, ...]
    ) -> None:
        self.offset, self.dim1, self.dim2, self.shape = offset, dim1, dim2, shape

    def forward(self, x: Any) -> Any:
        y = array_module(x).zeros(self.shape, x.dtype)
        diagonal_of(y, self.offset, self.dim1, self.dim2)[...] = x
        return y

    def backward(self, g: Any) -> Any:
        return apply1(Diagonal(self.offset, self.dim1, self.dim2), g)


class DiagonalGrad(DiagEmbed):
    """The gradient of `Diagonal`.

    Math: y[.., i, .., i + offset, ..] = x[.., i]      ∂L/∂x = that diagonal of g
    """

    torch_name = "DiagonalBackward"
    complex32 = "single"


def _two_dims(dim1: int, dim2: int, ndim: int) -> tuple[int, int]:
    first, second = dim_of(dim1, ndim), dim_of(dim2, ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    return first, second


@public("diagonal")
def diagonal(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """A view of a diagonal in the plane of two dimensions, as the last dimension.

    Math: y[.., i] = x[.., i, .., i + offset, ..]      ∂L/∂x = 0 with g there
    Shape: (n, m) -> (min(n, m)) for offset 0

    Args:
        offset: 0 is the main diagonal, 1 the one above it, -1 the one below.

    Raises:
        IndexError: if a dimension does not exist.
        RuntimeError: if both are the same.

    Example:
        >>> import edutorch as torch
        >>> torch.diagonal(torch.tensor([[1, 2], [3, 4]]))
        tensor([1, 4])
    """
    if type(offset) is not int:
        offset = int_of(offset, "offset", "diagonal")
    return apply1(
        Diagonal(offset, *_two_dims(dim1, dim2, ndim_of(input, "diagonal"))),
        input,
    )


@public("diag_embed")
@parser_errors
def diag_embed(
    input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1
) -> Tensor:
    """Matrices with the last dimension of `input` as a diagonal, zeros elsewhere.

    Math: y[.., i, i + offset] = x[.., i]      ∂L/∂x = that diagonal of g
    Shape: (.., n) -> (.., n + |offset|, n + |offset|)

    Raises:
        RuntimeError: if both dimensions are the same.

    Example:
        >>> import edutorch as torch
        >>> torch.diag_embed(torch.tensor([1, 2]), offset=1)
        tensor([[0, 1, 0],
                [0, 0, 2],
                [0, 0, 0]])
    """
    offset = int_of(offset, "offset", "diag_embed")
    first, second = _two_dims(dim1, dim2, ndim_of(input, "diag_embed") + 1)
    *rest, n = input._data.shape
    shape = list(rest)
    for d in sorted((first, second)):
        shape.insert(d, n + abs(offset))
    return apply1(DiagEmbed(offset, first, second, tuple(shape)), input)


@public("diag")
def diag(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    """A matrix with a vector as diagonal, or a copy of a matrix's diagonal.

    Math: y[i, i + k] = x[i], or y[i] = x[i, i + k]
          ∂L/∂x = that diagonal of g, or 0 with g there
    Shape: (n) -> (n, n);  (n, m) -> (min(n, m))

    Raises:
        RuntimeError: for other numbers of dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.diag(torch.tensor([1, 2]))
        tensor([[1, 0],
                [0, 2]])
    """
    n = ndim_of(input, "diag")
    if n == 1:
        result = diag_embed(input, diagonal)
    elif n == 2:
        op = DiagonalCopy(int_of(diagonal, "diagonal", "diag"), 0, 1)
        result = apply1(op, input)
    else:
        int_of(diagonal, "diagonal", "diag")
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {n}D")
    if out is None:
        return result
    variant = "vector" if n == 1 else ""
    if variant and isinstance(out, Tensor) and can_cast(input.dtype, out.dtype):
        variant = "filled"
    return copyto(out, result, "diag", (input,), variant=variant)


@public("diagflat")
@composite
def diagflat(input: Tensor, offset: int = 0) -> Tensor:
    """A matrix with all elements of `input` as a diagonal.

    Math: y[i, i + offset] = xᵢ in row-major order, elsewhere 0
          ∂L/∂xᵢ = g[i, i + offset]
    Shape: (*) -> (n + |offset|, n + |offset|)

    Example:
        >>> import edutorch as torch
        >>> torch.diagflat(torch.tensor([[1], [2]]))
        tensor([[1, 0],
                [0, 2]])
    """
    return diag(reshape(tensor_of(input, "diagflat"), (-1,)), offset)


class Trace(Op):
    """The sum of the main diagonal of a matrix.

    Math: y = Σ_i x[i, i]      ∂L/∂x = g on the diagonal
    """

    saves = ()
    complex32_kernel = "trace"

    def check(self, x: Tensor) -> None:
        """Raise unless the operand is a matrix of numbers."""
        if x._data.dtype.kind == "b":
            raise NotImplementedError("\"trace\" not implemented for 'Bool'")
        if x._data.ndim != 2:
            raise RuntimeError(
                f"trace: expected a matrix, but got tensor with dim {x._data.ndim}"
            )

    def forward(self, x: Any) -> Any:
        self.old_shape = x.shape
        kind = np.int64 if x.dtype.kind in "iub" else x.dtype
        return np.trace(x).astype(kind) if x.size else x.sum().astype(kind)

    def backward(self, g: Any) -> Any:
        line = g.reshape(1).repeat(min(self.old_shape))
        return apply1(DiagEmbed(0, 0, 1, self.old_shape), line)


@public("trace")
def trace(input: Tensor) -> Tensor:
    """The sum of the main diagonal of a matrix.

    Math: y = Σ_i x[i, i]      ∂L/∂x = g on the diagonal
    Shape: (n, m) -> ()

    Raises:
        RuntimeError: for anything but a matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.trace(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        tensor(5.)
    """
    if _m.special_modes and trace in _m.modes.autocast:
        return _m.autocast(trace, input)
    return apply1(Trace(), input)


class Tril(Op):
    """The lower triangle of each matrix, with zeros above.

    Math: y[.., i, j] = x[.., i, j] if j <= i + k else 0      ∂L/∂x = the same of g
    """

    attributes = ("diagonal",)
    onnx = "Trilu"
    saves = ()
    complex32 = "single"

    def __init__(self, diagonal: int) -> None:
        self.diagonal = diagonal

    def check(self, x: Tensor) -> None:
        """Raise unless there are matrices."""
        if x._data.ndim < 2:
            raise RuntimeError(
                f"{self.public}: input tensor must have at least 2 dimensions"
            )

    def forward(self, x: Any) -> Any:
        return row_major(np.tril(x, self.diagonal))

    def backward(self, g: Any) -> Any:
        return apply1(type(self)(self.diagonal), g)


class Triu(Tril):
    """The upper triangle of each matrix, with zeros below.

    Math: y[.., i, j] = x[.., i, j] if j >= i + k else 0      ∂L/∂x = the same of g
    """

    complex32 = "single"

    def forward(self, x: Any) -> Any:
        return row_major(np.triu(x, self.diagonal))


def _refuse_repeated_batches(x: Tensor, *_: Any, **__: Any) -> None:
    """Refuse repeated elements where PyTorch writes back a copy of the matrices.

    It changes them where they are if they follow each other; only the first of their
    dimensions may repeat them.

    Raises:
        RuntimeError: for batches with other strides and repeated elements.
    """
    shape, strides = x.shape, x.stride()
    expected = prod(shape[-2:])
    for i in range(x.ndim - 3, -1, -1) if x.ndim > 3 else ():
        if strides[i] != expected and (i or (strides[i] and shape[i] != 1)):
            refuse_repeated(shape, strides)
        expected *= shape[i]


@public("tril", inplace="tril_", before=_refuse_repeated_batches)
def tril(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    """The lower triangle of each matrix, with zeros above.

    Math: y[.., i, j] = x[.., i, j] if j <= i + diagonal else 0
          ∂L/∂x = the same of g
    Shape: (.., n, m) -> (.., n, m)

    Raises:
        RuntimeError: for fewer than two dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.tril(torch.ones(2, 2))
        tensor([[1., 0.],
                [1., 1.]])
    """
    result = apply1(Tril(int_of(diagonal, "diagonal", "tril")), input)
    return result if out is None else copyto(out, result, "tril", (input,))


@public("triu", inplace="triu_", before=_refuse_repeated_batches)
def triu(input: Tensor, diagonal: int = 0, *, out: Tensor | None = None) -> Tensor:
    """The upper triangle of each matrix, with zeros below.

    Math: y[.., i, j] = x[.., i, j] if j >= i + diagonal else 0
          ∂L/∂x = the same of g
    Shape: (.., n, m) -> (.., n, m)

    Raises:
        RuntimeError: for fewer than two dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.triu(torch.ones(2, 2))
        tensor([[1., 1.],
                [0., 1.]])
    """
    result = apply1(Triu(int_of(diagonal, "diagonal", "triu")), input)
    return result if out is None else copyto(out, result, "triu", (input,))
