"""Python's `multiprocessing`, for tensors in shared memory.

Tensors shared by `share_memory_`, of the CPU or of a simulated GPU, refer to the same
memory in all processes, however these are started; other tensors are sent by value.

- `spawn.py`: `spawn` and `start_processes`. `sharing.py`: sending tensors.
"""

import multiprocessing
from multiprocessing import *

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
