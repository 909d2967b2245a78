"""Converts dense tensors to sparse ones, and between sparse layouts."""

from __future__ import annotations

from typing import Any

from ...autograd.dispatch import Op, apply1
from ...backends.sparse import (
    Compressed,
    Coo,
    SparseArray,
    compress,
    from_dense,
    gather_blocks,
)
from ...layouts import layout as Layout
from ...layouts import (
    sparse_bsc,
    sparse_bsr,
    sparse_coo,
    sparse_csc,
    sparse_csr,
    strided,
)
from ...tensor.tensor import Tensor
from ..argument_checks import refuse_complex_gradients
from ..argument_errors import argument_error, invalid_combination
from ..registration import method
from .to_dense import SparseMask, ToDense, ToSparse, _tensor_to_dense

__all__: list[str] = []


class ToSparseCsr(Op):
    """Converts a matrix to the CSR layout.

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


class ToSparseBsr(Op):
    """Converts a matrix to the BSR layout, which stores nonzero blocks.

    Math: y = x      ∂L/∂x = g
    Shape: (n, m) -> (n, m)
    """

    attributes = ("layout", "block")
    saves = ()

    def __init__(self, layout: Layout, block: tuple[int, int]) -> None:
        self.layout, self.block = layout, block

    def forward(self, x: Any) -> Any:
        self.given = x if isinstance(x, SparseArray) else None
        if isinstance(x, Compressed):
            x = x.coo()
        x = x if isinstance(x, Coo) else from_dense(x, 2)
        return gather_blocks(x, self.layout, self.block)

    def backward(self, g: Any) -> Any:
        if self.given is not None:
            return apply1(SparseMask(self.given), g)
        return apply1(ToDense(), g)


class ToSparseCsc(ToSparseCsr):
    """Converts a matrix to the CSC layout.

    Math: y = x, its zeros not stored      ∂L/∂x = g
    """


class ToSparseBsc(ToSparseBsr):
    """Converts a matrix to the BSC layout.

    Math: y = x, its zeros not stored      ∂L/∂x = g
    """


@method
def _tensor_to_sparse(
    self: Tensor,
    sparse_dim: int | None = None,
    *,
    layout: Layout | None = None,
    blocksize: Any = None,
    dense_dim: int | None = None,
) -> Tensor:
    """Convert to a sparse tensor, which stores only nonzero elements.

    Math: y = x      ∂L/∂x = g
    Shape: (*) -> (*)

    Args:
        sparse_dim: how many of the first dimensions have coordinates; values are
            arrays over the others. By default all.
        layout: `torch.sparse_coo` (the default), `torch.sparse_csr` or `sparse_csc`;
            `torch.sparse_bsr` or `sparse_bsc` with a `blocksize`.
        blocksize: the numbers of rows and columns of a block.
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
    known = layout is None or isinstance(layout, Layout)
    if not known or not (sparse_dim is None or hasattr(sparse_dim, "__index__")):
        raise invalid_combination("to_sparse")
    _check_blocksize(self, layout, blocksize)
    if layout in (sparse_csr, sparse_csc):
        return _compressed(self, layout, dense_dim)
    if layout in (sparse_bsr, sparse_bsc):
        return _in_blocks(self, layout, blocksize)
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
    refuse_complex_gradients("_to_sparse", self)
    op = ToSparse(n)
    op.overload = 1 if sparse_dim is None else 0
    return apply1(op, self)


def _check_dense_dim(name: str, dense_dim: Any) -> int | None:
    """Check a number of dense dimensions, which may be None."""
    if dense_dim is not None and not hasattr(dense_dim, "__index__"):
        raise argument_error() or TypeError(
            f"{name}(): argument 'dense_dim' (position 1) must be int, not "
            f"{type(dense_dim).__name__}"
        )
    return None if dense_dim is None else int(dense_dim)


def _as_coo(x: Tensor, sparse_dim: int | None) -> Tensor:
    """A sparse tensor in the COO layout."""
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


def _check_blocksize(x: Tensor, layout: Any, blocksize: Any) -> None:
    """Check `blocksize`, which block layouts require and others refuse."""
    blocks = layout in (sparse_bsr, sparse_bsc)
    if blocks != (blocksize is not None):
        word = "without" if blocks else "with"
        raise RuntimeError(
            f"dense_to_sparse: conversion from {x.layout.words} to "
            f"{(layout or sparse_coo).words} {word} blocksize argument given is not "
            "supported"
        )


def _in_blocks(x: Tensor, layout: Layout, blocksize: Any) -> Tensor:
    """A matrix as an array of blocks.

    Raises:
        RuntimeError: for sizes that do not fit.
        NotImplementedError: if the input is not a matrix.
    """
    sides = (blocksize,) * 2 if isinstance(blocksize, int) else blocksize
    data, block = x._data, tuple(sides)
    name = f"dense_to_{layout.name}"
    if len(block) != 2:
        raise RuntimeError(
            f"{name}: blocksize needs to be a tuple of size 2, but got {len(block)}"
        )
    if min(block) < 1:
        raise RuntimeError(
            f"{name}: blocksize needs to be positive, but got {list(block)}"
        )
    if x.layout is layout:
        if block != data.block:
            raise RuntimeError(
                f"to_{layout.name}: conversion from {layout.words} to {layout.words} "
                f"with blocksize changed from {list(data.block)} to {list(block)} is "
                "not supported"
            )
        return x
    if x.ndim != 2:
        raise NotImplementedError(
            f"only matrices are made of blocks, got {x.ndim} dimensions"
        )
    if x.shape[0] % block[0] or x.shape[1] % block[1]:
        n, m = x.shape
        raise RuntimeError(
            f"{name}: tensor sparse size ({n},{m}) must be divisible by given "
            f"blocksize ({block[0]},{block[1]})"
        )
    kind = ToSparseBsr if layout is sparse_bsr else ToSparseBsc
    return apply1(kind(layout, block), x)


def _compressed(x: Tensor, layout: Layout, dense_dim: int | None) -> Tensor:
    if x.layout is layout:
        return x
    if x.layout in (sparse_bsr, sparse_bsc):
        raise RuntimeError(
            f"sparse_compressed_to_{layout.name}: expected SparseCsr or SparseCsc "
            f"layout but got {x.layout.words}"
        )
    if x.layout is strided and x.ndim - (dense_dim or 0) != 2:
        raise NotImplementedError(
            "only matrices are compressed: batches of them are not offered, got "
            f"{x.ndim} dimensions"
        )
    kind = ToSparseCsr if layout is sparse_csr else ToSparseCsc
    return apply1(kind(layout, dense_dim or 0), x)


@method
def _tensor_to_sparse_coo(self: Tensor) -> Tensor:
    """The tensor in the COO layout; see `to_sparse`.

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
    """A matrix in the CSR layout.

    Math: y = x      ∂L/∂x = g
    Shape: (n, m) -> (n, m)

    Raises:
        NotImplementedError: if the input is not a matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse_csr().crow_indices()
        tensor([0, 1, 2])
    """
    return _compressed(self, sparse_csr, _check_dense_dim("to_sparse_csr", dense_dim))


@method
def _tensor_to_sparse_csc(self: Tensor, dense_dim: int | None = None) -> Tensor:
    """A matrix in the CSC layout.

    Math: y = x      ∂L/∂x = g
    Shape: (n, m) -> (n, m)

    Raises:
        NotImplementedError: if the input is not a matrix.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse_csc().ccol_indices()
        tensor([0, 1, 2])
    """
    return _compressed(self, sparse_csc, _check_dense_dim("to_sparse_csc", dense_dim))


@method
def _tensor_to_sparse_bsr(
    self: Tensor, blocksize: Any, dense_dim: int | None = None
) -> Tensor:
    """A matrix in the BSR layout.

    Math: y = x      ∂L/∂x = g
    Shape: (n, m) -> (n, m)

    Args:
        blocksize: the numbers of rows and columns of a block.

    Raises:
        RuntimeError: for sizes that are not multiples of the block's.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(4).to_sparse_bsr((2, 2)).values().shape
        torch.Size([2, 2, 2])
    """
    return _in_blocks(self, sparse_bsr, blocksize)


@method
def _tensor_to_sparse_bsc(
    self: Tensor, blocksize: Any, dense_dim: int | None = None
) -> Tensor:
    """A matrix in the BSC layout.

    Math: y = x      ∂L/∂x = g
    Shape: (n, m) -> (n, m)

    Args:
        blocksize: the numbers of rows and columns of a block.

    Raises:
        RuntimeError: for sizes that are not multiples of the block's.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(4).to_sparse_bsc((4, 1)).ccol_indices()
        tensor([0, 1, 2, 3, 4])
    """
    return _in_blocks(self, sparse_bsc, blocksize)
