"""Creates sparse tensors from positions and values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd.dispatch import Op, apply1
from ...backends.sparse import (
    Blocks,
    Compressed,
    Coo,
    SparseArray,
    compressed_array,
)
from ...layouts import layout as Layout
from ...layouts import sparse_bsc, sparse_bsr, sparse_csc, sparse_csr
from ...tensor.tensor import Tensor
from ..create import as_tensor
from ..dims import sizes_of
from .validation import (
    BY_COLUMNS,
    BY_ROWS,
    check_bounds,
    check_compressed,
    check_coo,
    check_sorted,
)

__all__ = [
    "sparse_bsc_tensor", "sparse_bsr_tensor", "sparse_compressed_tensor",
    "sparse_coo_tensor", "sparse_csc_tensor", "sparse_csr_tensor",
]  # fmt: skip


class SparseCooTensor(Op):
    """Values put at positions of an array of zeros.

    Math: y[index_j] = Σ v_j      ∂L/∂v_j = g[index_j]
    Shape: (nnz, *) -> size
    """

    attributes = ("indices", "size", "coalesced")
    torch_name = "SparseCooTensorWithDimsAndTensors"
    saves = ()

    def __init__(self, indices: Any, size: tuple[int, ...], coalesced: bool) -> None:
        self.indices, self.size, self.coalesced = indices, size, coalesced

    def forward(self, v: Any) -> Any:
        return Coo(self.indices, v, self.size, self.coalesced)

    def backward(self, g: Any) -> Any:
        return apply1(TakeValues(Coo(self.indices, None, self.size)), g)


class TakeValues(Op):
    """The elements of a tensor, dense or sparse, at the positions of another.

    Math: y_j = x[index_j]      ∂L/∂x[index_j] = g_j
    """

    attributes = ("pattern",)
    saves = ()

    def __init__(self, pattern: Any) -> None:
        self.pattern = pattern

    def forward(self, x: Any) -> Any:
        if not isinstance(x, SparseArray):
            return self.pattern.values_at(x)
        return values_at(x, self.pattern)

    def backward(self, g: Any) -> Any:
        return apply1(from_values_op(self.pattern), g)


def from_values_op(pattern: Any) -> Op:
    """The op that puts values at the positions of a sparse array."""
    if isinstance(pattern, Blocks):
        return same_pattern_op(pattern)
    return SparseCooTensor(pattern.coordinates(), pattern.shape, False)


def same_pattern_op(pattern: Any) -> Op:
    """The op that makes a sparse array of the same layout from other values."""
    if isinstance(pattern, Coo):
        return SparseCooTensor(pattern.indices, pattern.shape, pattern.coalesced)
    parts = pattern.pointers, pattern.plain, pattern.shape, pattern.layout
    return SparseCompressedTensor(*parts)


def values_at(x: Any, pattern: Any) -> Any:
    """The values of a sparse array at the positions of another; zero where none is."""
    if isinstance(pattern, Blocks):
        return pattern.values_at(x.dense())
    once = (x.coo() if isinstance(x, Compressed) else x).unique()
    n = once.sparse_dim
    keys = Coo(pattern.coordinates()[:n], pattern.values, x.shape).keys()
    own_keys = once.keys()
    values = np.zeros((keys.size, *once.values.shape[1:]), once.dtype)
    if own_keys.size:
        place = np.minimum(np.searchsorted(own_keys, keys), own_keys.size - 1)
        met = own_keys[place] == keys
        values[met] = once.values[place[met]]
    return values


def _values_of(values: Any, dtype: Any, device: Any) -> Tensor:
    given = as_tensor(values, dtype=dtype, device=device)
    return given.reshape(1) if given.ndim == 0 else given


def _integers(x: Any) -> Any:
    """Indices as an array of int64, which keeps int32 out of arithmetic."""
    array = x._data if isinstance(x, Tensor) else np.array(x)
    return array.astype(np.int64)


def _finish_creation(
    op: Op, values: Tensor, requires_grad: bool, given: Any
) -> Tensor:  # `given` values keep their history
    made: Tensor = apply1(op, values if isinstance(given, Tensor) else values.detach())
    if requires_grad and made.grad_fn is None:
        made.requires_grad_()
    return made


def sparse_coo_tensor(
    indices: Any = None,
    values: Any = None,
    size: Any = None,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Any = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
    is_coalesced: bool | None = None,
) -> Tensor:
    """A sparse tensor in coordinate format: positions, and a value for each.

    Positions outside the tensor are always rejected, even without `check_invariants`.

    Math: y[index_j] = Σ v_j      ∂L/∂v_j = g[index_j]
    Shape: (sparse dimensions, nnz), (nnz, *dense dimensions) -> size

    Args:
        indices: a column for each value, with its position.
        values: a value listed for a position several times counts as their sum.
        size: the shape; by default just large enough.
        is_coalesced: the promise that positions are sorted, each listed once.

    Raises:
        RuntimeError: for parts that do not fit together.

    Example:
        >>> import edutorch as torch
        >>> torch.sparse_coo_tensor([[0, 1], [2, 0]], [3.0, 4.0], (2, 3))
        tensor(indices=tensor([[0, 1],
                               [2, 0]]),
               values=tensor([3., 4.]),
               size=(2, 3), nnz=2, layout=torch.sparse_coo)
    """
    if values is None:  # only a size: a tensor of zeros, without stored values
        size = sizes_of((indices if size is None else size,), "sparse_coo_tensor")
        indices, values = np.zeros((len(size), 0), np.int64), np.zeros(0)
        dtype = dtypes.get_default_dtype() if dtype is None else dtype
    positions = _integers(indices)
    given = _values_of(values, dtype, device)
    if positions.ndim != 2:
        raise RuntimeError(
            f"indices must be sparse_dim x nnz, but got: {list(positions.shape)}"
        )
    if size is None:
        check_bounds(positions)
        if not positions.shape[1]:
            size = (0,) * len(positions)
        else:
            size = tuple(int(n) + 1 for n in positions.max(axis=1))
        size = (*size, *given.shape[1:])
    size = sizes_of((size,), "sparse_coo_tensor")
    check_coo(positions, given._data, size)
    coalesced = bool(is_coalesced) or positions.shape[1] < 2
    if is_coalesced:
        check_sorted(Coo(positions, given._data, size))
    return _finish_creation(
        SparseCooTensor(positions, size, coalesced), given, requires_grad, values
    )


class SparseCompressedTensor(Op):
    """Values put at the positions of a compressed matrix.

    Math: y[index_j] = v_j      ∂L/∂v_j = g[index_j]
    """

    attributes = ("pointers", "places", "size", "layout")
    saves = ()

    def __init__(self, pointers: Any, places: Any, size: Any, layout: Layout) -> None:
        self.pointers, self.places = pointers, places
        self.size, self.layout = size, layout

    def forward(self, v: Any) -> Any:
        parts = self.pointers, self.places, v, self.size, self.layout
        self.made = compressed_array(*parts)
        return self.made

    def backward(self, g: Any) -> Any:
        return apply1(TakeValues(self.made), g)


def sparse_compressed_tensor(
    compressed_indices: Any,
    plain_indices: Any,
    values: Any,
    size: Any = None,
    *,
    dtype: dtypes.dtype | None = None,
    layout: Layout | None = None,
    device: Any = None,
    pin_memory: bool = False,
    requires_grad: bool = False,
    check_invariants: bool | None = None,
) -> Tensor:
    """A sparse matrix in a compressed format; see `sparse_csr_tensor`.

    Invalid pointers and indices are always refused.

    Math: y[index_j] = v_j      ∂L/∂v_j = g[index_j]
    Shape: (n + 1), (nnz), (nnz, *) -> size

    Args:
        layout: `torch.sparse_csr` or `torch.sparse_csc`; `torch.sparse_bsr` or
            `torch.sparse_bsc`, where values are blocks: (nnz, n, m).

    Raises:
        RuntimeError: for parts that do not fit together, and other layouts.
        NotImplementedError: for batches of matrices.

    Example:
        >>> import edutorch as torch
        >>> x = torch.sparse_compressed_tensor(
        ...     [0, 1, 2], [1, 0], [3.0, 4.0], layout=torch.sparse_csr)
        >>> x.to_dense()
        tensor([[0., 3.],
                [4., 0.]])
    """
    if layout not in BY_ROWS + BY_COLUMNS:
        raise RuntimeError(
            "sparse_compressed_tensor expected sparse compressed tensor layout but got "
            f"{getattr(layout, 'words', layout)}"
        )
    pointers, plain = _integers(compressed_indices), _integers(plain_indices)
    given = _values_of(values, dtype, device)
    if pointers.ndim != 1:
        raise NotImplementedError("batches of compressed matrices are not offered")
    if size is None:
        size = _inferred_shape(pointers, plain, given.shape[1:], layout)
    size = sizes_of((size,), "sparse_compressed_tensor")
    check_compressed(compressed_array(pointers, plain, given._data, size, layout))
    op = SparseCompressedTensor(pointers, plain, size, layout)
    return _finish_creation(op, given, requires_grad, values)


def _inferred_shape(
    pointers: Any, plain: Any, entry: Any, layout: Any
) -> tuple[int, ...]:
    """The smallest shape that holds all entries, of a number or a block each."""
    long, short = len(pointers) - 1, int(plain.max(initial=-1)) + 1
    size = (long, short) if layout in BY_ROWS else (short, long)
    if layout not in (sparse_bsr, sparse_bsc):
        return (*size, *entry)
    n, m = entry if len(entry) == 2 else (1, 1)
    return size[0] * n, size[1] * m


def sparse_csr_tensor(
    crow_indices: Any, col_indices: Any, values: Any, size: Any = None, **options: Any
) -> Tensor:
    """A sparse matrix in compressed row format: values row after row.

    Math: y[i, col_j] = v_j for crow_i <= j < crow_(i+1)      ∂L/∂v_j = g[i, col_j]
    Shape: (n + 1), (nnz), (nnz) -> (n, m)

    Args:
        crow_indices: the index of each row's first value, and their number at the end.
        col_indices: the column of each value, ascending in each row.
        size: the shape; by default just large enough.
        options: as of `sparse_compressed_tensor`.

    Raises:
        RuntimeError: for parts that do not fit together.

    Example:
        >>> import edutorch as torch
        >>> torch.sparse_csr_tensor([0, 1, 3], [2, 0, 2], [3.0, 4.0, 5.0])
        tensor(crow_indices=tensor([0, 1, 3]),
               col_indices=tensor([2, 0, 2]),
               values=tensor([3., 4., 5.]), size=(2, 3), nnz=3,
               layout=torch.sparse_csr)
    """
    options["layout"] = _check_layout("sparse_csr_tensor", sparse_csr, options)
    return sparse_compressed_tensor(crow_indices, col_indices, values, size, **options)


def sparse_csc_tensor(
    ccol_indices: Any, row_indices: Any, values: Any, size: Any = None, **options: Any
) -> Tensor:
    """A sparse matrix in compressed column format: values column after column.

    Math: y[row_j, i] = v_j for ccol_i <= j < ccol_(i+1)      ∂L/∂v_j = g[row_j, i]
    Shape: (m + 1), (nnz), (nnz) -> (n, m)

    Raises:
        RuntimeError: for parts that do not fit together.

    Example:
        >>> import edutorch as torch
        >>> torch.sparse_csc_tensor([0, 1, 2], [1, 0], [3.0, 4.0]).to_dense()
        tensor([[0., 4.],
                [3., 0.]])
    """
    options["layout"] = _check_layout("sparse_csc_tensor", sparse_csc, options)
    return sparse_compressed_tensor(ccol_indices, row_indices, values, size, **options)


def sparse_bsr_tensor(
    crow_indices: Any, col_indices: Any, values: Any, size: Any = None, **options: Any
) -> Tensor:
    """A sparse matrix of blocks in compressed row format: row of blocks after row.

    Math: y[i n + p, col_j m + q] = v_j[p, q] for crow_i <= j < crow_(i+1)
          ∂L/∂v_j = the block of g
    Shape: (rows + 1), (nnz), (nnz, n, m) -> (rows n, columns m)

    Raises:
        RuntimeError: for parts that do not fit together.

    Example:
        >>> import edutorch as torch
        >>> torch.sparse_bsr_tensor([0, 1], [1], [[[3.0, 4.0]]]).to_dense()
        tensor([[0., 0., 3., 4.]])
    """
    options["layout"] = _check_layout("sparse_bsr_tensor", sparse_bsr, options)
    return sparse_compressed_tensor(crow_indices, col_indices, values, size, **options)


def sparse_bsc_tensor(
    ccol_indices: Any, row_indices: Any, values: Any, size: Any = None, **options: Any
) -> Tensor:
    """A sparse matrix of blocks in compressed column format.

    Math: y[row_j n + p, i m + q] = v_j[p, q] for ccol_i <= j < ccol_(i+1)
          ∂L/∂v_j = the block of g
    Shape: (columns + 1), (nnz), (nnz, n, m) -> (rows n, columns m)

    Raises:
        RuntimeError: for parts that do not fit together.

    Example:
        >>> import edutorch as torch
        >>> torch.sparse_bsc_tensor([0, 1], [1], [[[3.0, 4.0]]]).to_dense()
        tensor([[0., 0.],
                [3., 4.]])
    """
    options["layout"] = _check_layout("sparse_bsc_tensor", sparse_bsc, options)
    return sparse_compressed_tensor(ccol_indices, row_indices, values, size, **options)


def _check_layout(name: str, layout: Layout, options: dict[str, Any]) -> Layout:
    """Check that `layout`, if given, is that of the function."""
    given = options.get("layout") or layout
    if given is not layout:
        raise RuntimeError(
            f"{name}: layout must be {layout.words} but got "
            f"{getattr(given, 'words', given)}"
        )
    return layout
