"""State dicts of sharded modules: of parts, and of unsharded parameters."""

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
from .fsdp_unit import FSDPParam, FSDPUnit
from .fully_shard import units

__all__ = [
    "all_gather_shard", "fsdp_params_by_name", "full_state_dict", "load_state_dict",
    "local_elements", "sharded_state_dict", "summon_full_params", "to_flat_shard",
]  # fmt: skip


@contextmanager
def summon_full_params(module: Module) -> Iterator[None]:
    """A block in which modules have unsharded parameters, to be read only.

    All ranks enter it.
    """
    with ExitStack() as stack:
        for unit in units(module):
            stack.enter_context(_unsharded_for_reading(unit))
        yield


@contextmanager
def _unsharded_for_reading(unit: FSDPUnit) -> Iterator[None]:
    with no_grad():
        unit.set_parameters(unit.views(unit.all_gather()))
    try:
        yield
    finally:
        unit.set_parameters([param.sharded_param for param in unit.params])


def full_state_dict(module: Module) -> dict[str, Any]:
    """The state dict of the module before it was sharded; all ranks call this."""
    with summon_full_params(module):
        state = module.state_dict()
        return {
            name: value.detach().clone() if isinstance(value, Tensor) else value
            for name, value in state.items()
        }


def fsdp_params_by_name(module: Module) -> dict[str, tuple[FSDPParam, ProcessGroup]]:
    """The `FSDPParam` of each sharded parameter, and the ranks that have it."""
    params = {
        id(s.sharded_param): (s, unit.group)
        for unit in units(module)
        for s in unit.params
    }
    named = module.named_parameters(remove_duplicate=False)
    return {name: params[id(p)] for name, p in named if id(p) in params}


def sharded_state_dict(module: Module) -> dict[str, Any]:
    """The state dict with this rank's shards, which share the parameters' memory."""
    params = fsdp_params_by_name(module)
    return {
        name: to_flat_shard(params[name][0], value) if name in params else value
        for name, value in module.state_dict().items()
    }


def to_flat_shard(param: FSDPParam, local: Tensor) -> FlatShard:
    """A tensor with the elements of a shard, as a `FlatShard` of the whole tensor."""
    return FlatShard(local.detach(), param.shard_offset, param.shape)


def all_gather_shard(part: FlatShard, group: ProcessGroup) -> Tensor:
    """The whole tensor, gathered from the parts of all ranks; all of them call this."""
    local = part.local
    found = zeros(part.shape.numel(), dtype=local.dtype, device=local.device)
    found[part.start : part.end] = local.detach()
    all_reduce(found, group=group)
    return found.reshape(part.shape)


def load_state_dict(module: Module, state_dict: Mapping[str, Any]) -> None:
    """Load a state dict of parts or of unsharded parameters.

    Raises:
        RuntimeError: for other names or shapes.
    """
    params = fsdp_params_by_name(module)
    found = {}
    for name, value in state_dict.items():
        found[name] = value
        if name in params:
            param = params[name][0]
            if value.shape != param.shape:
                raise RuntimeError(
                    f"size mismatch for {name}: copying a param with shape "
                    f"{value.shape} from checkpoint, the shape in current model is "
                    f"{param.shape}."
                )
            found[name] = local_elements(param, value)
    module.load_state_dict(found)


def local_elements(param: FSDPParam, value: Tensor | FlatShard) -> Tensor:
    """The elements of a whole tensor, or of a part, of this rank's shard.

    Raises:
        RuntimeError: for a part with other elements, such as one of another number of
            ranks.
    """
    end = param.shard_offset + param.sharded_param.numel()
    if isinstance(value, FlatShard):
        if (value.start, value.end) != (param.shard_offset, end):
            raise RuntimeError(
                f"{value!r} does not have this rank's elements, "
                f"{param.shard_offset} to {end}: "
                "read the checkpoint into this model's own state dict"
            )
        return value.local
    return value.detach().reshape(-1)[param.shard_offset : end]
