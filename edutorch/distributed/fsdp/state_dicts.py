"""State dicts of sharded modules: of parts, and of whole parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

from ...autograd.modes import no_grad
from ...nn.modules.module import Module
from ...ops.create.filled import zeros
from ...tensor.tensor import Tensor
from ..checkpoint.flat_shard import FlatShard
from ..collectives.reductions import all_reduce
from ..groups.process_group import ProcessGroup
from .fully_shard import units
from .sharded_unit import ShardedUnit, Slot

__all__ = [
    "full_state_dict", "load_state", "sharded_state_dict", "slots_by_name",
    "summon_full_params", "whole",
]  # fmt: skip


@contextmanager
def summon_full_params(module: Module) -> Iterator[None]:
    """A block in which modules have whole parameters, to be read only.

    All ranks enter it.
    """
    with ExitStack() as stack:
        for unit in units(module):
            stack.enter_context(_summoned(unit))
        yield


@contextmanager
def _summoned(unit: ShardedUnit) -> Iterator[None]:
    with no_grad():
        unit.put(unit.views(unit.collect()))
    try:
        yield
    finally:
        unit.put([slot.piece for slot in unit.slots])


def full_state_dict(module: Module) -> dict[str, Any]:
    """The state dict of the module before it was sharded; all ranks call this."""
    with summon_full_params(module):
        state = module.state_dict()
        return {
            name: value.detach().clone() if isinstance(value, Tensor) else value
            for name, value in state.items()
        }


def slots_by_name(module: Module) -> dict[str, tuple[Slot, ProcessGroup]]:
    """The slot of each sharded parameter, and the ranks that have it."""
    slots = {id(s.piece): (s, unit.group) for unit in units(module) for s in unit.slots}
    named = module.named_parameters(remove_duplicate=False)
    return {name: slots[id(p)] for name, p in named if id(p) in slots}


def sharded_state_dict(module: Module) -> dict[str, Any]:
    """The state dict with this rank's parts of parameters, which share their memory."""
    slots = slots_by_name(module)
    return {
        name: shard(slots[name][0], value) if name in slots else value
        for name, value in module.state_dict().items()
    }


def shard(slot: Slot, local: Tensor) -> FlatShard:
    """A tensor with the elements of a piece, as a part of the whole one."""
    return FlatShard(local.detach(), slot.first, slot.shape)


def whole(part: FlatShard, group: ProcessGroup) -> Tensor:
    """The whole tensor of the parts of all ranks; all of them call this."""
    local = part.local
    found = zeros(part.shape.numel(), dtype=local.dtype, device=local.device)
    found[part.start : part.end] = local.detach()
    all_reduce(found, group=group)
    return found.reshape(part.shape)


def load_state(module: Module, state_dict: Mapping[str, Any]) -> None:
    """Take over a state dict of parts or of whole parameters.

    Raises:
        RuntimeError: for other names or shapes.
    """
    slots = slots_by_name(module)
    found = {}
    for name, value in state_dict.items():
        found[name] = value
        if name in slots:
            slot = slots[name][0]
            if value.shape != slot.shape:
                raise RuntimeError(
                    f"size mismatch for {name}: copying a param with shape "
                    f"{value.shape} from checkpoint, the shape in current model is "
                    f"{slot.shape}."
                )
            found[name] = piece_of(slot, value)
    module.load_state_dict(found)


def piece_of(slot: Slot, value: Tensor | FlatShard) -> Tensor:
    """The elements of a whole tensor, or of a part, that a slot's piece has.

    Raises:
        RuntimeError: for a part with other elements, as of another number of ranks.
    """
    end = slot.first + slot.piece.numel()
    if isinstance(value, FlatShard):
        if (value.start, value.end) != (slot.first, end):
            raise RuntimeError(
                f"{value!r} does not have this rank's elements, {slot.first} to {end}: "
                "read the checkpoint into this model's own state dict"
            )
        return value.local
    return value.detach().reshape(-1)[slot.first : end]
