"""Memory statistics of a GPU as a table, in PyTorch's layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["memory_table"]

WIDTH = 75
TITLES = {
    "allocated_bytes": "Allocated memory",
    "active_bytes": "Active memory",
    "requested_bytes": "Requested memory",
    "reserved_bytes": "GPU reserved memory",
    "inactive_split_bytes": "Non-releasable memory",
    "allocation": "Allocations",
    "active": "Active allocs",
    "segment": "GPU reserved segments",
    "inactive_split": "Non-releasable allocs",
}
OVERSIZE = {
    "oversize_allocations": "Oversize allocations",
    "oversize_segments": "Oversize GPU segments",
}
COLUMNS = ("current", "peak", "allocated", "freed")


def memory_table(stats: dict[str, Any], device: str, abbreviated: bool) -> str:
    """The statistics as a table.

    Args:
        stats: those of `memory_stats`.
        device: the GPU in the title.
        abbreviated: leave out the rows of small and large blocks.
    """
    ooms, retries = stats["num_ooms"], stats["num_alloc_retries"]
    lines = [
        "=" * WIDTH,
        f"{f'edutorch CUDA memory summary, device ID {device}':^{WIDTH}}",
        "-" * WIDTH,
        f"{'':12}CUDA OOMs: {ooms:<12d} | {'':7}cudaMalloc retries: {retries:<8d}  ",
        "=" * WIDTH,
        "        Metric         | Cur Usage  | Peak Usage | Tot Alloc  | Tot Freed  ",
    ]
    pools = {"all": ""}
    if not abbreviated:
        pools |= {"large_pool": "large pool", "small_pool": "small pool"}
    for measure, title in TITLES.items():
        lines += ["-" * WIDTH, *_rows(stats, measure, title, pools)]
    for measure, title in OVERSIZE.items():
        values = [stats[f"{measure}.{column}"] for column in COLUMNS]
        lines += ["-" * WIDTH, _row(title, values, values, _count)]
    lines.append("=" * WIDTH)
    return "".join(f"|{line}|\n" for line in lines)


def _rows(
    stats: dict[str, Any], measure: str, title: str, pools: dict[str, str]
) -> list[str]:
    """A measure's row, and one for each pool in the same units."""
    write = _size if measure.endswith("bytes") else _count
    rows, totals = [], [stats[f"{measure}.all.{column}"] for column in COLUMNS]
    for pool, name in pools.items():
        values = [stats[f"{measure}.{pool}.{column}"] for column in COLUMNS]
        head = f"      from {name}" if name else title
        rows.append(_row(head, values, totals, write))
    return rows


def _row(
    title: str, values: list[int], totals: list[int], write: Callable[[int, int], str]
) -> str:
    cells = " | ".join(write(v, w) for v, w in zip(values, totals, strict=True))
    return f" {title:<21} | {cells} "


def _size(nbytes: int, like: float) -> str:
    """Bytes in the unit that suits another number."""
    unit, *larger = ("B  ", "KiB", "MiB", "GiB", "TiB", "PiB")
    while larger and like >= 768 * 1024:
        unit, *larger = larger
        nbytes, like = nbytes // 1024, like / 1024
    return f"{nbytes:6d} {unit}"


def _count(number: int, like: float) -> str:
    """A number in the unit that suits another one."""
    unit, *larger = (" ", "K", "M")
    while larger and like >= 750 * 1000:
        unit, *larger = larger
        number, like = number // 1000, like / 1000
    return f"{number:7d} {unit} "
