"""What tensors hold on a GPU, and what its caching allocator has reserved."""

from __future__ import annotations

from typing import Any

from .setup import _index, books, is_simulated

__all__ = [
    "empty_cache", "max_memory_allocated", "max_memory_reserved", "mem_get_info",
    "memory_allocated", "memory_reserved", "memory_stats", "memory_summary",
    "reset_max_memory_allocated", "reset_peak_memory_stats",
]  # fmt: skip


def _settled(device: Any) -> Any:
    found = books(device)
    found.settle()
    return found


def memory_allocated(device: Any = None) -> int:
    """Bytes that tensors hold on a GPU, rounded as its allocator rounds.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     x = torch.ones(1, device="cuda")
        ...     torch.cuda.memory_allocated()
        512
    """
    return int(_settled(device).allocated)


def memory_reserved(device: Any = None) -> int:
    """Bytes that the caching allocator keeps, in use or not.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     x = torch.ones(1, device="cuda")
        ...     torch.cuda.memory_reserved()
        2097152
    """
    return int(_settled(device).reserved)


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
    return int(_settled(device).peak_allocated)


def max_memory_reserved(device: Any = None) -> int:
    """The most that was reserved since the last reset.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.max_memory_reserved()
        0
    """
    return int(_settled(device).peak_reserved)


def reset_peak_memory_stats(device: Any = None) -> None:
    """Start new peaks from what is in use now.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.reset_peak_memory_stats()
    """
    books(device).reset_peaks()


reset_max_memory_allocated = reset_peak_memory_stats


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
    books(None).empty_cache()


def mem_get_info(device: Any = None) -> tuple[int, int]:
    """Free and total bytes of a GPU.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate(memory="1MB"):
        ...     torch.cuda.mem_get_info()
        (1048576, 1048576)
    """
    found = _settled(device)
    return found.capacity - found.reserved, found.capacity


def memory_stats(device: Any = None) -> dict[str, int]:
    """The allocator's counters, under PyTorch's names.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     torch.cuda.memory_stats()["num_ooms"]
        0
    """
    found = _settled(device)
    return {
        "allocated_bytes.all.current": found.allocated,
        "allocated_bytes.all.peak": found.peak_allocated,
        "allocated_bytes.all.allocated": found.total_allocated,
        "allocated_bytes.all.freed": found.total_freed,
        "reserved_bytes.all.current": found.reserved,
        "reserved_bytes.all.peak": found.peak_reserved,
        "requested_bytes.all.current": found.requested,
        "allocation.all.allocated": found.allocations,
        "allocation.all.freed": found.frees,
        "allocation.all.current": found.allocations - found.frees,
        "num_alloc_retries": found.retries,
        "num_ooms": found.failures,
    }


def memory_summary(device: Any = None, abbreviated: bool = False) -> str:
    """The books of a GPU as a table; says when it is simulated.

    Example:
        >>> import edutorch as torch
        >>> with torch.cuda.simulate():
        ...     print(torch.cuda.memory_summary().splitlines()[1].strip("| "))
        edutorch CUDA memory summary, device 0 (simulated)
    """
    found, index = _settled(device), _index(device)
    label = " (simulated)" if is_simulated() else ""
    rows = [
        ("Allocated memory", found.allocated, found.peak_allocated,
         found.total_allocated, found.total_freed),
        ("GPU reserved memory", found.reserved, found.peak_reserved, None, None),
    ]  # fmt: skip
    rule = "|" + "=" * 75 + "|"
    title = f"edutorch CUDA memory summary, device {index}{label}"
    ooms = f"CUDA OOMs: {found.failures}"
    retries = f"cudaMalloc retries: {found.retries}"
    lines = [rule, f"|{title:^75}|", f"|{ooms:^37}|{retries:^37}|", rule]
    cells = ("Metric", "Cur Usage", "Peak Usage", "Tot Alloc", "Tot Freed")
    lines.append(_row(cells))
    lines.append(rule)
    for name, *values in rows:
        lines.append(_row((name, *(_size(v) for v in values))))
    return "\n".join([*lines, rule])


def _row(cells: tuple[str, ...]) -> str:
    first, *rest = cells
    return f"| {first:<22}" + "".join(f"| {cell:>11}" for cell in rest) + "|"


def _size(nbytes: int | None) -> str:
    if nbytes is None:
        return "-"
    for unit, scale in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if nbytes >= 10 * scale:
            return f"{nbytes // scale} {unit}"
    return f"{nbytes} B"
