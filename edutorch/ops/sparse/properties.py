"""The components of sparse tensors: indices, nnz, sparse and dense dimensions."""

from __future__ import annotations

from typing import Any

from ...backends.sparse import Coo, empty_coo
from ...layouts import sparse_coo, sparse_csr, strided
from ...tensor.tensor import Tensor, wrap
from ..registration import attach, method
from .validation import BY_COLUMNS, BY_ROWS, refuse_backend, require_layout

__all__: list[str] = []


@method
def _tensor_indices(self: Tensor) -> Tensor:
    """The sorted positions of the values of a coalesced tensor.

    Shape: (*) -> (sparse dimensions, nnz)

    Raises:
        RuntimeError: for other layouts, and where a position may be listed twice.

    Example:
        >>> import edutorch as torch
        >>> torch.tensor([0.0, 5.0, 6.0]).to_sparse().indices()
        tensor([[1, 2]])
    """
    data = require_layout(self, "indices", sparse_coo)
    if not data.coalesced:
        raise RuntimeError(
            "Cannot get indices on an uncoalesced tensor, please call .coalesce() first"
        )
    return wrap(data.indices, self._device)


def _listed(self: Tensor) -> Tensor:
    """The positions of the values in stored order.

    Shape: (*) -> (sparse dimensions, nnz)
    """
    if self.layout is not sparse_coo:
        refuse_backend(self, "_indices")
    return wrap(self._data.indices, self._device)


def _stored(self: Tensor) -> Tensor:
    """The values in stored order, without history.

    Shape: (*) -> (nnz, *)
    """
    if self.layout is not sparse_coo:
        refuse_backend(self, "_values")
    return wrap(self._data.values, self._device)


def _count(self: Tensor) -> int:
    """The number of stored values."""
    if self.layout is strided:
        refuse_backend(self, "_nnz")
    return int(self._data.nnz)


for _name, _function in {
    "_indices": _listed, "_values": _stored, "_nnz": _count,
}.items():  # fmt: skip
    setattr(Tensor, _name, _function)


def _pointers(self: Tensor, name: str, layouts: Any) -> Tensor:
    return wrap(require_layout(self, name, *layouts).pointers, self._device)


def _plain(self: Tensor, name: str, layouts: Any) -> Tensor:
    return wrap(require_layout(self, name, *layouts).plain, self._device)


@method
def _tensor_crow_indices(self: Tensor) -> Tensor:
    """The offset of each row of a CSR or BSR tensor among its values.

    Shape: (n, m) -> (n + 1)

    Raises:
        RuntimeError: for an unsupported layout.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse_csr().crow_indices()
        tensor([0, 1, 2])
    """
    return _pointers(self, "crow_indices", BY_ROWS)


@method
def _tensor_col_indices(self: Tensor) -> Tensor:
    """The column of each value of a CSR tensor, or of each block of a BSR tensor.

    Shape: (n, m) -> (nnz)

    Raises:
        RuntimeError: for an unsupported layout.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse_csr().col_indices()
        tensor([0, 1])
    """
    return _plain(self, "col_indices", BY_ROWS)


@method
def _tensor_ccol_indices(self: Tensor) -> Tensor:
    """The offset of each column of a CSC or BSC tensor among its values.

    Shape: (n, m) -> (m + 1)

    Raises:
        RuntimeError: for an unsupported layout.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse_csc().ccol_indices()
        tensor([0, 1, 2])
    """
    return _pointers(self, "ccol_indices", BY_COLUMNS)


@method
def _tensor_row_indices(self: Tensor) -> Tensor:
    """The row of each value of a CSC tensor, or of each block of a BSC tensor.

    Shape: (n, m) -> (nnz)

    Raises:
        RuntimeError: for an unsupported layout.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse_csc().row_indices()
        tensor([0, 1])
    """
    return _plain(self, "row_indices", BY_COLUMNS)


@method
def _tensor_is_coalesced(self: Tensor) -> bool:
    """Whether positions are known to be sorted and unique.

    Raises:
        RuntimeError: for an unsupported layout.

    Example:
        >>> import edutorch as torch
        >>> torch.sparse_coo_tensor([[1, 0]], [1.0, 2.0], (2,)).is_coalesced()
        False
    """
    return bool(require_layout(self, "is_coalesced", sparse_coo).coalesced)


@method
def _tensor_sparse_dim(self: Tensor) -> int:
    """The number of sparse dimensions; 0 for a dense tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse(1).sparse_dim()
        1
    """
    return 0 if self.layout is strided else int(self._data.sparse_dim)


@method
def _tensor_dense_dim(self: Tensor) -> int:
    """The number of dimensions of each value; all for a dense tensor.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse(1).dense_dim()
        1
    """
    return self.ndim - _tensor_sparse_dim(self)


def _check_sizes(size: Any, sparse_dim: int, dense_dim: int) -> None:
    """Check that every dimension is sparse or dense."""
    if len(size) != sparse_dim + dense_dim:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
            f"{len(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )


@method
def _tensor_sparse_resize_(
    self: Tensor, size: Any, sparse_dim: int, dense_dim: int
) -> Tensor:
    """Resize a sparse tensor in place; the stored values must fit.

    Shape: (*) -> size

    Raises:
        RuntimeError: for numbers of dimensions that differ, or a size that is smaller.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse().sparse_resize_((3, 3), 2, 0).shape
        torch.Size([3, 3])
    """
    data = require_layout(self, "sparse_resize_", sparse_coo)
    _check_sizes(size, sparse_dim, dense_dim)
    shrinks = any(n < m for n, m in zip(size, data.shape, strict=False))
    if data.nnz and (sparse_dim != data.sparse_dim or shrinks or dense_dim):
        raise RuntimeError(
            "sparse_resize_: a tensor that stores values grows in its sparse "
            "dimensions only"
        )
    values = data.values if data.nnz else data.values.reshape(0, *size[sparse_dim:])
    indices = data.indices if data.nnz else data.indices.reshape(sparse_dim, 0)
    self._data = Coo(indices, values, size, data.coalesced)
    return self


@method
def _tensor_sparse_resize_and_clear_(
    self: Tensor, size: Any, sparse_dim: int, dense_dim: int
) -> Tensor:
    """Resize a sparse tensor in place and remove its values.

    Shape: (*) -> size

    Raises:
        RuntimeError: for numbers of dimensions that do not add up.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse().sparse_resize_and_clear_((3,), 1, 0)._nnz()
        0
    """
    data = require_layout(self, "sparse_resize_and_clear_", sparse_coo)
    _check_sizes(size, sparse_dim, dense_dim)
    self._data = empty_coo(tuple(size), sparse_dim, data.dtype)
    return self


@method
def _tensor_resize_as_sparse_(self: Tensor, the_template: Tensor) -> Tensor:
    """Give a sparse tensor the size of another one in place.

    Shape: (*) -> that of `the_template`

    Raises:
        RuntimeError: if the stored values do not fit.

    Example:
        >>> import edutorch as torch
        >>> x = torch.eye(2).to_sparse()
        >>> x.resize_as_sparse_(torch.eye(3).to_sparse()).shape
        torch.Size([3, 3])
    """
    other = require_layout(the_template, "resize_as_sparse_", sparse_coo)
    n = other.sparse_dim
    return _tensor_sparse_resize_(self, other.shape, n, other.ndim - n)


def _is_sparse_csr(self: Tensor) -> bool:
    """Whether the tensor has the CSR layout.

    Example:
        >>> import edutorch as torch
        >>> torch.eye(2).to_sparse_csr().is_sparse_csr
        True
    """
    return self.layout is sparse_csr


attach(is_sparse_csr=property(_is_sparse_csr))
