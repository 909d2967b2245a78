"""`record()`: stores every event of a block, with exact counts."""

from __future__ import annotations

import os
import threading
from collections import Counter, deque
from collections.abc import Iterable
from operator import itemgetter
from pathlib import Path
from typing import Any, Self

from .. import events, memory_events
from ..callers import source
from .device_lanes import LanesRecorder
from .event_fields import (
    BWD_NAME,
    BWD_NBYTES,
    DURATION,
    KIND,
    MOD_CALL,
    MOD_PATH,
    MOD_WHAT,
    OP_CALL,
    OP_NAME,
    OP_NBYTES,
    OP_SRC,
)
from .gradients import GradientRecorder, Rules
from .graph import GraphRecorder
from .memory import MemoryRecorder
from .memory_tree import MemoryTreeRecorder
from .nan_trail import NanTrailRecorder
from .nonfinite import first_nonfinite
from .recorder import Recorder
from .step_trace import trace_of
from .step_values import StepRecorder
from .timeline import TimelineRecorder
from .value_store import LIMIT
from .view_file import write_views

__all__ = ["Counts", "Recording", "Tally", "record"]

RING = 20_000  # about 5 MB: more would not fit into the caches
BATCH = 256  # so few that they do not trigger garbage collections


class Tally:
    """A running total of operations.

    Example:
        >>> import edutorch as torch
        >>> tally = torch.inspect.Tally()
        >>> tally.add(ns=10, nbytes=4)
        >>> tally.add(ns=30, nbytes=4)
        >>> tally.count, tally.ns, tally.nbytes
        (2, 40, 8)

    Attributes:
        count: how many ran.
        ns: nanoseconds they took.
        nbytes: bytes of new memory that they made.
    """

    __slots__ = ("count", "ns", "nbytes")

    def __init__(self) -> None:
        self.count = 0
        self.ns = 0
        self.nbytes = 0

    def add(self, ns: int, nbytes: int) -> None:
        """Add one operation."""
        self.count += 1
        self.ns += ns
        self.nbytes += nbytes

    def __repr__(self) -> str:
        return f"{self.count} x, {self.ns / 1000:.1f} us, {self.nbytes} bytes"


class Counts:
    """Exact totals of everything recorded, including records that the ring has dropped.

    Example:
        >>> import edutorch as torch
        >>> with torch.inspect.record() as recording:
        ...     y = torch.ones(2).exp() + 1
        >>> {name: tally.count for name, tally in recording.counts.ops.items()}
        {'exp': 1, 'add': 1}

    Attributes:
        ops: a Tally by the op's public name.
        backward: a Tally by the graph node's name.
        modules: a Tally of the ops that ran directly in a module, by its path.
        lines: a Tally of the ops that a line called, by (file, line).
        kinds: number of records of each kind.
    """

    def __init__(self) -> None:
        self.backward: dict[str, Tally] = {}
        self._ops: dict[tuple[str, str, int], Tally] = {}  # by name, module and line
        self._paths: dict[int, str] = {0: ""}
        self._kinds: Counter[str] = Counter()

    @property
    def kinds(self) -> dict[str, int]:
        """The number of records of each kind."""
        return dict(self._kinds)

    @property
    def ops(self) -> dict[str, Tally]:
        """Totals by the op's public name."""
        return _merged((name, t) for (name, _, _), t in self._ops.items())

    @property
    def modules(self) -> dict[str, Tally]:
        """Totals of the ops run directly by a module, by its path."""
        return _merged((path, t) for (_, path, _), t in self._ops.items())

    @property
    def lines(self) -> dict[tuple[str, int], Tally]:
        """Totals of the ops called by a line, by (file, line)."""
        by_src = _merged((src, t) for (_, _, src), t in self._ops.items() if src >= 0)
        places = {src: source(src) for src in by_src}
        return {(p.file, p.line): by_src[s] for s, p in places.items()}

    def add(self, batch: list[tuple[Any, ...]]) -> None:
        """Add records, in the order in which they happened."""
        ops, nodes, paths = self._ops, self.backward, self._paths
        self._kinds.update(map(itemgetter(KIND), batch))  # in C, unlike a loop
        for record in batch:
            kind = record[KIND]
            if kind == "op":
                key = record[OP_NAME], paths.get(record[OP_CALL], ""), record[OP_SRC]
                tally = ops.get(key) or _tally(ops, key)
                tally.count += 1  # inlined: this is the hot path
                tally.ns += record[DURATION]
                tally.nbytes += record[OP_NBYTES]
            elif kind == "bwd":
                name = record[BWD_NAME]
                tally = nodes.get(name) or _tally(nodes, name)
                tally.count += 1
                tally.ns += record[DURATION]
                tally.nbytes += record[BWD_NBYTES]
            elif kind == "mod":
                self._follow(record)

    def copy(self) -> Counts:
        """An independent copy of the totals."""
        made = Counts()
        made.backward = _merged(self.backward.items())
        made._ops = _merged(self._ops.items())
        made._kinds, made._paths = self._kinds.copy(), dict(self._paths)
        return made

    def _follow(self, record: tuple[Any, ...]) -> None:
        if record[MOD_WHAT] == "enter":
            self._paths[record[MOD_CALL]] = record[MOD_PATH]
        else:
            self._paths.pop(record[MOD_CALL], None)


def _tally(table: dict[Any, Tally], key: Any) -> Tally:
    found = table.get(key)
    if found is None:
        found = table[key] = Tally()
    return found


def _merged(parts: Iterable[tuple[Any, Tally]]) -> dict[Any, Tally]:
    """Merge tallies with the same key."""
    table: dict[Any, Tally] = {}
    for key, tally in parts:
        total = _tally(table, key)
        total.count += tally.count
        total.ns += tally.ns
        total.nbytes += tally.nbytes
    return table


class _Ring:
    """The newest records, and totals of all records.

    New records are collected in `fresh` and counted in batches while they are in the
    cache: counted as they leave the ring, they would have to be read from memory again.
    """

    def __init__(self, size: int) -> None:
        self.ring: deque[tuple[Any, ...]] = deque(maxlen=size)
        self.totals = Counts()
        self.taken = 0  # records appended to the ring
        self.fresh: list[tuple[Any, ...]] = []
        self._lock = threading.Lock()
        # only records of ops start the counting: they are frequent
        self.handle_other = keep = self.fresh.append

        def handle(record: tuple[Any, ...], fresh: Any = self.fresh) -> None:
            keep(record)
            if len(fresh) >= BATCH:
                self.take_fresh()

        self.handle = handle

    def take_fresh(self) -> None:
        """Count the new records and append them to the ring, which drops the oldest."""
        with self._lock:
            number = len(self.fresh)  # other threads may add more at the same time
            batch = self.fresh[:number]
            del self.fresh[:number]
            self.totals.add(batch)
            self.ring.extend(batch)
            self.taken += number

    def counts(self) -> Counts:
        """Totals of all records, including dropped ones."""
        self.take_fresh()
        with self._lock:
            return self.totals.copy()


class Recording(Recorder):
    """The records of a `with record()` block.

    Example:
        >>> import edutorch as torch
        >>> with record() as r:
        ...     y = torch.ones(3) * 2 + 1
        >>> sorted(name for name in r.counts.ops if name != "ones")
        ['add', 'mul']
    """

    guarded = False  # its handlers only append; a guard would slow each call

    def __init__(
        self,
        size: int = RING,
        level: int = 1,
        name: str = "record",
        steps: StepRecorder | None = None,
    ) -> None:
        self._ring = _Ring(size)
        self.steps = steps
        super().__init__(name, self._ring, level)

    def open(self) -> Self:
        """Start listening; opening twice has no effect."""
        if self.steps is not None:
            self.steps.open()
        return super().open()

    def close(self) -> None:
        """Stop listening; the records remain. Closing twice has no effect."""
        super().close()
        if self.steps is not None:
            self.steps.close()

    def _started(self, subscription: events.Subscription) -> None:
        for known in memory_events.live_allocations():
            self._ring.fresh.append(known)

    @property
    def events(self) -> list[tuple[Any, ...]]:
        """The records that the ring holds, oldest first."""
        self._ring.take_fresh()
        return list(self._ring.ring)

    @property
    def counts(self) -> Counts:
        """Exact running totals, by op, node, module and line."""
        return self._ring.counts()

    @property
    def dropped(self) -> int:
        """How many records the ring has dropped."""
        self._ring.take_fresh()
        return self._ring.taken - len(self._ring.ring)

    def as_dicts(self) -> list[dict[str, Any]]:
        """The records as dictionaries with field names."""
        return [events.as_dict(r) for r in self.events]

    def graph(self) -> dict[str, Any]:
        """The last graph computed; see `GraphRecorder.snapshot`."""
        return GraphRecorder().replay(self.events).snapshot()

    def gradients(self, rules: Rules | None = None) -> dict[str, Any]:
        """Gradient norms by step; this needs a recording at level 2."""
        return GradientRecorder(rules=rules).replay(self.events).series()

    def memory(self, device: str | None = None) -> dict[str, Any]:
        """Bytes by category over time, from the records still held."""
        return MemoryRecorder().replay(self.events).series(device)

    def timeline(self) -> dict[str, Any]:
        """Operations over time in the newest steps; see `TimelineRecorder.series`.

        Example:
            >>> import edutorch as torch
            >>> with record() as recording:
            ...     y = torch.ones(3).exp()
            >>> recording.timeline()["names"]
            ['step 0', 'exp']
        """
        return TimelineRecorder().replay(self.events).series()

    def memory_tree(self, device: str | None = None) -> dict[str, Any]:
        """Memory by owner, from the records still held; see `MemoryTree.of`."""
        tree = MemoryTreeRecorder().replay(self.events)
        return tree.series(device, self.dropped)

    def first_nonfinite(self) -> dict[str, Any] | None:
        """The op that first made a NaN or infinity; needs level 2."""
        return first_nonfinite(self.events)

    def nan_trail(self) -> dict[str, Any]:
        """The op that first made a NaN or infinity, and its path; needs level 3.

        Example:
            >>> import edutorch as torch
            >>> with record(level=3) as recording:
            ...     y = torch.tensor([-1.0]).sqrt() + 1
            >>> recording.nan_trail()["finding"]["rule"]
            'sqrt made 1 nan of 1 value out of finite values'
        """
        return NanTrailRecorder().replay(self.events).series()

    def lanes(self) -> dict[str, Any]:
        """The activity of each device, from records still held; see `LanesRecorder`.

        Example:
            >>> import edutorch as torch
            >>> with torch.cuda.simulate(), record() as recording:
            ...     x = torch.ones(4).to("cuda")
            >>> [lane["device"] for lane in recording.lanes()["lanes"]]
            ['cpu', 'cuda:0']
        """
        return LanesRecorder().replay(self.events).series()

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Save the graph, gradient norms, memory and timeline to a file.

        At level 3, the path of a NaN is included, if there is one; with `values`, the
        first step.

        If several devices were used, the activity of each is included.

        `edutorch.widgets.open` reads it, here or on another machine; see `write_views`.

        Args:
            path: usually ends in .edu.
        """
        gradients = self.gradients()
        views = [("Graph", "graph", self.graph())]
        if gradients["steps"]:
            views.append(("Gradients", "gradient", gradients))
        views.append(("Memory", "memory", self.memory()))
        views.append(("Timeline", "timeline", self.timeline()))
        trail = self.nan_trail()
        if trail["finding"]:
            views.append(("NaNTrail", "nan", trail))
        if self.steps is not None:
            views.append(("Stepper", "stepper", trace_of(self.steps.collector)))
        lanes = self.lanes()
        if len(lanes["lanes"]) > 1:
            views.append(("DeviceLanes", "lanes", lanes))
        keys = ("title", "kind", "data")
        return write_views(path, [dict(zip(keys, view, strict=True)) for view in views])


def record(
    size: int = RING,
    level: int = 1,
    name: str = "inspect.record",
    values: bool = False,
    limit: int = LIMIT,
) -> Recording:
    """Record every event of a `with` block in the whole process.

    Args:
        size: how many records are held; totals stay exact beyond it.
        level: 1 for the graph, times and allocations; 2 also for sampled statistics; 3
            also for exact ranges, from which `nan_trail` finds the origin of a NaN.
        name: a second recording under the same name replaces the first.
        values: copy the values and gradients of the first training step, which
            `edutorch.widgets.Stepper` shows; the level is then at least 2.
        limit: bytes of these copies; beyond them the largest are dropped.

    Example:
        >>> import edutorch as torch
        >>> x = torch.ones(2, requires_grad=True)
        >>> with record() as r:
        ...     (x * 3).sum().backward()
        >>> r.counts.ops["mul"].count, r.counts.backward["MulBackward0"].count
        (1, 1)
    """
    steps = StepRecorder(1, limit, f"{name}.steps") if values else None
    return Recording(size, max(level, 2) if values else level, name, steps)
