"""Memory of tensors on a GPU, and memory reserved by its caching allocator."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from typing import Any

from .measures import list_gpu_processes
from .setup import _index, allocator_of, device_count, is_available, is_simulated
from .summary import memory_table

__all__ = [
    "CUDAPluggableAllocator", "device_memory_used", "empty_cache",
    "get_allocator_backend", "get_per_process_memory_fraction", "host_memory_stats",
    "host_memory_stats_as_nested_dict", "ipc_collect", "list_gpu_processes",
    "max_memory_allocated", "max_memory_cached", "max_memory_reserved",
    "mem_get_info", "memory_allocated", "memory_cached", "memory_reserved",
    "memory_snapshot", "memory_stats", "memory_stats_as_nested_dict",
    "memory_summary", "reset_accumulated_host_memory_stats",
    "reset_accumulated_memory_stats", "reset_max_memory_allocated",
    "reset_max_memory_cached", "reset_peak_host_memory_stats",
    "reset_peak_memory_stats", "set_per_process_memory_fraction",
]  # fmt: skip


def _settled_allocator(device: Any) -> Any:
    found = allocator_of(device)
    found.update_statistics()
    return found


def _bytes(device: Any, name: str) -> int:
    """A number of the books; 0 if there is no GPU."""
    return int(getattr(_settled_allocator(device), name)) if is_available() else 0


def memory_allocated(device: Any = None) -> int:
    """Bytes that tensors hold on a GPU, rounded as its allocator rounds.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     x = torch.ones(1, device="cuda")
        ...     torch.cuda.memory_allocated()
        512
    """
    return _bytes(device, "allocated")


def memory_reserved(device: Any = None) -> int:
    """Bytes that the caching allocator keeps, in use or not.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     x = torch.ones(1, device="cuda")
        ...     torch.cuda.memory_reserved()
        2097152
    """
    return _bytes(device, "reserved")


def max_memory_allocated(device: Any = None) -> int:
    """The most that tensors have held since the last reset.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     x = torch.ones(1, device="cuda")
        ...     del x
        ...     torch.cuda.max_memory_allocated()
        512
    """
    return _bytes(device, "peak_allocated")


def max_memory_reserved(device: Any = None) -> int:
    """The most that was reserved since the last reset.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.max_memory_reserved()
        0
    """
    return _bytes(device, "peak_reserved")


def memory_cached(device: Any = None) -> int:
    """The old name of `memory_reserved`.

    Example:
        >>> import warnings, edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"), torch.cuda.simulate():
        ...     torch.cuda.memory_cached()
        0
    """
    _deprecated_alias("memory_cached", "memory_reserved")
    return memory_reserved(device)


def max_memory_cached(device: Any = None) -> int:
    """The old name of `max_memory_reserved`.

    Example:
        >>> import warnings, edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"), torch.cuda.simulate():
        ...     torch.cuda.max_memory_cached()
        0
    """
    _deprecated_alias("max_memory_cached", "max_memory_reserved")
    return max_memory_reserved(device)


def _deprecated_alias(old: str, new: str) -> None:
    warnings.warn(
        f"`torch.cuda.{old}` has been renamed to `torch.cuda.{new}`",
        FutureWarning,
        stacklevel=3,
    )


def reset_peak_memory_stats(device: Any = None) -> None:
    """Reset the peaks to the current values.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.reset_peak_memory_stats()
    """
    allocator_of(device).reset_peaks()


def reset_max_memory_allocated(device: Any = None) -> None:
    """The old name of `reset_peak_memory_stats`.

    Example:
        >>> import warnings, edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"), torch.cuda.simulate():
        ...     torch.cuda.reset_max_memory_allocated()
    """
    _resets("reset_max_memory_allocated", device)


def reset_max_memory_cached(device: Any = None) -> None:
    """The old name of `reset_peak_memory_stats`.

    Example:
        >>> import warnings, edutorch as torch
        >>> with warnings.catch_warnings(action="ignore"), torch.cuda.simulate():
        ...     torch.cuda.reset_max_memory_cached()
    """
    _resets("reset_max_memory_cached", device)


def _resets(name: str, device: Any) -> None:
    warnings.warn(
        f"torch.cuda.{name} now calls torch.cuda.reset_peak_memory_stats, which resets "
        "/all/ peak memory stats.",
        FutureWarning,
        stacklevel=3,
    )
    reset_peak_memory_stats(device)


def reset_accumulated_memory_stats(device: Any = None) -> None:
    """Reset the counts of allocations, frees, retries and failures.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.reset_accumulated_memory_stats()
    """
    _settled_allocator(device).counters.reset_totals()


def empty_cache() -> None:
    """Give reserved memory that no tensor uses back to the GPUs.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     x = torch.ones(1, device="cuda")
        ...     del x
        ...     torch.cuda.empty_cache()
        ...     torch.cuda.memory_reserved()
        0
    """
    for index in range(device_count()):
        allocator_of(index).empty_cache()


def set_per_process_memory_fraction(fraction: float, device: Any = None) -> None:
    """Let this program reserve no more than a part of a GPU's memory.

    Raises:
        TypeError: if the part is not a float.
        ValueError: if it is not between 0 and 1.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.set_per_process_memory_fraction(0.5)
        ...     torch.cuda.get_per_process_memory_fraction()
        0.5
    """
    found = allocator_of(device)
    if not isinstance(fraction, float):
        raise TypeError("Invalid type for fraction argument, must be `float`")
    if fraction < 0 or fraction > 1:
        raise ValueError(f"Invalid fraction value: {fraction}. Allowed range: 0~1")
    found.limit = int(found.capacity * fraction)


def get_per_process_memory_fraction(device: Any = None) -> float:
    """The part of a GPU's memory that this program may reserve.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.get_per_process_memory_fraction()
        1.0
    """
    found = allocator_of(device)
    return float(found.limit / found.capacity)


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Free and total bytes of a GPU; what this program has not reserved is free.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(memory="1MB"):
        ...     torch.cuda.mem_get_info()
        (1048576, 1048576)
    """
    found = _settled_allocator(device)
    return found.capacity - found.reserved, found.capacity


def device_memory_used(device: Any = None) -> int:
    """Bytes of a GPU that this program has reserved; those of others are unknown.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.device_memory_used()
        0
    """
    free, total = mem_get_info(device)
    return total - free


def memory_stats(device: Any = None) -> dict[str, Any]:
    """The allocator's counters, under PyTorch's names; none if there is no GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.memory_stats()["num_ooms"]
        0
    """
    return OrderedDict(sorted(_flat("", memory_stats_as_nested_dict(device))))


def _flat(prefix: str, stats: dict[str, Any]) -> list[tuple[str, Any]]:
    """Nested counters as pairs of a dotted name and a number."""
    found = []
    for name, value in stats.items():
        nested = isinstance(value, dict)
        found += (
            _flat(f"{prefix}{name}.", value) if nested else [(prefix + name, value)]
        )
    return found


def memory_stats_as_nested_dict(device: Any = None) -> dict[str, Any]:
    """The allocator's counters, by measure, pool and kind.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.memory_stats_as_nested_dict()["segment"]["all"]["peak"]
        0
    """
    found: dict[str, Any] = (
        _settled_allocator(device).counters.stats() if is_available() else {}
    )
    return found


def memory_snapshot(mempool_id: Any = None) -> list[dict[str, Any]]:
    """The segments of all GPUs and the blocks in them, by address.

    Memory whose free blocks lie between blocks in use is fragmented: it is reserved,
    but no large tensor fits into it. Real GPUs' segments are CuPy's own affair, and
    are not listed. Addresses of simulated GPUs are simulated, too.

    Args:
        mempool_id: accepted; there is one pool.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(devices=1):
        ...     x = torch.ones(200, device="cuda")
        ...     segment, = torch.cuda.memory_snapshot()
        >>> segment["total_size"], segment["segment_type"]
        (2097152, 'small')
        >>> [(block["size"], block["state"]) for block in segment["blocks"]]
        [(1024, 'active_allocated'), (2096128, 'inactive')]
    """
    found: list[dict[str, Any]] = []
    for index in range(device_count()):
        found += getattr(allocator_of(index), "snapshot", list)()
    return found


def _snapshot(device: Any = None, augment_with_fx_traces: bool = False) -> Any:
    """PyTorch's whole snapshot: segments, and no trace of how they came to be."""
    return {
        "segments": memory_snapshot(),
        "device_traces": [[] for _ in range(device_count())],
        "allocator_settings": {},
        "external_annotations": [],
    }


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """The memory statistics of a GPU as a table; says if it is simulated.

    Args:
        abbreviated: leave out the rows of small and large blocks.

    Raises:
        KeyError: if there is no GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     print(torch.cuda.memory_summary().splitlines()[1].strip("| "))
        edutorch CUDA memory summary, device ID 0 (simulated)
    """
    index = _index(device)
    stats = memory_stats(index)
    if not stats:
        raise KeyError("allocated_bytes.all.current")
    label = " (simulated)" if is_simulated() else ""
    return memory_table(stats, f"{index}{label}", abbreviated)


def reset_peak_host_memory_stats() -> None:
    """Do nothing: page-locked memory is not counted.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.reset_peak_host_memory_stats()
    """


def reset_accumulated_host_memory_stats() -> None:
    """Do nothing: page-locked memory is not counted.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.reset_accumulated_host_memory_stats()
    """


def host_memory_stats() -> dict[str, Any]:
    """The counters of page-locked memory: none, since it is not counted.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.host_memory_stats()
        OrderedDict()
    """
    return OrderedDict()


def host_memory_stats_as_nested_dict() -> dict[str, Any]:
    """The counters of page-locked memory: none, since it is not counted.

    Example:
        >>> import edutorch as torch
        >>> torch.cuda.host_memory_stats_as_nested_dict()
        {}
    """
    return {}


def get_allocator_backend() -> str:
    """The kind of allocator that serves GPUs.

    Raises:
        AssertionError: if there is no GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.get_allocator_backend()
        'native'
    """
    allocator_of(None)
    return "native"


def ipc_collect() -> None:
    """Give back memory that other processes have finished with: there is none.

    Raises:
        AssertionError: if there is no GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.ipc_collect()
    """
    allocator_of(None)


class CUDAPluggableAllocator:
    """An allocator from a library of the user's.

    Raises:
        RuntimeError: always: the allocator of a GPU cannot be exchanged.

    Example:
        >>> import edutorch as torch
        >>> try:
        ...     torch.cuda.CUDAPluggableAllocator("own.so", "take", "free")
        ... except RuntimeError as error:
        ...     print(error)
        edutorch has no pluggable allocators
    """

    def __init__(
        self, path_to_so_file: str, alloc_fn_name: str, free_fn_name: str
    ) -> None:
        raise RuntimeError("edutorch has no pluggable allocators")
