"""Sparse tensors as text: their parts, each printed like a dense tensor."""

from __future__ import annotations

from typing import Any

from ..backends.sparse import Coo

__all__ = ["component_arrays", "sparse_contents"]


def component_arrays(array: Any) -> list[tuple[str, Any]]:
    """The arrays that a sparse array is made of, with PyTorch's names for them."""
    if isinstance(array, Coo):
        return [("indices", array.indices), ("values", array.values)]
    names = ("ccol_indices", "row_indices")
    if array.by_rows:
        names = ("crow_indices", "col_indices")
    return [(names[0], array.pointers), (names[1], array.plain),
            ("values", array.values)]  # fmt: skip


def sparse_contents(array: Any, numbers: Any) -> str:
    """`indices=tensor([[0]]),` and the other parts, each on its own line.

    Args:
        numbers: makes the text of an array that begins at a given column.
    """
    texts = []
    for name, part in component_arrays(array):
        opening = f"{name}=tensor("
        text = opening + numbers(part, len("tensor(") + len(opening))
        if not part.size:
            text += f", size={tuple(part.shape)}"
        texts.append(text + ")")
    return (",\n" + " " * len("tensor(")).join(texts)
