"""What is built from collectives.

- `join.py`: processes with different numbers of inputs.
- `grad_bucket.py`: the gradients that `DistributedDataParallel` sends together.
- `ddp_comm_hooks/`: other ways to send them.
"""

from . import ddp_comm_hooks, join
from .join import Join, Joinable, JoinHook

__all__ = ["Join", "JoinHook", "Joinable", "ddp_comm_hooks", "join"]
