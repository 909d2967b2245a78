"""Fully sharded data parallel: each rank keeps a part of every parameter.

    from edutorch.distributed.fsdp import fully_shard

    for layer in model.layers:
        fully_shard(layer)
    fully_shard(model)
    optimizer = torch.optim.Adam(model.parameters())  # of this rank's shards

A sharded module gathers its parameters before its forward, frees them after it, gathers
them again before its backward, and sums gradients so that each rank gets those of its
part. Parameters, gradients and the optimizer's state need the n-th part of the memory
on n ranks; only one module's parameters are whole at a time.

- `policies.py`: mixed precision and CPU offload.
- `fsdp_unit.py`: parameters that are all-gathered and freed together.
- `fully_shard.py`: `fully_shard`, and the methods of a sharded module.
- `fully_sharded_data_parallel.py`: `FullyShardedDataParallel`, the same as a wrapper,
  with its `clip_grad_norm_` over all ranks.
- `state_dicts.py`: state dicts of shards, and of unsharded parameters.
"""

from .fully_shard import FSDPModule, fully_shard
from .fully_sharded_data_parallel import (
    FullyShardedDataParallel,
    ShardingStrategy,
    StateDictType,
)
from .policies import (
    BackwardPrefetch,
    CPUOffload,
    CPUOffloadPolicy,
    MixedPrecision,
    MixedPrecisionPolicy,
    OffloadPolicy,
)

__all__ = [
    "BackwardPrefetch", "CPUOffload", "CPUOffloadPolicy", "FSDPModule",
    "FullyShardedDataParallel", "MixedPrecision", "MixedPrecisionPolicy",
    "OffloadPolicy", "ShardingStrategy", "StateDictType", "fully_shard",
]  # fmt: skip
