"""Batching rules of indexing; rejects results whose shape depends on values."""

from __future__ import annotations

from typing import Any

from ..autograd.batched_tensor import forbid_fallback
from ..ops.create import arange
from ..ops.index.advanced import Index, IndexBackward
from ..ops.index.masked import MaskedSelect
from ..ops.index.nonzero_elements import Argwhere, Nonzero
from ..ops.pointwise.ternary import WhereIndices
from ..ops.sort.unique_bins import Unique, UniqueConsecutive
from .batched_dispatch import Call, rule, run_op

__all__: list[str] = []

DYNAMIC_SHAPE = (
    "vmap: We do not support batching operators that can output dynamic shape. "
    "Attempted to vmap over aten::{}. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues if you need this feature."
)
BOOLEAN_MASK = (
    "vmap: We do not support batching operators that can support dynamic shape. "
    "Attempting to batch over indexing with a boolean mask."
)
MASKED_SELECT = (
    "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot "
    "support this because for each batch this would return a differently shaped "
    "Tensor. Please file an issue at https://github.com/pytorch/pytorch/issues if you "
    "need this feature."
)
ATEN_NAMES = {
    Nonzero: "nonzero",
    Unique: "_unique2",
    UniqueConsecutive: "unique_consecutive",
    WhereIndices: "where",
}


@rule(Nonzero, Unique, UniqueConsecutive, WhereIndices)
def _refuse_dynamic_shape(call: Call) -> Any:
    raise forbid_fallback(
        RuntimeError(DYNAMIC_SHAPE.format(ATEN_NAMES[call.op.op_class]))
    )


@rule(Argwhere)
def _argwhere(call: Call) -> Any:
    return NotImplemented  # refused only where lengths differ


@rule(MaskedSelect)
def _masked_select(call: Call) -> Any:
    if call.is_batched(1):
        raise forbid_fallback(RuntimeError(MASKED_SELECT))
    return NotImplemented


@rule(Index)
def _index(call: Call) -> Any:
    """Add a full slice for the batch dimension, or an index over the samples."""
    slots = call.op.slots
    indices = range(1, len(call.values))
    if any(call.is_batched(i) and _is_mask(call.operands[i]) for i in indices):
        raise forbid_fallback(RuntimeError(BOOLEAN_MASK))
    if not (call.ndim(0) and _adjacent(slots)):
        return NotImplemented
    if not any(call.is_batched(i) for i in indices):
        return run_op(call.op_with(slots=(None, *slots)), *call.values)
    if slots[0] is None or any(_is_mask(call.operands[i]) for i in indices):
        return NotImplemented
    given = _aligned_indices(call)
    if not call.is_batched(0):
        return run_op(call.op_with(), call.values[0], *given)
    return run_op(
        call.op_with(slots=_slots_with_samples(slots)), call.values[0], *given
    )


@rule(IndexBackward)
def _index_backward(call: Call) -> Any:
    op: Any = call.op
    if not (op.shape and _adjacent(op.slots)):
        return NotImplemented
    shape = (call.size, *op.shape)
    if not any(call.is_batched(i) for i in range(1, len(call.values))):
        batched_op = call.op_with(slots=(None, *op.slots), shape=shape)
        if any(_is_mask(v) for v in call.operands[1:]):
            return NotImplemented
        return run_op(batched_op, call.values[0], *call.values[1:])
    if op.slots[0] is None or any(_is_mask(v) for v in call.operands[1:]):
        return NotImplemented
    batched_op = call.op_with(slots=_slots_with_samples(op.slots), shape=shape)
    return run_op(batched_op, call.expanded(0), *_sample_numbers_and_indices(call))


def _is_mask(index: Any) -> bool:
    return bool(index._data.dtype.kind == "b")


def _adjacent(slots: tuple[int | None, ...]) -> bool:
    """Whether the indexed dimensions are neighbours; then the rest stays in place."""
    places = [i for i, slot in enumerate(slots) if slot is not None]
    return places[-1] - places[0] == len(places) - 1


def _slots_with_samples(slots: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """Slots with an index over the samples in front."""
    return (0, *(None if s is None else s + 1 for s in slots))


def _aligned_indices(call: Call) -> list[Any]:
    """Indices with the batch in front, and an index over samples if x is batched."""
    if call.is_batched(0):
        return _sample_numbers_and_indices(call)
    ndim = max(call.ndim(i) for i in range(1, len(call.values)))
    return [_broadcastable(call, i, ndim) for i in range(1, len(call.values))]


def _sample_numbers_and_indices(call: Call) -> list[Any]:
    """An index over the samples, and the indices with the batch in front."""
    ndim = max(call.ndim(i) for i in range(1, len(call.values)))
    device = call.operands[1].device
    numbers = arange(call.size, device=device).reshape(call.size, *(1,) * ndim)
    return [
        numbers,
        *(_broadcastable(call, i, ndim) for i in range(1, len(call.values))),
    ]


def _broadcastable(call: Call, i: int, ndim: int) -> Any:
    """An index with the batch in front and `ndim` dimensions after it."""
    index = call.batch_first(i)
    return index.reshape(
        index.shape[0], *(1,) * (ndim - call.ndim(i)), *index.shape[1:]
    )
