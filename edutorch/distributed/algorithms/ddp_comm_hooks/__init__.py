"""Ways to average gradients, for `DistributedDataParallel.register_comm_hook`.

- `default_hooks.py`: as they are, or in 16 bits.
- `powerSGD_hook.py`: as products of two thin matrices.
- `post_localSGD_hook.py`: over all ranks first, later over a few.
"""

from . import default_hooks, post_localSGD_hook, powerSGD_hook

__all__ = ["default_hooks", "post_localSGD_hook", "powerSGD_hook"]
