"""The origin of the first NaN or infinity in a recording."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .event_fields import (
    KIND,
    OP_INPUTS,
    OP_NAME,
    OP_OUTPUTS,
    OP_SHAPE,
    OP_SRC,
    STAT_BAD,
    STAT_IDENT,
    STAT_MAX,
    STAT_MIN,
    STAT_WHAT,
)
from .source_lines import called_at

__all__ = ["first_nonfinite"]


def first_nonfinite(records: Iterable[tuple[Any, ...]]) -> dict[str, Any] | None:
    """The op that first made a NaN or infinity out of finite values.

    Needs records of level 2. Values are judged by samples of 4096 elements,
    so a single NaN in a large tensor may be noticed some ops later.

    Returns:
        The op's `name`, `shape`, `src`, the number of non-finite elements in
        the sample, and the smallest and largest value of each operand.

    Example:
        >>> first_nonfinite([]) is None
        True
    """
    ops: dict[int, tuple[Any, ...]] = {}
    stats: dict[int, tuple[Any, ...]] = {}
    for record in records:
        if record[KIND] == "op":
            for ident in record[OP_OUTPUTS]:
                ops[ident] = record
        elif record[KIND] == "stat" and record[STAT_WHAT] == "value":
            stats[record[STAT_IDENT]] = record
            op = ops.get(record[STAT_IDENT])
            if record[STAT_BAD] and op is not None:
                return _report(op, record, stats)
    return None


def _report(
    op: tuple[Any, ...], stat: tuple[Any, ...], stats: dict[int, tuple[Any, ...]]
) -> dict[str, Any]:
    known = [stats[i] for i in op[OP_INPUTS] if i in stats]
    return {
        "name": op[OP_NAME],
        "shape": list(op[OP_SHAPE]),
        "src": called_at(op[OP_SRC]),
        "nonfinite": stat[STAT_BAD],
        "operands": [{"min": s[STAT_MIN], "max": s[STAT_MAX]} for s in known],
    }
