"""Sums and softmax of sparse tensors, with sparse gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply1
from ...backends.sparse import Coo, SparseArray
from ...backends.sparse.reductions import grouped_softmax, row_numbers, sum_over
from ...layouts import sparse_coo, sparse_csc, sparse_csr
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from ..dims import dim_of, dims_of
from ..embedding import Embedding, RowSums
from ..pointwise.exponential import exp
from ..reduce.sums import sum as dense_sum
from ..shape.views import reshape
from .create import TakeValues, values_at
from .validation import refuse_backend, require_layout

__all__: list[str] = []


class SparseSum(Op):
    """The sum over dimensions of a sparse tensor.

    Math: y = Σ x      ∂L/∂x = g at the positions of x
    Shape: (*) -> (* without dim)
    """

    attributes = ("dims",)
    saves = ()

    def __init__(self, dims: tuple[int, ...]) -> None:
        self.dims = dims

    def forward(self, x: Any) -> Any:
        self.pattern = once = x.unique()
        return sum_over(once, self.dims, x.dtype)

    def backward(self, g: Any) -> Any:
        return apply1(SpreadOver(self.pattern, self.dims), g)


class SparseSumAll(SparseSum):
    """The sum of all elements of a sparse tensor.

    Math: y = Σ x      ∂L/∂x = g at the positions of x
    Shape: (*) -> ()
    """

    torch_name = "Sum"


class SpreadOver(Op):
    """Repeats a gradient over the summed dimensions, at given positions.

    Math: y[i] = x[i without dim] at the positions      ∂L/∂x = Σ g
    """

    attributes = ("pattern", "dims")
    saves = ()

    def __init__(self, pattern: Any, dims: tuple[int, ...]) -> None:
        self.pattern, self.dims = pattern, dims

    def forward(self, x: Any) -> Any:
        pattern = self.pattern
        n = pattern.sparse_dim
        remaining = [d for d in range(n) if d not in self.dims]
        target = Coo(pattern.indices[remaining], None, x.shape)
        values = (
            values_at(x, target) if isinstance(x, SparseArray) else target.values_at(x)
        )
        for d in sorted(d for d in self.dims if d >= n):
            values = np.expand_dims(values, d - n + 1)
        return pattern.like(np.broadcast_to(values, pattern.values.shape).copy())

    def backward(self, g: Any) -> Any:
        return apply1(SparseSum(self.dims), g)


def sum(input: Tensor, dim: Any = None, dtype: dtypes.dtype | None = None) -> Tensor:
    """The sum of a sparse tensor, over all or some dimensions; its gradient is sparse.

    Math: y = Σ x      ∂L/∂x = g at the positions of x
    Shape: (*) -> (* without dim); dense if no sparse dimension remains

    Raises:
        RuntimeError: for a tensor in another layout.

    Example:
        >>> import edutorch as torch
        >>> x = torch.sparse_coo_tensor([[0, 1], [2, 0]], [3.0, 4.0], (2, 3))
        >>> torch.sparse.sum(x)
        tensor(7.)
        >>> torch.sparse.sum(x, dim=0).to_dense()
        tensor([4., 0., 3.])
    """
    need_tensors("_sparse_sum", input=input)
    if dim is None:
        require_layout(input, "coalesce", sparse_coo)
    elif input.layout is not sparse_coo:
        refuse_backend(input, "_indices")
    if dtype is None and dim is None and input.dtype.kind < dtypes.FLOATING:
        dtype = dtypes.int64
    x = input if dtype is None else input.to(dtype)
    if dim is None:
        return apply1(SparseSumAll(tuple(range(x.ndim))), x)
    if isinstance(dim, (tuple, list)) and not dim:
        return x
    dims = dims_of(dim, x.ndim) or range(x.ndim)
    return apply1(SparseSum(tuple(dims)), x)


class SparseSoftmax(Op):
    """Softmax over the stored values of each row; missing values count as -inf.

    Math: y = e^x / Σ e^x      ∂L/∂x = y (g - Σ g y)
    Shape: (*) -> (*)
    """

    attributes = ("dim",)
    saves = ()
    saves_output = True
    log = False

    def __init__(self, dim: int) -> None:
        self.dim = dim

    def forward(self, x: Any) -> Any:
        self.pattern = once = x.unique()
        self.axis = self.dim - once.sparse_dim + 1
        values = once.values
        if self.axis > 0:  # along a dense dimension, within each value
            moved = np.moveaxis(values, self.axis, 0)
            group = np.zeros(len(moved), np.int64)
            y = np.moveaxis(grouped_softmax(moved, group, self.log), 0, self.axis)
            return once.like(y)
        self.group = row_numbers(once, self.dim)
        return once.like(grouped_softmax(values, self.group, self.log))

    def totals(self, v: Any) -> Any:
        """For each value, the sum of the values in its row."""
        if self.axis > 0:
            return dense_sum(v, self.axis, keepdim=True)
        group, shape = self.group, v.shape
        n = int(group.max(initial=-1)) + 1
        rows = apply1(RowSums(group, n), reshape(v, (shape[0], -1)))
        return reshape(apply1(Embedding(group, n), rows), shape)

    def backward(self, g: Any) -> Any:
        take = TakeValues(self.pattern)
        y, g = apply1(take, self.output), apply1(take.fresh_copy(), g)
        gx = g - exp(y) * self.totals(g) if self.log else y * (g - self.totals(g * y))
        return apply1(PutValues(self.pattern), gx)


class PutValues(Op):
    """Puts values at the positions of a sparse tensor.

    Math: y[index_j] = v_j      ∂L/∂v_j = g[index_j]
    """

    attributes = ("pattern",)
    saves = ()

    def __init__(self, pattern: Any) -> None:
        self.pattern = pattern

    def forward(self, v: Any) -> Any:
        return self.pattern.like(v)

    def backward(self, g: Any) -> Any:
        return apply1(TakeValues(self.pattern), g)


class SparseLogSoftmax(SparseSoftmax):
    """The logarithm of softmax over the stored values of each row.

    Math: y = x - log Σ e^x      ∂L/∂x = g - e^y Σ g
    Shape: (*) -> (*)
    """

    log = True


def softmax(input: Tensor, dim: int, *, dtype: dtypes.dtype | None = None) -> Tensor:
    """Softmax over the stored values along `dim`; missing values count as -inf.

    Math: y = e^x / Σ e^x      ∂L/∂x = y (g - Σ g y)
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for a tensor in another layout.

    Example:
        >>> import edutorch as torch
        >>> x = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 4.0])
        >>> torch.sparse.softmax(x, dim=1).values()
        tensor([1.0000, 0.5000, 0.5000])
    """
    return _softmax(SparseSoftmax, input, dim, dtype)


def log_softmax(
    input: Tensor, dim: int, *, dtype: dtypes.dtype | None = None
) -> Tensor:
    """The logarithm of `softmax` over the stored values along `dim`.

    Math: y = x - log Σ e^x      ∂L/∂x = g - e^y Σ g
    Shape: (*) -> (*)

    Raises:
        NotImplementedError: for a tensor in another layout.

    Example:
        >>> import edutorch as torch
        >>> x = torch.sparse_coo_tensor([[0, 1, 1], [2, 0, 2]], [3.0, 4.0, 4.0])
        >>> torch.sparse.log_softmax(x, dim=1).values()
        tensor([ 0.0000, -0.6931, -0.6931])
    """
    return _softmax(SparseLogSoftmax, input, dim, dtype)


def _softmax(
    kind: type[SparseSoftmax], x: Tensor, dim: int, dtype: dtypes.dtype | None
) -> Tensor:
    name = "_sparse_log_softmax" if kind.log else "_sparse_softmax"
    need_tensors(name, input=x)
    if x.layout is not sparse_coo:
        refuse_backend(x, name)
    x = x if dtype is None else x.to(dtype)
    return apply1(kind(dim_of(dim, x.ndim)), x)


def _check_offsets(offsets: Tensor, layout: Any) -> None:
    """Raise for offsets and layouts that `spdiags` does not support."""
    if layout is not None and layout not in (sparse_coo, sparse_csc, sparse_csr):
        raise RuntimeError(
            "Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got "
            f"{layout.words}"
        )
    if offsets.ndim > 1:
        raise RuntimeError("Offsets must be scalar or vector")
    if offsets._data.dtype != np.int64:
        raise RuntimeError(
            f"Offset Tensor must have dtype Long but got {offsets.dtype.short}"
        )


def spdiags(
    diagonals: Tensor, offsets: Tensor, shape: tuple[int, int],
    layout: Any = None,
) -> Tensor:  # fmt: skip
    """A sparse matrix with the given diagonals.

    Math: y[j - offset_i, j] = diagonals[i, j]
          ∂L/∂diagonals[i, j] = g[j - offset_i, j]
    Shape: (d, k), (d) -> (n, m)

    Args:
        offsets: 0 for the main diagonal, positive above it, negative below.

    Raises:
        RuntimeError: for offsets that are repeated or do not fit the diagonals.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
        >>> torch.sparse.spdiags(x, torch.tensor([0, 1]), (2, 2)).to_dense()
        tensor([[1., 4.],
                [0., 2.]])
    """
    need_tensors("_spdiags", diagonals=diagonals, offsets=offsets)
    _check_offsets(offsets, layout)
    rows = diagonals if diagonals.ndim == 2 else diagonals.reshape(1, -1)
    steps = offsets.reshape(-1)._data
    if len(steps) != rows.shape[0]:
        raise RuntimeError(
            f"Number of diagonals ({rows.shape[0]}) does not match the number of "
            f"offsets ({len(steps)})"
        )
    if len(set(steps.tolist())) != len(steps):
        raise RuntimeError("Offset tensor contains duplicate values")
    if len(shape) != 2:
        raise RuntimeError("Output shape must be 2d")
    column = np.tile(np.arange(rows.shape[1]), (len(steps), 1))
    row = column - steps[:, None]
    inside = (row >= 0) & (row < shape[0]) & (column < shape[1])
    indices = np.stack([row[inside], column[inside]])
    values = apply1(
        TakeValues(Coo(np.stack(np.nonzero(inside)), None, rows.shape)), rows
    )
    pattern = Coo(indices, None, shape)
    made = apply1(PutValues(pattern), values)
    return made if layout is None else made.to_sparse(layout=layout)
