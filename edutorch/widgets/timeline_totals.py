"""Totals of a timeline by operation, module and line, without double counting.

The same as in `widgets/src/timeline_totals.ts`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .format import short_file

__all__ = ["MODES", "Total", "totals"]

STEP, MODULE, OP, NODE, RANGE, BACKWARD, OPTIM, DATA = range(8)
TIMED = (OP, NODE, OPTIM, DATA)  # what "time by op" lists
MODES = ("op", "module", "line")
OUTSIDE = {
    "op": "outside operations",
    "module": "outside modules",
    "line": "outside operations",
}


class Total(NamedTuple):
    """The time of one operation, module or line, in nanoseconds.

    Attributes:
        name: of it.
        count: how often it was called.
        own: without the calls inside it that have their own rows.
        total: with them.
    """

    name: str
    count: int  # type: ignore[assignment]  # tuples have a method `count`
    own: int
    total: int


def totals(
    data: dict[str, Any], mode: str, low: float = 0, high: float | None = None
) -> list[Total]:
    """Total time by operation, module or line, sorted by own time; own times add up.

    Backward counts for the module and the line of the operation that it is of. What
    belongs to none is one row: the Python between operations, and watching them.

    Args:
        data: what `TimelineRecorder.series` gives.
        mode: "op", "module" or "line".
        low, high: only the time between these moments, in nanoseconds; counted is
            what begins there.

    Example:
        >>> import edutorch as torch
        >>> with torch.inspect.TimelineRecorder() as recorder:
        ...     y = torch.ones(3).exp().exp()
        >>> [(t.name, t.count) for t in sorted(totals(recorder.series(), "op"))]
        [('exp', 2), ('outside operations', 0)]
    """
    bars, n = data["bars"], len(data["bars"]["kind"])
    high = data["total"] if high is None else high
    rows = _Rows(data, mode)
    chains = rows.chains()
    found: dict[int, list[int]] = {-1: [0, 0, 0]}
    for i in range(n):
        start, end = bars["start"][i], bars["start"][i] + bars["dur"][i]
        seen = min(end, high) - max(start, low)
        if seen < 0:
            continue
        if low <= start <= high and rows.own[i] >= 0:
            found.setdefault(rows.own[i], [0, 0, 0])[0] += 1
        _add(found, chains[i], seen)
        if bars["parent"][i] >= 0:
            _add(found, chains[bars["parent"][i]], -seen)
    named = [Total(rows.name(key), *v) for key, v in found.items() if any(v)]
    return sorted(named, key=lambda row: (-row.own, row.name))


def _add(found: dict[int, list[int]], chain: tuple[int, ...], ns: int) -> None:
    found.setdefault(chain[-1] if chain else -1, [0, 0, 0])[1] += ns
    for key in set(chain) or {-1}:
        found.setdefault(key, [0, 0, 0])[2] += ns


class _Rows:
    """The row that a bar counts for, and the rows that it is nested in."""

    def __init__(self, data: dict[str, Any], mode: str) -> None:
        self.data, self.mode, bars = data, mode, data["bars"]
        first: dict[Any, int] = {}  # a line may have several indices
        self.same = [
            first.setdefault((src["file"], src["line"]) if src else None, i)
            for i, src in enumerate(data["lines"])
        ]
        self.own = [self._own(i) for i in range(len(bars["kind"]))]

    def _own(self, i: int) -> int:
        """The row that a bar itself counts for; -1 for none."""
        bars, kind = self.data["bars"], self.data["bars"]["kind"][i]
        if self.mode == "line":
            return self.same[bars["line"][i]] if bars["line"][i] >= 0 else -1
        counted = kind == MODULE if self.mode == "module" else kind in TIMED
        return int(bars["name"][i]) if counted else -1

    def chains(self) -> list[tuple[int, ...]]:
        """The rows that each bar is nested in, outermost first."""
        bars, links = self.data["bars"], self.data["bars"]["link"]
        plain: list[tuple[int, ...]] = []
        for i, parent in enumerate(bars["parent"]):
            plain.append(self._within(plain, parent, i))
        if self.mode == "op":
            return plain
        linked: list[tuple[int, ...]] = []
        for i, parent in enumerate(bars["parent"]):
            known = links[i] >= 0
            linked.append(plain[links[i]] if known else self._within(linked, parent, i))
        return linked

    def _within(
        self, chains: list[tuple[int, ...]], parent: int, i: int
    ) -> tuple[int, ...]:
        around = chains[parent] if parent >= 0 else ()
        return around if self.own[i] < 0 else (*around, self.own[i])

    def name(self, key: int) -> str:
        """The name of a row."""
        if key < 0:
            return OUTSIDE[self.mode]
        if self.mode != "line":
            return str(self.data["names"][key])
        src = self.data["lines"][key]
        return f"{short_file(src['file'])}:{src['line']}" if src else "unknown line"
