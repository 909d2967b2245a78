"""Tables of a profile, formatted like PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["build_table", "format_memory", "format_time", "format_time_share"]

WIDTH = 12  # of a column of numbers
SPACE = "  "
UNITS = {"us": 1.0, "ms": 1e3, "s": 1e6}


def format_time(us: float, unit: str | None = None) -> str:
    """Microseconds in a unit that suits them, or in a given one.

    Example:
        >>> format_time(1234.5), format_time(2.0)
        ('1.234ms', '2.000us')
    """
    if unit is None:
        unit = "s" if us >= 1e6 else "ms" if us >= 1e3 else "us"
    return f"{us / UNITS[unit]:.3f}{unit}"


def format_time_share(us: float, total: float) -> str:
    """A share of the whole time in percent.

    Example:
        >>> format_time_share(1, 3)
        '33.33%'
    """
    return f"{us * 100 / total:.2f}%" if total else "NaN"


def format_memory(nbytes: int) -> str:
    """Bytes in a unit that suits them.

    Example:
        >>> format_memory(2048), format_memory(100)
        ('2.00 KB', '100 B')
    """
    for unit, size in (("GB", 2**30), ("MB", 2**20), ("KB", 2**10)):
        if abs(nbytes) >= size:
            return f"{nbytes / size:.2f} {unit}"
    return f"{nbytes} B"


def build_table(
    events: Any, sort_by: str | None, header: str | None, row_limit: int,
    widths: tuple[int, int, int], memory: bool, top_only: bool, unit: str | None,
) -> str:  # fmt: skip
    """Rows of events between lines, and the whole time below."""
    if not len(events):
        return ""
    total = sum(event.self_cpu_time_total for event in events)
    columns = _columns(events, widths, memory, total, unit)
    rows = [e for e in events if not (top_only and e.cpu_parent is not None)]
    if sort_by is not None:
        name = sort_by.replace("cuda", "device")
        rows.sort(key=lambda e: getattr(e, name), reverse=True)
    rows = rows[: row_limit if row_limit >= 0 else None]
    line = SPACE.join("-" * width for _, width, _ in columns) + SPACE
    text = []
    if header is not None:
        text += ["=" * (len(line) - len(SPACE)), header]
    if top_only:
        text += [
            "=" * (len(line) - len(SPACE)),
            "This report only display top-level ops statistics",
        ]
    text += [line, _row([title for title, _, _ in columns], columns), line]
    text += [_row([cell(event) for _, _, cell in columns], columns) for event in rows]
    text += [line, f"Self CPU time total: {format_time(total, unit)}", ""]
    return "\n".join(text)


Column = tuple[str, int, Callable[[Any], str]]


def _row(cells: list[str], columns: list[Column]) -> str:
    pairs = zip(cells, columns, strict=True)
    return "".join(f"{cell:>{width}}{SPACE}" for cell, (_, width, _) in pairs)


def _columns(
    events: Any, widths: tuple[int, int, int], memory: bool, total: float,
    unit: str | None,
) -> list[Column]:  # fmt: skip
    """Titles, widths and contents of the columns that the events have."""
    name_width, shapes_width, source_width = widths

    def time(name: str) -> Callable[[Any], str]:
        return lambda e: format_time(getattr(e, name), unit)

    def share(name: str) -> Callable[[Any], str]:
        return lambda e: format_time_share(getattr(e, name), total)

    longest = min(max(len(e.key) for e in events) + 4, name_width)
    columns: list[Column] = [
        ("Name", longest, lambda e: _cut(e.key, name_width)),
        ("Self CPU %", WIDTH, share("self_cpu_time_total")),
        ("Self CPU", WIDTH, time("self_cpu_time_total")),
        ("CPU total %", WIDTH, share("cpu_time_total")),
        ("CPU total", WIDTH, time("cpu_time_total")),
        ("CPU time avg", WIDTH, time("cpu_time")),
    ]
    if memory:
        columns += [
            ("CPU Mem", WIDTH, lambda e: format_memory(e.cpu_memory_usage)),
            ("Self CPU Mem", WIDTH, lambda e: format_memory(e.self_cpu_memory_usage)),
        ]
    columns.append(("# of Calls", WIDTH, lambda e: str(e.count)))
    shapes = [str(e.input_shapes) for e in events if e.input_shapes]
    if shapes:
        width = min(max(map(len, shapes)) + 4, shapes_width)
        columns.append(
            ("Input Shapes", width, lambda e: str(e.input_shapes)[:shapes_width])
        )
    if any(e.stack for e in events):
        lines = [str(s) for e in events for s in e.stack or ()]
        width = min(max(map(len, lines)) + 4, source_width)
        columns.append(
            ("Source Location", width, lambda e: _cut((e.stack or [""])[0], width))
        )
    return columns


def _cut(text: str, width: int) -> str:
    """A text that is no wider than a column."""
    return text if len(text) < width - 3 else f"{text[: width - 3]}..."
