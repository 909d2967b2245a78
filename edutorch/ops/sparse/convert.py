"""From dense to sparse and back, and between sparse layouts."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.op import Op, apply1
from ...backends.sparse import Compressed, Coo, SparseArray, compress, from_dense
from ...layouts import layout as Layout
from ...layouts import sparse_coo, sparse_csc, sparse_csr, strided
from ...tensor.tensor import Tensor, wrap
from ..attach import method
from .checks import refuse_backend, want
from .create import SparseCompressedTensor, SparseCooTensor, found_at

__all__: list[str] = []


def pattern_of(x: Any) -> Any:
    """The positions of a sparse array, each once."""
    return x.coo() if isinstance(x, Compressed) and x.values.ndim > 1 else x.unique()


class SparseMask(Op):
    """The elements of a tensor at the positions of a sparse one.

    Math: y[i] = x[i] where the mask has a value, else 0      ∂L/∂x = the same of g
    Shape: (*), (*) -> (*)
    """

    attributes = ("pattern",)
    saves = ()

    def __init__(self, pattern: Any) -> None:
        self.pattern = pattern

    def check(self, x: Tensor) -> None:
        if tuple(x.shape) != self.pattern.shape:
            raise RuntimeError(
                "sparse_mask(): operands have incompatible sizes; self has size "
                f"{list(x.shape)} but mask has size {list(self.pattern.shape)}"
            )

    def forward(self, x: Any) -> Any:
        self.dense = not isinstance(x, SparseArray)
        values = self.pattern.at(x) if self.dense else found_at(x, self.pattern)
        return self.pattern.like(values)

    def backward(self, g: Any) -> Any:
        masked = apply1(SparseMask(self.pattern), g)
        return apply1(ToDense(), masked) if self.dense else masked


class ToDense(Op):
    """A sparse tensor with its zeros.

    Math: y[i] = Σ_(j: index_j = i) v_j      ∂L/∂v_j = g[index_j]
    Shape: (*) -> (*)
    """

    saves = ()

    def forward(self, x: Any) -> Any:
        if not isinstance(x, SparseArray):
            return x
        self.pattern = x
        return x.dense()

    def backward(self, g: Any) -> Any:
        return apply1(SparseMask(pattern_of(self.pattern)), g)


@method
def _tensor_to_dense(
    self: Tensor, dtype: dtypes.dtype | None = None, *, masked_grad: bool | None = None
) -> Tensor:
    """A sparse tensor with its zeros; a dense one is returned as it is.

    Math: y[i] = Σ_(j: index_j = i) v_j      ∂L/∂v_j = g[index_j]
    Shape: (*) -> (*)

    Args:
        masked_grad: accepted; a sparse tensor's gradient has its positions only.

    Raises:
        RuntimeError: for `dtype` with a sparse tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.sparse_coo_tensor([[0, 2]], [1.0, 3.0], (4,)).to_dense()
        tensor([1., 0., 3., 0.])
    """
    if self.layout is strided:
        return self if dtype is None else self.to(dtype)
    if dtype is not None:
        raise RuntimeError("dtype argument is not supported by sparse_to_dense")
    return apply1(ToDense(), self)


class ToSparse(Op):
    """A tensor in coordinate format.

    Math: y = x, its zeros not stored      ∂L/∂x = g
    Shape: (*) -> (*)
    """

    attributes = ("sparse_dim",)
    overload = 1
    saves = ()

    def __init__(self, sparse_dim: int) -> None:
        self.sparse_dim = sparse_dim

    def forward(self, x: Any) -> Any:
        self.given = x if isinstance(x, SparseArray) else None
        if isinstance(x, Compressed):
            return x.coo()
        return from_dense(x, self.sparse_dim)

    def backward(self, g: Any) -> Any:
        if self.given is not None:
            return apply1(SparseMask(self.given), g)
        return apply1(ToDense(), g)


class ToSparseCsr(Op):
    """A matrix in a compressed format.

    Math: y = x, its zeros not stored      ∂L/∂x = g
    Shape: (n, m) -> (n, m)
    """

    attributes = ("layout", "dense_dim")
    saves = ()

    def __init__(self, layout: Layout, dense_dim: int = 0) -> None:
        self.layout, self.dense_dim = layout, dense_dim

    def forward(self, x: Any) -> Any:
        self.sparse = isinstance(x, SparseArray)
        if isinstance(x, Compressed):
            x = x.coo()
        if not isinstance(x, Coo):
            x = from_dense(x, x.ndim - self.dense_dim)
        if x.sparse_dim != 2:
            raise RuntimeError(
                "Only tensors with two sparse dimensions can be converted to the "
                f"{self.layout.words} layout, got self with {x.sparse_dim} sparse "
                "dimensions"
            )
        return compress(x, self.layout)

    def backward(self, g: Any) -> Any:
        return apply1(ToSparse(2) if self.sparse else ToDense(), g)


@method
def _tensor_to_sparse(
    self: Tensor,
    sparse_dim: int | None = None,
    *,
    layout: Layout | None = None,
    blocksize: Any = None,
    dense_dim: int | None = None,
) -> Tensor:
    """The tensor with only those entries stored that are not zero.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Args:
        sparse_dim: how many of the first dimensions have coordinates; values are
            arrays over the others. By default all.
        layout: `torch.sparse_coo` (the default), `torch.sparse_csr` or `sparse_csc`.
        dense_dim: the number of the other dimensions, for compressed layouts.

    Raises:
        RuntimeError: for a number of dimensions that cannot be.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([[0.0, 5.0], [0.0, 0.0]]).to_sparse()
        tensor(indices=tensor([[0],
                               [1]]),
               values=tensor([5.]),
               size=(2, 2), nnz=1, layout=torch.sparse_coo)
    """
    if layout in (sparse_csr, sparse_csc):
        return _compressed(self, layout, dense_dim)
    if layout is strided:
        return _tensor_to_dense(self)
    if layout not in (None, sparse_coo):
        raise RuntimeError(f"to_sparse: unsupported layout {layout}")
    n = self.ndim if sparse_dim is None else sparse_dim
    if self.layout is not strided:
        return _as_coo(self, sparse_dim)
    if n == 0 and self.ndim:
        raise RuntimeError(
            "dense_to_sparse: sparse_dim argument must be in >0 when self.dim()>0"
        )
    if not 0 <= n <= self.ndim:
        raise RuntimeError(
            f"dense_to_sparse: sparse_dim argument must be in [0,{self.ndim}] range, "
            f"but {n} is given"
        )
    op = ToSparse(n)
    op.overload = 1 if sparse_dim is None else 0
    return apply1(op, self)


def _as_coo(x: Tensor, sparse_dim: int | None) -> Tensor:
    """A sparse tensor in coordinate format."""
    data = x._data
    if isinstance(data, Coo):
        if sparse_dim not in (None, data.sparse_dim):
            raise RuntimeError(
                "to_sparse: conversion from Sparse to Sparse with sparse_dim argument "
                "!=self.sparse_dim() is not supported"
            )
        return x
    if sparse_dim not in (None, 2):
        raise RuntimeError(
            f"sparse_compressed_to_sparse: conversion from {x.layout.words} to Sparse "
            "with sparse_dim argument !=2 is not supported"
        )
    return apply1(ToSparse(2), x)


def _compressed(x: Tensor, layout: Layout, dense_dim: int | None) -> Tensor:
    if x.layout is layout:
        return x
    if x.layout is strided and x.ndim - (dense_dim or 0) != 2:
        raise NotImplementedError(
            "only matrices are compressed: batches of them are not offered, got "
            f"{x.ndim} dimensions"
        )
    return apply1(ToSparseCsr(layout, dense_dim or 0), x)


@method
def _tensor_to_sparse_coo(self: Tensor) -> Tensor:
    """The tensor in coordinate format; see `to_sparse`.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.eye(3).to_sparse_coo()._nnz()
        3
    """
    return _tensor_to_sparse(self)


@method
def _tensor_to_sparse_csr(self: Tensor, dense_dim: int | None = None) -> Tensor:
    """A matrix in compressed row format.

    Math: y = x      ∂L/∂x = g
    Shape: (n, m) -> (n, m)

    Raises:
        NotImplementedError: for what is no matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse_csr().crow_indices()
        tensor([0, 1, 2])
    """
    return _compressed(self, sparse_csr, dense_dim)


@method
def _tensor_to_sparse_csc(self: Tensor, dense_dim: int | None = None) -> Tensor:
    """A matrix in compressed column format.

    Math: y = x      ∂L/∂x = g
    Shape: (n, m) -> (n, m)

    Raises:
        NotImplementedError: for what is no matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse_csc().ccol_indices()
        tensor([0, 1, 2])
    """
    return _compressed(self, sparse_csc, dense_dim)


class Coalesce(Op):
    """Positions sorted, each of them once; values of one position are added.

    Math: y = x      ∂L/∂x = g
    """

    saves = ()

    def forward(self, x: Any) -> Any:
        return x.unique()

    def backward(self, g: Any) -> Any:
        return g


@method
def _tensor_coalesce(self: Tensor) -> Tensor:
    """A sparse tensor whose positions are sorted, each of them listed once.

    Values that were listed for the same position are added.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Raises:
        RuntimeError: for a tensor in another layout.

    Example:
        >>> import edutorch as torch
        >>> torch.sparse_coo_tensor([[1, 0, 1]], [1.0, 2.0, 3.0], (2,)).coalesce()
        tensor(indices=tensor([[0, 1]]),
               values=tensor([2., 4.]),
               size=(2,), nnz=2, layout=torch.sparse_coo)
    """
    if want(self, "coalesce", sparse_coo).coalesced:
        return self
    return apply1(Coalesce(), self)


class Values(Op):
    """The stored values.

    Math: v_j = x[index_j]      ∂L/∂x[index_j] = g_j
    Shape: (*) -> (nnz, *)
    """

    saves = ()

    def forward(self, x: Any) -> Any:
        self.pattern = x
        return x.values

    def backward(self, g: Any) -> Any:
        where = self.pattern
        if isinstance(where, Coo):
            return apply1(SparseCooTensor(where.indices, where.shape, True), g)
        return apply1(
            SparseCompressedTensor(
                where.pointers, where.plain, where.shape, where.layout
            ),
            g,
        )


@method
def _tensor_values(self: Tensor) -> Tensor:
    """The stored values of a sparse tensor.

    Math: v_j = x[index_j]      ∂L/∂x[index_j] = g_j
    Shape: (*) -> (nnz, *)

    Raises:
        RuntimeError: for dense tensors, and such as are not coalesced.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse().values()
        tensor([1., 1.])
    """
    data = want(self, "values", sparse_coo, sparse_csr, sparse_csc)
    if isinstance(data, Coo) and not data.coalesced:
        raise RuntimeError(
            "Cannot get values on an uncoalesced tensor, please call .coalesce() first"
        )
    return apply1(Values(), self)


@method
def _tensor_sparse_mask(self: Tensor, mask: Tensor) -> Tensor:
    """The elements at the positions of a sparse tensor, in its layout.

    Math: y[i] = x[i] where the mask has a value, else 0      ∂L/∂x = the same of g
    Shape: (*), (*) -> (*)

    Raises:
        RuntimeError: for another shape than the mask's.

    Example:
        >>> import edutorch as torch
        >>> torch.ones(2, 2).sparse_mask(torch.eye(2).to_sparse()).to_dense()
        tensor([[1., 0.],
                [0., 1.]])
    """
    if mask.layout is strided:
        refuse_backend(mask, "sparse_mask")
    return apply1(SparseMask(mask._data), self)


def integer_tensor(array: Any, like: Tensor) -> Tensor:
    """Positions as a tensor that shares their memory."""
    return wrap(np.asarray(array), like._device)
