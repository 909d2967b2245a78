"""Algorithms for `DistributedDataParallel`.

- `join.py`: `Join`, for ranks with different numbers of inputs.
- `grad_bucket.py`: `GradBucket`, the argument of a communication hook, and the step
  counter of the hooks' states.
- `ddp_comm_hooks/`: communication hooks.
- `model_averaging/`: averages of models, in place of gradients.
"""

from . import ddp_comm_hooks, join, model_averaging
from .join import Join, Joinable, JoinHook

__all__ = [
    "Join", "JoinHook", "Joinable", "ddp_comm_hooks", "join", "model_averaging",
]  # fmt: skip
