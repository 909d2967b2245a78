"""Modules on several devices and in several processes.

In one process, in reading order:

- `data_parallel.py`: `DataParallel`, which splits a batch over replicas.
- `scatter_gather.py`: distributes nested inputs, and collects nested outputs.
- `replicate.py`: replicas of a module. `parallel_apply.py`: runs each in a thread.
- `autograd_functions.py`: copies between devices, with gradients.
- `comm.py`: the copies themselves: broadcast, reduce_add, scatter, gather ...

In several processes:

- `distributed.py`: `DistributedDataParallel`, one replica in each process.
- `reducer.py`: averages gradients over the processes while backward runs.
  `buckets.py`: groups gradients for each all-reduce.
- `ddp_join.py`: a rank without inputs takes part in the collectives of the others.
"""

from __future__ import annotations

from . import comm
from .data_parallel import DataParallel, data_parallel
from .distributed import DistributedDataParallel
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter, scatter_kwargs

__all__ = [
    "DataParallel", "DistributedDataParallel", "comm", "data_parallel", "gather",
    "parallel_apply", "replicate", "scatter", "scatter_kwargs",
]  # fmt: skip
