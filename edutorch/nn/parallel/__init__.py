"""Modules on several devices and in several processes.

In one process, in reading order:

- `data_parallel.py`: `DataParallel`, which sends parts of a batch through replicas.
- `scatter_gather.py`: nested inputs to the devices, nested outputs back.
- `replicate.py`: a module's replicas. `parallel_apply.py`: a thread for each of them.
- `transfers.py`: the copies between devices as nodes of the graph.
- `comm.py`: the copies themselves.

In several processes:

- `distributed.py`: `DistributedDataParallel`, one replica in each process.
- `reducer.py`: averages gradients over the processes while backward runs.
  `buckets.py`: which gradients travel together.
- `ddp_join.py`: what a process without inputs does for the others.
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
