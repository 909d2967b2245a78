"""Python's `multiprocessing`, for tensors: memory that is shared stays shared.

Tensors in memory shared by `share_memory_` are the same memory in other processes,
however these are started; the values of others are sent.

- `spawn.py`: `spawn` and `start_processes`. `sharing.py`: sending tensors.
"""

import multiprocessing
from multiprocessing import *  # noqa: F403

from .sharing import (
    get_all_sharing_strategies,
    get_sharing_strategy,
    set_sharing_strategy,
)
from .spawn import (
    ProcessContext,
    ProcessException,
    ProcessExitedException,
    ProcessRaisedException,
    spawn,
    start_processes,
)

__all__ = [
    *multiprocessing.__all__, "ProcessContext", "ProcessException",
    "ProcessExitedException", "ProcessRaisedException", "get_all_sharing_strategies",
    "get_sharing_strategy", "set_sharing_strategy", "spawn", "start_processes",
]  # fmt: skip
