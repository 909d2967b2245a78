"""Ways to average gradients, for `DistributedDataParallel.register_comm_hook`.

- `default_hooks.py`: as they are, or in 16 bits.
"""

from . import default_hooks

__all__ = ["default_hooks"]
