"""Modules on several devices of one process.

In reading order:

- `data_parallel.py`: `DataParallel`, which sends parts of a batch through replicas.
- `scatter_gather.py`: nested inputs to the devices, nested outputs back.
- `replicate.py`: a module's replicas. `parallel_apply.py`: a thread for each of them.
- `transfers.py`: the copies between devices as nodes of the graph.
- `comm.py`: the copies themselves.
"""

from __future__ import annotations

from . import comm
from .data_parallel import DataParallel, data_parallel
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter, scatter_kwargs

__all__ = [
    "DataParallel", "comm", "data_parallel", "gather", "parallel_apply", "replicate",
    "scatter", "scatter_kwargs",
]  # fmt: skip
