"""Checks of the operands of embeddings."""

from __future__ import annotations

from typing import Any

from ..autograd.op_errors import type_name
from .index.index_errors import no_entries_error

__all__ = ["check_lookup", "check_renormalised", "check_rows", "out_of_range"]


def check_renormalised(index: Any, w: Any) -> None:
    """Check indices and table as `embedding_renorm_` does."""
    if w.ndim != 2:
        raise RuntimeError(
            f"Expected 2-dimensional tensor, but got {w.ndim}-dimensional tensor for "
            "argument #1 'self' (while checking arguments for embedding_renorm_)"
        )
    _check_index_dtype(index, 2, "embedding_renorm_")


def need_dtype_of(weight: Any, other: Any, name: str, op: str) -> None:
    """Raise unless a table and another operand have the same dtype.

    Raises:
        RuntimeError: with the type of both.
    """
    if other.dtype is not weight.dtype:
        raise RuntimeError(
            "Expected tensor for argument #1 'weight' to have the same type as tensor "
            f"for argument #1 '{name}'; but type {type_name(weight)} does not equal "
            f"{type_name(other)} (while checking arguments for {op})"
        )


def _check_index_dtype(index: Any, place: int, name: str) -> None:
    if index.dtype.short not in ("Long", "Int"):
        raise RuntimeError(
            f"Expected tensor for argument #{place} 'indices' to have one of the "
            f"following scalar types: Long, Int; but got {type_name(index)} instead "
            f"(while checking arguments for {name})"
        )


def check_lookup(index: Any, w: Any, name: str) -> None:
    """Check the dtype of indices and the dimensions of a table."""
    if w.ndim != 2:
        words, got = "'weight' must be 2-D", f", got {w.ndim}-D"
        raise AssertionError(words + got) if w.is_meta else RuntimeError(words)
    _check_index_dtype(index, 1, name)


def check_rows(used: Any, shape: tuple[int, ...]) -> None:
    """Check that the rows that are rescaled exist.

    Raises:
        IndexError: for the first that does not.
    """
    n = shape[0]
    for wrong in used[(used < -n) | (used >= n)]:
        raise IndexError(
            f"select(): index {wrong} out of range for tensor of size {list(shape)} at "
            "dimension 0"
        )


def out_of_range(index: Any, sizes: tuple[int, ...]) -> Exception:
    """The error for an index of a row that does not exist."""
    rows = sizes[0]
    if not rows:
        return no_entries_error()
    if 0 not in sizes:
        return IndexError("index out of range in self")
    first = index[(index < 0) | (index >= rows)].item(0)
    return RuntimeError(
        f"INDICES element is out of DATA bounds, id={first} axis_dim={rows}"
    )
