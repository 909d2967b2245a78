"""Uneven inputs: a process without inputs takes part in the others' collectives."""

from __future__ import annotations

from typing import Any

from ...distributed.algorithms.join import JoinHook
from ...distributed.collectives.reduce_op import ReduceOp
from ...distributed.collectives.reductions import all_reduce
from ...ops.create.filled import full
from .buckets import broadcast_coalesced

__all__ = ["DDPJoinHook", "any_rank_syncs_gradients", "highest_rank"]


def highest_rank(ddp: Any, takes_part: bool) -> int:
    """The highest rank among those that take part."""
    rank = ddp.process_group.rank() if takes_part else -1
    found = full((1,), rank, device=ddp.join_device)
    all_reduce(found, ReduceOp.MAX, ddp.process_group)
    return int(found.item())


def any_rank_syncs_gradients(ddp: Any, joined: bool) -> bool:
    """Whether ranks that still have inputs will average gradients in this step."""
    mine = int(ddp.require_backward_grad_sync and not joined)
    wanted = full((1,), mine, device=ddp.join_device)
    all_reduce(wanted, group=ddp.process_group)
    return bool(wanted.item())


class DDPJoinHook(JoinHook):
    """Repeats the collectives of `DistributedDataParallel`.

    Args:
        divide_by_initial_world_size: divide gradients by the number of all processes,
            or else by the number of those that still have inputs.
    """

    def __init__(self, ddp: Any, divide_by_initial_world_size: bool) -> None:
        ddp._divide_by_initial_world_size = divide_by_initial_world_size
        self.ddp = ddp

    def main_hook(self) -> None:
        """Shadow one step of the other ranks."""
        ddp = self.ddp
        if ddp.will_sync_module_buffers():
            ddp.sync_buffers(highest_rank(ddp, False))
        averages = any_rank_syncs_gradients(ddp, True)
        ddp.require_forward_param_sync = averages
        if averages:
            ddp.reducer.shadow_all_reduce()

    def post_hook(self, is_last_joiner: bool) -> None:
        """Copy the model from a process that trained to the end."""
        ddp = self.ddp
        source = highest_rank(ddp, is_last_joiner)
        broadcast_coalesced(ddp.synchronized_tensors(), source, ddp.process_group)
