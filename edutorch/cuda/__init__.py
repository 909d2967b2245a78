"""GPUs: real ones through CuPy, or simulated ones.

`simulate`, or the environment variable `EDUTORCH_SIMULATE=2x512MB`, enables simulated
GPUs; everything displayed about them is marked as simulated. `edutorch/backends/`
implements the GPUs, simulated and real, and the allocator with its memory limit.

- `setup.py`: available GPUs, the current one, `simulate`, whether GPUs are simulated.
- `memory.py`: bytes in use, statistics; `summary.py`: a table of them.
- `streams.py`: the public streams and events of `edutorch/backends/streams.py`.
  `timeline.py`: simulated time.
- `nvtx.py`: names for parts of a program.
- `random.py`: each GPU's generator.
- `graphs.py`, `measures.py`: functions that need NVIDIA's libraries, and PyTorch's
  errors without them.
- `comm.py`: copies between GPUs. `amp.py`, `legacy.py`: old names.
"""

from __future__ import annotations

from typing import Any

from ..errors import AcceleratorError, OutOfMemoryError
from . import amp, comm, graphs, memory, nvtx, random, streams
from .graphs import (
    CUDAGraph,
    graph,
    graph_pool_handle,
    is_current_stream_capturing,
    make_graphed_callables,
)
from .legacy import (
    BFloat16Tensor,
    BoolTensor,
    ByteTensor,
    CharTensor,
    DoubleTensor,
    FloatTensor,
    HalfTensor,
    IntTensor,
    LongTensor,
    ShortTensor,
)
from .measures import (
    clock_rate,
    list_gpu_processes,
    memory_usage,
    power_draw,
    temperature,
    utilization,
)
from .memory import (
    CUDAPluggableAllocator,
    device_memory_used,
    empty_cache,
    get_allocator_backend,
    get_per_process_memory_fraction,
    host_memory_stats,
    host_memory_stats_as_nested_dict,
    ipc_collect,
    max_memory_allocated,
    max_memory_cached,
    max_memory_reserved,
    mem_get_info,
    memory_allocated,
    memory_cached,
    memory_reserved,
    memory_snapshot,
    memory_stats,
    memory_stats_as_nested_dict,
    memory_summary,
    reset_accumulated_host_memory_stats,
    reset_accumulated_memory_stats,
    reset_max_memory_allocated,
    reset_max_memory_cached,
    reset_peak_host_memory_stats,
    reset_peak_memory_stats,
    set_per_process_memory_fraction,
)
from .random import (
    get_rng_state,
    get_rng_state_all,
    initial_seed,
    manual_seed,
    manual_seed_all,
    seed,
    seed_all,
    set_rng_state,
    set_rng_state_all,
)
from .setup import (
    CudaError,
    can_device_access_peer,
    cudaStatus,
    current_device,
    device,
    device_count,
    device_of,
    get_arch_list,
    get_device_capability,
    get_device_name,
    get_device_properties,
    get_sync_debug_mode,
    init,
    is_available,
    is_bf16_supported,
    is_initialized,
    is_simulated,
    set_device,
    set_sync_debug_mode,
    simulate,
    synchronize,
)
from .streams import (
    Event,
    ExternalStream,
    Stream,
    StreamContext,
    current_stream,
    default_stream,
    get_stream_from_external,
    set_stream,
    stream,
)
from .timeline import simulated_time, timeline

__all__ = [
    "AcceleratorError", "BFloat16Tensor", "BoolTensor", "ByteTensor", "CUDAGraph",
    "CUDAPluggableAllocator", "CharTensor", "CudaError", "DoubleTensor", "Event",
    "ExternalStream", "FloatTensor", "HalfTensor", "IntTensor", "LongTensor",
    "OutOfMemoryError", "ShortTensor", "Stream", "StreamContext", "amp",
    "can_device_access_peer", "clock_rate", "comm", "cudaStatus", "current_device",
    "current_stream", "default_stream", "device", "device_count",
    "device_memory_used", "device_of", "empty_cache", "get_allocator_backend",
    "get_arch_list", "get_device_capability", "get_device_name",
    "get_device_properties", "get_per_process_memory_fraction", "get_rng_state",
    "get_rng_state_all", "get_stream_from_external", "get_sync_debug_mode", "graph",
    "graph_pool_handle", "graphs", "has_half", "has_magma", "host_memory_stats",
    "host_memory_stats_as_nested_dict", "init", "initial_seed", "ipc_collect",
    "is_available", "is_bf16_supported", "is_current_stream_capturing",
    "is_initialized", "is_simulated", "list_gpu_processes", "make_graphed_callables",
    "manual_seed", "manual_seed_all", "max_memory_allocated", "max_memory_cached",
    "max_memory_reserved", "mem_get_info", "memory", "memory_allocated",
    "memory_cached", "memory_reserved", "memory_snapshot", "memory_stats",
    "memory_stats_as_nested_dict", "memory_summary", "memory_usage", "nvtx",
    "power_draw", "random",
    "reset_accumulated_host_memory_stats", "reset_accumulated_memory_stats",
    "reset_max_memory_allocated", "reset_max_memory_cached",
    "reset_peak_host_memory_stats", "reset_peak_memory_stats", "seed", "seed_all",
    "set_device", "set_per_process_memory_fraction", "set_rng_state",
    "set_rng_state_all", "set_stream", "set_sync_debug_mode", "simulate",
    "simulated_time", "stream", "streams", "synchronize", "temperature", "timeline",
    "utilization",
]  # fmt: skip

has_half = True
has_magma = False


def __getattr__(name: str) -> Any:
    """The generators of the GPUs that there are now."""
    if name == "default_generators":
        return random.default_generators
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
