"""GPUs: real ones through CuPy, simulated ones for those without.

`simulate` switches simulated GPUs on; so does the environment variable
`EDUTORCH_SIMULATE=2x512MB`. Everything shown from them says *simulated*.
"""

from ..errors import OutOfMemoryError
from . import amp
from .memory import (
    empty_cache,
    max_memory_allocated,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_reserved,
    memory_stats,
    memory_summary,
    reset_max_memory_allocated,
    reset_peak_memory_stats,
)
from .random import (
    get_rng_state,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    set_rng_state,
)
from .setup import (
    current_device,
    device,
    device_count,
    get_device_name,
    get_device_properties,
    is_available,
    is_simulated,
    set_device,
    simulate,
    synchronize,
)
from .stream import Event, Stream, current_stream, default_stream, stream

__all__ = [
    "Event", "OutOfMemoryError", "Stream", "amp", "current_device", "current_stream",
    "default_stream", "device", "device_count", "empty_cache", "get_device_name",
    "get_device_properties", "get_rng_state", "initial_seed", "is_available",
    "is_simulated", "manual_seed",
    "manual_seed_all", "max_memory_allocated", "max_memory_reserved", "mem_get_info",
    "memory_allocated", "memory_reserved", "memory_stats", "memory_summary",
    "reset_max_memory_allocated", "reset_peak_memory_stats", "seed", "set_device",
    "set_rng_state", "simulate",
    "stream", "synchronize",
]  # fmt: skip
