"""Summaries of the values and gradients in a graph.

Values are summarised only in some steps. In the others, the summaries of an earlier
step are shown for the same operations.
"""

from __future__ import annotations

import math
from typing import Any

from .event_fields import (
    OP_ATTRS,
    OP_INPUTS,
    OP_NAME,
    OP_NODE,
    OP_OUTPUTS,
    SEQ,
    STAT_BAD,
    STAT_MAX,
    STAT_MEAN,
    STAT_MIN,
    STAT_NORM,
    STAT_SAMPLED,
    STAT_STD,
)
from .step_log import GraphRun

__all__ = ["ValueStats"]

Record = tuple[Any, ...]


class ValueStats:
    """Summaries for the ops and leaves of a run, from that run or an earlier one.

    Args:
        run: the run that is shown.
        ops: the op records of its graph.
        earlier: a run whose values were summarised, and the op records of its
            graph; used if the ops that `run` itself ran are the same.
        own: how many of the ops these are; None: all.
    """

    def __init__(
        self,
        run: GraphRun,
        ops: list[Record],
        earlier: tuple[GraphRun, list[Record]] | None,
        own: int | None = None,
    ) -> None:
        self.run = run
        self.own = len(run.own()) if own is None else own
        self.seen = run
        self._ops: dict[int, Record] | None = None  # by the record's number
        self._tensors: dict[int, int] = {}
        if earlier is not None and not (run.sampled or run.stepped):
            self._pair(ops, *earlier)

    def _pair(self, ops: list[Record], seen: GraphRun, others: list[Record]) -> None:
        """Pair ops with the earlier ones, from the last op backwards."""
        pairs: dict[int, Record] = {}
        tensors: dict[int, int] = {}
        for a, b in zip(reversed(ops), reversed(others), strict=False):
            if a[OP_NAME] != b[OP_NAME] or len(a[OP_INPUTS]) != len(b[OP_INPUTS]):
                break
            pairs[a[SEQ]] = b
            tensors.update(zip(a[OP_INPUTS], b[OP_INPUTS], strict=True))
        if len(pairs) >= self.own:
            self.seen, self._ops, self._tensors = seen, pairs, tensors

    def _other(self, record: Record) -> Record | None:
        return record if self._ops is None else self._ops.get(record[SEQ])

    def attributes(self, record: Record) -> str:
        """The arguments of an op: the inside of `Sum(dim=(1,), keepdim=True)`."""
        other = self._other(record) or record
        text = record[OP_ATTRS] or other[OP_ATTRS]
        return text[text.find("(") + 1 : -1] if text else ""

    def of_op(self, record: Record) -> dict[str, Any] | None:
        """The summary of an op's first output."""
        other = self._other(record)
        if other is None or not other[OP_OUTPUTS]:
            return None
        return self._summary("value", other[OP_OUTPUTS][0])

    def gradient_of_op(self, record: Record) -> dict[str, Any] | None:
        """The summary of the gradient of an op's output; None before backward."""
        if not record[OP_NODE] or record[OP_NODE] not in self.run.nodes:
            return None
        other = self._other(record)
        return self._gradient("node_grad", other[OP_NODE] if other else 0)

    def of_leaf(self, ident: int) -> dict[str, Any] | None:
        """The summary of a tensor that no op made."""
        return self._summary("value", self._tensors.get(ident, ident))

    def gradient_of_leaf(self, ident: int) -> dict[str, Any] | None:
        """The summary of a leaf's gradient; None before backward."""
        if ident not in self.run.leaves:
            return None
        return self._gradient("grad", self._tensors.get(ident, ident))

    def _summary(self, what: str, ident: int) -> dict[str, Any] | None:
        record = self.seen.stats.get((what, ident))
        if record is None:
            return None
        return {
            "min": _short(record[STAT_MIN]),
            "max": _short(record[STAT_MAX]),
            "mean": _short(record[STAT_MEAN]),
            "std": _short(record[STAT_STD]),
            "nonfinite": record[STAT_BAD],
            "n": record[STAT_SAMPLED],
        }

    def _gradient(self, what: str, ident: int) -> dict[str, Any]:
        """What is known about a computed gradient."""
        summary = self._summary(what, ident)
        if summary is not None:
            norm = self.seen.stats[what, ident][STAT_NORM]
            norm = math.nan if summary["nonfinite"] else norm
            return {"norm": _short(norm)} | summary
        unknown = dict.fromkeys(("norm", "min", "max", "mean", "std"))
        return unknown | {"nonfinite": 0, "n": 0}


def _short(value: float) -> float | None:
    return float(f"{value:.5g}") if value - value == 0 else None
