"""Rejects in-place writes to memory that elements or operands share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..backends.sparse import SparseArray
from ..tensor.conj_neg_view import ConjNegView, in_memory
from ..tensor.geometry import Geometry
from ..tensor.tensor import Tensor
from . import op_errors

__all__ = [
    "overlaps_itself",
    "refuse_overlap",
    "refuse_partial_overlap",
    "refuse_repeated",
]


def overlaps_itself(array: Any) -> bool:
    """Whether elements of an array share memory, as in expanded ones."""
    if array.flags.c_contiguous:
        return False
    return any(
        s == 0 and n > 1 for s, n in zip(array.strides, array.shape, strict=True)
    )


def refuse_repeated(shape: tuple[int, ...], strides: tuple[int, ...]) -> None:
    """Reject memory in which several elements share an address.

    Raises:
        RuntimeError: for expanded memory.
    """
    if 0 not in shape and any(
        s == 0 and n > 1 for s, n in zip(strides, shape, strict=True)
    ):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor "
            "refers to a single memory location. Please clone() the tensor before "
            "performing the operation."
        )


def refuse_partial_overlap(
    written: Tensor, others: Iterable[Any], *, lazily: bool = False
) -> None:
    """Refuse to write to a tensor that shares some of its memory with an operand.

    All of it may be shared: then each element is read before it is written. Of memory
    with gaps or repeats, this is not checked.

    Args:
        lazily: whether conjugates and negatives are read where they are; otherwise
            they are copied first.

    Raises:
        RuntimeError: if a part of the memory is shared.
    """
    mine = written._storage
    for other in others:
        storage = getattr(other, "_storage", None)
        if mine is None or storage is None or storage.array is not mine.array:
            continue
        if other is not written and _relation(written, other, lazily) == "partial":
            op_errors.refresh(other)  # PyTorch looks at its history first
            _refuse()


def refuse_overlap(written: Tensor, others: Iterable[Any]) -> None:
    """Refuse to write to a tensor that shares memory with an operand, or is one.

    Raises:
        RuntimeError: if any memory is shared.
    """
    for other in others:
        if isinstance(other, Tensor) and _relation(written, other) != "none":
            _refuse()


def _refuse() -> None:
    raise RuntimeError(
        "unsupported operation: some elements of the input tensor and the written-to "
        "tensor refer to a single memory location. Please clone() the tensor before "
        "performing the operation."
    )


def _relation(a: Tensor, b: Tensor, lazily: bool = False) -> str:
    """The overlap of two tensors' memory: "none", "partial" or "full".

    Tensors with gaps between their elements count as "none", as in PyTorch.
    """
    if not lazily and ConjNegView in (type(a), type(b)):
        return "none"
    if a is b:
        return "full"
    if a._storage is None or b._storage is None:
        return "none"
    if a._storage.array is not b._storage.array:
        return "none"
    x, y = in_memory(a), in_memory(b)
    if isinstance(x, SparseArray):
        return "none"
    first, second = Geometry.of(x), Geometry.of(y)
    if not (x.size and y.size and first.dense() and second.dense()):
        return "none"
    begin, end = first.offset * a.itemsize, first.reach * a.itemsize
    other_begin, other_end = second.offset * b.itemsize, second.reach * b.itemsize
    if (begin, end) == (other_begin, other_end):
        return "full" if first.stride == second.stride else "partial"
    return "partial" if begin < other_end and other_begin < end else "none"
