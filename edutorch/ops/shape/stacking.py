"""`hstack`, `vstack` and others, composed of `cat` and views."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ... import dtypes
from ...autograd.dispatch import Op, apply
from ...backends import array_module
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_each, tensor_of
from ..registration import composite, copyto
from .joining import cat, tensor_list
from .views import reshape

__all__ = [
    "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "column_stack", "dstack",
    "hstack", "row_stack", "vstack",
]  # fmt: skip


def _map_tensors(tensors: Any, function: Any) -> Any:
    """Apply a function to one tensor, or to each of several."""
    if len(tensors) == 1:
        if isinstance(tensors[0], Tensor):
            return function(tensors[0])
        if not isinstance(tensors[0], (list, tuple)):
            tensor_of(tensors[0])
        tensors = tensors[0]
    need_each(tensors)
    return tuple(function(t) for t in tensors)


@composite
def atleast_1d(*tensors: Any) -> Any:
    """Tensors with at least one dimension, as views.

    Math: y = x      ∂L/∂x = g in the old shape
    Shape: () -> (1); others stay

    Example:
        >>> import edutorch as torch
        >>> torch.atleast_1d(torch.tensor(2))
        tensor([2])
    """
    return _map_tensors(tensors, lambda t: t if t.ndim else reshape(t, (1,)))


@composite
def atleast_2d(*tensors: Any) -> Any:
    """Tensors with at least two dimensions, as views.

    Math: y = x      ∂L/∂x = g in the old shape
    Shape: () -> (1, 1); (n) -> (1, n); others stay

    Example:
        >>> import edutorch as torch
        >>> torch.atleast_2d(torch.tensor([1, 2]))
        tensor([[1, 2]])
    """
    return _map_tensors(tensors, _as_2d)


def _as_2d(t: Tensor) -> Tensor:
    if t.ndim == 0:
        return reshape(t, (1, 1))
    return t.unsqueeze(0) if t.ndim == 1 else t


@composite
def atleast_3d(*tensors: Any) -> Any:
    """Tensors with at least three dimensions, as views.

    Math: y = x      ∂L/∂x = g in the old shape
    Shape: () -> (1, 1, 1); (n) -> (1, n, 1); (n, m) -> (n, m, 1); others stay

    Example:
        >>> import edutorch as torch
        >>> torch.atleast_3d(torch.tensor([1, 2])).shape
        torch.Size([1, 2, 1])
    """
    return _map_tensors(tensors, _as_3d)


def _as_3d(t: Tensor) -> Tensor:
    if t.ndim == 0:
        return reshape(t, (1, 1, 1))
    if t.ndim == 1:
        t = t.unsqueeze(0)
    return t.unsqueeze(-1) if t.ndim == 2 else t


def _require_tensors(name: str, tensors: Sequence[Tensor]) -> list[Tensor]:
    if not tensor_list(name, tensors):
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return list(tensors)


@composite
@reported
def hstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join tensors along dimension 1, vectors along dimension 0.

    Math: y = the x, side by side      ∂L/∂xᵢ = that part of g
    Shape: (n, a), (n, b) -> (n, a + b);  (a), (b) -> (a + b)

    Raises:
        RuntimeError: if other dimensions differ, or the list is empty.

    Example:
        >>> import edutorch as torch
        >>> torch.hstack([torch.tensor([1, 2]), torch.tensor([3])])
        tensor([1, 2, 3])
    """
    arrays = [atleast_1d(t) for t in _require_tensors("hstack", tensors)]
    result = cat(arrays, 0 if arrays[0].ndim == 1 else 1)
    return result if out is None else copyto(out, result, "hstack", (tensors,))


@composite
@reported
def vstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join tensors along dimension 0; vectors are rows.

    Math: y = the x, below each other      ∂L/∂xᵢ = that part of g
    Shape: (a, n), (b, n) -> (a + b, n);  (n), (n) -> (2, n)

    Raises:
        RuntimeError: if other dimensions differ, or the list is empty.

    Example:
        >>> import edutorch as torch
        >>> torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
        tensor([[1, 2],
                [3, 4]])
    """
    result = cat([atleast_2d(t) for t in _require_tensors("vstack", tensors)], 0)
    return result if out is None else copyto(out, result, "vstack", (tensors,))


row_stack = vstack


@composite
@reported
def dstack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join tensors along dimension 2.

    Math: y = the x, one after the other      ∂L/∂xᵢ = that part of g
    Shape: (n, m), (n, m) -> (n, m, 2)

    Raises:
        RuntimeError: if other dimensions differ, or the list is empty.

    Example:
        >>> import edutorch as torch
        >>> torch.dstack([torch.tensor([[1, 2]]), torch.tensor([[3, 4]])])
        tensor([[[1, 3],
                 [2, 4]]])
    """
    result = cat([atleast_3d(t) for t in _require_tensors("dstack", tensors)], 2)
    return result if out is None else copyto(out, result, "dstack", (tensors,))


@composite
def column_stack(tensors: Sequence[Tensor], *, out: Tensor | None = None) -> Tensor:
    """Join tensors along dimension 1; vectors are columns.

    Math: y = the x, side by side      ∂L/∂xᵢ = that part of g
    Shape: (n), (n, b) -> (n, 1 + b)

    Raises:
        RuntimeError: if other dimensions differ, or the list is empty.

    Example:
        >>> import edutorch as torch
        >>> torch.column_stack([torch.tensor([1, 2]), torch.tensor([3, 4])])
        tensor([[1, 3],
                [2, 4]])
    """
    given = _require_tensors("column_stack", tensors)
    columns = [t if t.ndim > 1 else reshape(t, (t.numel(), 1)) for t in given]
    result = hstack(columns)
    return result if out is None else copyto(out, result, "column_stack", (tensors,))


class BlockDiag(Op):
    """Places matrices along the diagonal of a larger one, with zeros elsewhere.

    Math: y = diag(x0, x1, ...)      ∂L/∂xi = the block of g where xi lies
    """

    saves = ()
    complex32 = "single"

    def promote(self, *arrays: Any) -> Any:
        """All operands in their common dtype."""
        kind = arrays[0].dtype
        for x in arrays[1:]:
            kind = _promoted_dtype(kind, x.dtype)
        return [x.astype(kind, copy=False) for x in arrays]

    def forward(self, *arrays: Any) -> Any:
        self.shapes = [x.shape for x in arrays]
        arrays = tuple(x if x.ndim == 2 else x.reshape(1, x.size) for x in arrays)
        self.corners = [(0, 0)]
        for x in arrays:
            row, column = self.corners[-1]
            self.corners.append((row + x.shape[0], column + x.shape[1]))
        y = array_module(arrays[0]).zeros(self.corners[-1], arrays[0].dtype)
        for x, part in zip(arrays, self.blocks(), strict=True):
            y[part] = x
        return y

    def blocks(self) -> list[tuple[slice, slice]]:
        """The position of each matrix."""
        return [
            (slice(top, bottom), slice(left, right))
            for (top, left), (bottom, right) in zip(
                self.corners, self.corners[1:], strict=False
            )
        ]

    def backward(self, g: Any) -> Any:
        blocks = zip(self.blocks(), self.shapes, strict=True)
        return tuple(g[part].reshape(shape) for part, shape in blocks)


def _promoted_dtype(a: Any, b: Any) -> Any:
    return dtypes.promote_types(dtypes.of_numpy[a], dtypes.of_numpy[b]).numpy


def block_diag(*tensors: Tensor) -> Tensor:
    """Place matrices along the diagonal of a larger one; vectors are rows.

    Math: y = diag(x0, x1, ...)      ∂L/∂xi = the block of g where xi lies
    Shape: (a, b), (c, d) -> (a + c, b + d)

    Raises:
        RuntimeError: for more than two dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.block_diag(torch.ones(1, 2), torch.tensor(5.0))
        tensor([[1., 1., 0.],
                [0., 0., 5.]])
    """
    need_each(tensors)
    for i, t in enumerate(tensors):
        if t.ndim > 2:
            raise RuntimeError(
                "torch.block_diag: Input tensors must have 2 or fewer "
                "dimensions. Input "
                f"{i} has {t.ndim} dimensions"
            )
    return apply(BlockDiag(), *tensors)
