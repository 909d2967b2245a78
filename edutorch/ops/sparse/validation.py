"""Validates sparse tensors: layouts, indices and values."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.sparse import Blocks, Coo, SparseArray
from ...layouts import (
    layout,
    sparse_bsc,
    sparse_bsr,
    sparse_coo,
    sparse_csc,
    sparse_csr,
)
from ...tensor.tensor import Tensor

__all__: list[str] = []


BY_ROWS, BY_COLUMNS = (sparse_csr, sparse_bsr), (sparse_csc, sparse_bsc)


def require_layout(x: Tensor, name: str, *layouts: layout) -> Any:
    """The sparse array of a tensor; raises unless it has one of the layouts.

    Raises:
        RuntimeError: for an unsupported layout, with PyTorch's words.
    """
    if x.layout not in layouts:
        names: dict[tuple[layout, ...], str] = {
            (sparse_coo,): "sparse coordinate tensor layout",
            BY_ROWS: "sparse row compressed tensor layout",
            BY_COLUMNS: "sparse column compressed tensor layout",
        }
        words = names.get(layouts, "sparse tensor layout")
        raise RuntimeError(f"{name} expected {words} but got {x.layout.words}")
    return x._data


def refuse_backend(x: Tensor, name: str) -> None:
    """Raise for a layout that a function does not support.

    Raises:
        NotImplementedError: with PyTorch's words.
    """
    words = x.layout.words.replace("Strided", "")
    raise NotImplementedError(
        f"Could not run 'aten::{name}' with arguments from the '{words}CPU' backend."
    )


def check_coo(indices: Any, values: Any, size: tuple[int, ...]) -> None:
    """Raise unless positions and values describe an array of this size.

    Raises:
        RuntimeError: with PyTorch's words.
    """
    sparse_dim, nnz = indices.shape
    dense_dim = values.ndim - 1
    if len(size) != sparse_dim + dense_dim:
        raise RuntimeError(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
            f"{len(size)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )
    if len(values) != nnz:
        raise RuntimeError(
            "indices and values must have same nnz, but got nnz from indices: "
            f"{nnz}, nnz from values: {len(values)}"
        )
    if tuple(values.shape[1:]) != tuple(size[sparse_dim:]):
        raise RuntimeError(
            f"values has incorrect size, expected {[nnz, *size[sparse_dim:]]}, got "
            f"{list(values.shape)}"
        )
    check_bounds(indices, size)


def check_bounds(indices: Any, size: Any = None) -> None:
    """Raise for positions outside the array.

    Raises:
        RuntimeError: with PyTorch's words.
    """
    if not indices.size:
        return
    lowest, highest = indices.min(axis=1), indices.max(axis=1)
    for dim, (low, high) in enumerate(zip(lowest, highest, strict=True)):
        if low < 0:
            raise RuntimeError(f"found negative index {low} for dim {dim}")
        if size is not None and high >= size[dim]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {dim}, size is "
                f"{size[dim]} but found index {high}"
            )


def check_sorted(x: Coo) -> None:
    """Raise if positions declared sorted are not.

    Raises:
        RuntimeError: with PyTorch's words.
    """
    if not (np.diff(x.keys()) > 0).all():
        raise RuntimeError(
            "cannot set is_coalesced to true if indices correspond to uncoalesced COO "
            "tensor"
        )


def check_compressed(x: Any) -> None:
    """Raise unless pointers, indices and values describe a compressed matrix.

    Raises:
        RuntimeError: with PyTorch's words.
    """
    rows = x.by_rows
    pointers, plain = (
        ("crow_indices", "col_indices") if rows else ("ccol_indices", "row_indices")
    )
    word = "rows" if rows else "columns"
    sides = x.shape[:2]
    if isinstance(x, Blocks):
        sides, word = check_blocks(x), f"{word[:-1]} blocks"
    long, short = sides if rows else sides[::-1]
    nnz = len(x.values)
    if len(x.pointers) != long + 1:
        raise RuntimeError(
            f"{pointers}.shape[-1] must be equal to the number of {word} + 1 "
            f"(={long + 1}), but got {len(x.pointers)}"
        )
    if len(x.plain) != nnz:
        raise RuntimeError(
            f"{plain}.shape[-1] must be equal to nnz (={nnz}) as defined by "
            f"values.shape[0], but got {len(x.plain)}"
        )
    counts = np.diff(x.pointers)
    first, last = x.pointers[0], x.pointers[-1]
    conditions = {
        f"`{pointers}[..., 0] == 0`": first == 0,
        f"`{pointers}[..., -1] == nnz`": last == nnz,
        f"`0 <= {pointers}[..., 1:] - {pointers}[..., :-1] <= "
        f"{'ncols' if rows else 'nrows'}`": ((counts >= 0) & (counts <= short)).all(),
        f"`0 <= {plain} < {'ncols' if rows else 'nrows'}`": (
            (x.plain >= 0) & (x.plain < short)
        ).all(),
    }
    for condition, holds in conditions.items():
        if not holds:
            raise RuntimeError(f"{condition} is not satisfied.")
    line = np.repeat(np.arange(long), counts)
    if (np.diff(line * short + x.plain) <= 0).any():
        raise RuntimeError(
            f"`{plain}[..., {pointers}[..., i - 1]:{pointers}[..., i]] for all i = 1, "
            f"..., {'nrows' if rows else 'ncols'} are sorted and distinct along the "
            "last dimension values` is not satisfied."
        )


def check_blocks(x: Blocks) -> tuple[int, int]:
    """Raise unless blocks describe a matrix of this size; returns the size in blocks.

    Raises:
        RuntimeError: with PyTorch's words.
    """
    if x.values.ndim < 3:
        raise RuntimeError(
            "values must have dimensionality > sum of batch and block dimensionalities "
            f"(=0 + 2) but got {x.values.ndim}"
        )
    for dim, (size, n) in enumerate(zip(x.shape, x.block, strict=True)):
        if not n or size % n:
            raise RuntimeError(
                f"tensor shape[{dim}] (={size}) must be divisible with blocksize[{dim}]"
                f" (={n}) as defined by values shape"
            )
    return x.shape[0] // x.block[0], x.shape[1] // x.block[1]


def is_sparse_array(x: Any) -> bool:
    """Whether an array, or the array of a tensor, is sparse."""
    return isinstance(getattr(x, "_data", x), SparseArray)
