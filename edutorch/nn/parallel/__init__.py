"""Modules on several devices and in several processes.

- `distributed.py`: `DistributedDataParallel`, one replica in each process.
- `reducer.py`: averages gradients over the processes while backward runs.
  `buckets.py`: which gradients travel together.
- `ddp_join.py`: what a process without inputs does for the others.
"""

from __future__ import annotations

from ..modules.parallel import DataParallel
from .distributed import DistributedDataParallel

__all__ = ["DataParallel", "DistributedDataParallel"]
