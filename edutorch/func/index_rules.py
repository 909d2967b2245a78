"""Batching rules of indices; what has another shape in each sample is refused."""

from __future__ import annotations

from typing import Any

from ..autograd.batched_tensor import final
from ..ops.create import arange
from ..ops.index.advanced import Index, IndexBackward
from ..ops.index.masked import MaskedSelect
from ..ops.index.nonzero_elements import Argwhere, Nonzero
from ..ops.sort.unique_bins import Unique, UniqueConsecutive
from .batched_dispatch import Call, rule, run_op

__all__: list[str] = []

OUTPUTS = (
    "vmap: We do not support batching operators that can output dynamic shape. "
    "Attempted to vmap over aten::{}. Please file an issue at "
    "https://github.com/pytorch/pytorch/issues if you need this feature."
)
MASKS = (
    "vmap: We do not support batching operators that can support dynamic shape. "
    "Attempting to batch over indexing with a boolean mask."
)
SELECTED = (
    "vmap: Attempted to vmap over `mask` in torch.masked_select(self, mask) We cannot "
    "support this because for each batch this would return a differently shaped "
    "Tensor. Please file an issue at https://github.com/pytorch/pytorch/issues if you "
    "need this feature."
)
NAMES = {
    Nonzero: "nonzero",
    Unique: "_unique2",
    UniqueConsecutive: "unique_consecutive",
}


@rule(Nonzero, Unique, UniqueConsecutive)
def _of_any_length(call: Call) -> Any:
    raise final(RuntimeError(OUTPUTS.format(NAMES[type(call.op)])))


@rule(Argwhere)
def _of_one_length(call: Call) -> Any:
    return NotImplemented  # refused only where lengths differ


@rule(MaskedSelect)
def _selected_by_a_mask(call: Call) -> Any:
    if call.is_batched(1):
        raise final(RuntimeError(SELECTED))
    return NotImplemented


@rule(Index)
def _indexed(call: Call) -> Any:
    """Another dimension that is taken whole, or an index that counts the samples."""
    slots = call.op.slots
    indices = range(1, len(call.values))
    if any(call.is_batched(i) and _is_mask(call.operands[i]) for i in indices):
        raise final(RuntimeError(MASKS))
    if not (call.ndim(0) and _adjacent(slots)):
        return NotImplemented
    if not any(call.is_batched(i) for i in indices):
        return run_op(call.again(slots=(None, *slots)), *call.values)
    if slots[0] is None or any(_is_mask(call.operands[i]) for i in indices):
        return NotImplemented
    given = _aligned(call)
    if not call.is_batched(0):
        return run_op(call.again(), call.values[0], *given)
    return run_op(call.again(slots=_after_the_first(slots)), call.values[0], *given)


@rule(IndexBackward)
def _added_where_indices_say(call: Call) -> Any:
    op: Any = call.op
    if not (op.shape and _adjacent(op.slots)):
        return NotImplemented
    shape = (call.size, *op.shape)
    if not any(call.is_batched(i) for i in range(1, len(call.values))):
        many = call.again(slots=(None, *op.slots), shape=shape)
        if any(_is_mask(v) for v in call.operands[1:]):
            return NotImplemented
        return run_op(many, call.values[0], *call.values[1:])
    if op.slots[0] is None or any(_is_mask(v) for v in call.operands[1:]):
        return NotImplemented
    many = call.again(slots=_after_the_first(op.slots), shape=shape)
    return run_op(many, call.whole(0), *_numbered(call))


def _is_mask(index: Any) -> bool:
    return bool(index._data.dtype.kind == "b")


def _adjacent(slots: tuple[int | None, ...]) -> bool:
    """Whether the indexed dimensions are neighbours; then the rest stays in place."""
    places = [i for i, slot in enumerate(slots) if slot is not None]
    return places[-1] - places[0] == len(places) - 1


def _after_the_first(slots: tuple[int | None, ...]) -> tuple[int | None, ...]:
    """An index of the samples before the others."""
    return (0, *(None if s is None else s + 1 for s in slots))


def _aligned(call: Call) -> list[Any]:
    """Indices with the batch in front; with that of the samples, where x has one."""
    if call.is_batched(0):
        return _numbered(call)
    ndim = max(call.ndim(i) for i in range(1, len(call.values)))
    return [_below(call, i, ndim) for i in range(1, len(call.values))]


def _numbered(call: Call) -> list[Any]:
    """The number of the sample, and the indices with the batch in front."""
    ndim = max(call.ndim(i) for i in range(1, len(call.values)))
    device = call.operands[1].device
    numbers = arange(call.size, device=device).reshape(call.size, *(1,) * ndim)
    return [numbers, *(_below(call, i, ndim) for i in range(1, len(call.values)))]


def _below(call: Call, i: int, ndim: int) -> Any:
    """An index as wide as the widest, with the batch in front."""
    index = call.front(i)
    return index.reshape(
        index.shape[0], *(1,) * (ndim - call.ndim(i)), *index.shape[1:]
    )
