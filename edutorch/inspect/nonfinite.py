"""Where the first NaN or infinity came from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .sources import called_at
from .steps import INPUTS, NAME, OUTPUTS

__all__ = ["first_nonfinite"]

SRC, SHAPE = 15, 17


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
        if record[0] == "op":
            for ident in record[OUTPUTS]:
                ops[ident] = record
        elif record[0] == "stat" and record[6] == "value":
            stats[record[7]] = record
            op = ops.get(record[7])
            if record[14] and op is not None:
                return _report(op, record, stats)
    return None


def _report(
    op: tuple[Any, ...], stat: tuple[Any, ...], stats: dict[int, tuple[Any, ...]]
) -> dict[str, Any]:
    known = [stats[i] for i in op[INPUTS] if i in stats]
    return {
        "name": op[NAME],
        "shape": list(op[SHAPE]),
        "src": called_at(op[SRC]),
        "nonfinite": stat[14],
        "operands": [{"min": s[8], "max": s[9]} for s in known],
    }
