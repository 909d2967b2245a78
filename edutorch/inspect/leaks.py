"""Finds objects that accumulate from step to step, by source line, and the reason."""

from __future__ import annotations

import gc
import threading
import weakref
from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any, Final

from .. import events, memory_events
from ..autograd.node import FREED, Op
from ..callers import Source, source
from ..memory_events import UNWATCHED
from .event_fields import (
    ALLOC_CATEGORY,
    ALLOC_NBYTES,
    ALLOC_SRC,
    CAT_CATEGORY,
    KIND,
    MARK_CONTROL,
    MARK_WHAT,
    STEP,
    STORAGE,
)
from .leak_report import answer_of, line_data, title_of
from .recorder import Recorder
from .reference_search import find_paths
from .survivors import Growth, Survivors, TrackedObject

__all__ = ["LeakRecorder"]

SAMPLES: Final = 200  # in a chart; when there are more, every other one is dropped
SHOWN: Final = 24  # lines
ANSWERS: Final = 8
TARGETS: Final = 200  # survivors of a line for which paths are searched
HELD: Final = ("param", "parameter", "buffer", "grad", "gradient", "optimizer")
HELD_LINE: Final = -1  # stands for the line of all objects of these kinds
AUTOMATIC: Final = 4  # lines that `explain` chooses by default


class _NodeWatch(weakref.ref[Any]):
    """A weak reference to a node that also stores its number."""

    __slots__ = ("key",)

    key: int


class _Collector:
    """Counts the storages and nodes alive at the end of each step, by line."""

    def __init__(self) -> None:
        self.storages = Survivors()
        self.nodes = Survivors()
        self.growth: dict[int, tuple[Growth, Growth]] = {}  # bytes and nodes, by line
        self.samples: list[tuple[int, dict[int, tuple[int, int]]]] = []
        self.stride = 1
        self.step = 0
        self.first_step = 0
        self.rev = 0
        self.answers: deque[dict[str, Any]] = deque(maxlen=ANSWERS)
        self.lock = threading.RLock()
        self.latest = -1  # the line of the latest node, where known
        self._gone: deque[_NodeWatch] = deque()

    def handle(self, record: tuple[Any, ...]) -> None:
        """Handle one record."""
        kind = record[KIND]
        with self.lock:
            if kind == "alloc":
                held = record[ALLOC_CATEGORY] in HELD
                line = HELD_LINE if held else record[ALLOC_SRC]
                made = TrackedObject(line, record[ALLOC_NBYTES])
                self.storages.add(record[STORAGE], made)
            elif kind == "free":
                self.storages.drop(record[STORAGE])
            elif kind == "cat":
                if record[CAT_CATEGORY] in HELD:
                    self.storages.move(record[STORAGE], HELD_LINE)
            elif (record[MARK_CONTROL], record[MARK_WHAT]) == ("step", "end"):
                self._end_step(record[STEP] - self.first_step)

    def note_node(self, node: Any, src: int) -> None:
        """Register a node that an op has recorded for backward."""
        watch = _NodeWatch(node, self._gone.append)
        watch.key = node.seq
        with self.lock:
            if src == UNWATCHED and self.nodes.is_alive(node.seq):
                return
            if src >= 0:
                self.latest = src
            self.nodes.add(node.seq, TrackedObject(src, 0, watch))

    def remove_freed(self) -> None:
        """Remove the nodes that have been freed."""
        while self._gone:
            self.nodes.drop(self._gone.popleft().key)

    def _end_step(self, step: int) -> None:
        self.remove_freed()
        before = self._unwatched
        self.storages.end_step()
        self.nodes.end_step()
        unwatched = self._unwatched > before
        self.step = step + 1
        held: dict[int, tuple[int, int]] = {}
        for line in {*self.storages.counts, *self.nodes.counts}:
            now = self.storages.nbytes[line], self.nodes.counts[line]
            for growth, value in zip(self._growth_of(line), now, strict=True):
                # survivors of unwatched steps have no line: equal counts tell nothing
                if not unwatched or line == UNWATCHED or value != growth.latest:
                    growth.note(value)
            if any(now):
                held[line] = now
        if step % self.stride == 0:
            self.samples.append((step, held))
            if len(self.samples) > SAMPLES:
                self.samples = self.samples[::2]
                self.stride *= 2
        self.rev += 1

    @property
    def _unwatched(self) -> int:
        """The number of survivors from steps that were not watched."""
        return self.storages.counts[UNWATCHED] + self.nodes.counts[UNWATCHED]

    def _growth_of(self, line: int) -> tuple[Growth, Growth]:
        if line not in self.growth:
            self.growth[line] = Growth(), Growth()
        return self.growth[line]

    # ---- the report

    def lines(self) -> list[dict[str, Any]]:
        """One row for each line with survivors: leaks first, then those that grow."""
        rows = [
            line_data(
                line, self.storages.counts[line], self.storages.nbytes[line],
                self.nodes.counts[line], *self._growth_of(line),
            )
            for line in {*self.storages.counts, *self.nodes.counts}
            if self.storages.counts[line] or self.nodes.counts[line]
        ]  # fmt: skip
        order = ("leak", "grows", "")
        rows.sort(key=lambda r: (order.index(r["state"]), -r["bytes"], -r["nodes"]))
        return rows

    def suspects(self) -> list[int]:
        """The growing lines that have not been explained."""
        explained = {a["line"] for a in self.answers if a["found"]}
        return [
            r["id"] for r in self.lines() if r["state"] and r["id"] not in explained
        ]

    def survivors(self, line: int) -> tuple[list[weakref.ref[Any]], list[int]]:
        """The newest survivors of a line: nodes (weakly) and numbers of storages."""
        nodes = [made.ref for _, made in self.nodes.of_line(line)[:TARGETS] if made.ref]
        return nodes, [key for key, _ in self.storages.of_line(line)[:TARGETS]]


class LeakRecorder(Recorder):
    """Counts storages and graph nodes that outlive steps, and explains them (level 1).

    An object survives if it was created in one training step and is alive at the end of
    the next. Its line is the one that created it, or first used it. A line grows if its
    survivors grew at the end of each of the last 8 steps that were watched; growing
    graph nodes are a leak, and bytes that grow alone may be a cache that fills.

    No search runs during a step; `explain` and `why` search.

    Args:
        name: the key of the subscription.
        seconds: the longest that a search may take.

    Example:
        >>> import edutorch as torch
        >>> kept = torch.ones(3)
        >>> LeakRecorder(seconds=60.0).why(kept, "kept")["paths"] != []
        True
    """

    kinds = ("alloc", "free", "cat", "mark")
    _collector: _Collector

    def __init__(self, name: str = "inspect.leaks", seconds: float = 2.0) -> None:
        self.seconds = seconds
        self._unwatch: weakref.finalize[..., Any] | None = None
        super().__init__(name, _Collector(), level=1)

    def _started(self, subscription: events.Subscription) -> None:
        self._collector.first_step = events.step
        note, guard = self._collector.note_node, self._guard

        def watcher(node: Any, src: int) -> None:
            try:
                note(node, src)
            except Exception as error:  # noqa: BLE001 (it must never hurt the training)
                guard(error)

        end = events.watch_nodes(watcher)
        self._unwatch = weakref.finalize(self, end)

    def close(self) -> None:
        """Stop listening, after counting the memory freed so far."""
        if self.is_open:
            self._settle()
        if self._unwatch is not None:
            self._unwatch()
        super().close()

    def _settle(self) -> None:
        if self.is_open:
            memory_events.drain()
        with self._collector.lock:
            self._collector.remove_freed()

    @property
    def rev(self) -> int:
        """A number that increases with every step and every search."""
        return self._collector.rev

    def explain(self, lines: Iterable[int] | None = None) -> None:
        """Find out why a line's tensors are alive; the answers become part of `series`.

        Args:
            lines: their ids as in `series`; by default those that grow, at most 4.
        """
        self._settle()
        with self._collector.lock:
            chosen = self._collector.suspects()[:AUTOMATIC] if lines is None else lines
            known = {row["id"] for row in self._collector.lines()}
            survivors = {
                line: self._collector.survivors(line)
                for line in chosen
                if line in known
            }
        if survivors:
            self._search(survivors)

    def _search(self, survivors: dict[int, Any]) -> None:
        groups = {line: _alive(*made) for line, made in survivors.items()}
        targets = [target for nodes, arrays in groups.values()
                   for target in (*nodes, *arrays)]  # fmt: skip
        search = find_paths(targets, self.seconds)
        paths = iter(search.paths)
        for line, (nodes, arrays) in groups.items():
            here = [next(paths) for _ in (*nodes, *arrays)]
            sizes = [0] * len(nodes) + [_nbytes(array) for array in arrays]
            retained = any(map(_retains, nodes))
            first = (*nodes, *arrays)[:1]
            row = answer_of(line, "", first, here, sizes, search, self._near(line))
            self._add_answer(row(retained))
        del targets, groups

    def _near(self, line: int) -> Source | None:
        """The given line, or the newest known file if the line is unknown."""
        if line >= 0:
            return source(line)
        latest = self._collector.latest
        return source(latest)._replace(func="") if latest >= 0 else None

    def why(self, value: Any, name: str = "") -> dict[str, Any]:
        """Why one object is alive, as JSON-ready data; also part of `series`.

        Args:
            value: the object, or a weak reference to it.
            name: what to call it.
        """
        target = value() if isinstance(value, weakref.ref) else value
        value = None
        if target is None:
            raise ValueError("why(): the object is gone already")
        search = find_paths([target], self.seconds)
        retained = _retains(getattr(target, "_grad_fn", target))
        sizes, near = [_nbytes(target)], self._near(-1)
        row = answer_of(None, name, [target], search.paths, sizes, search, near)
        return self._add_answer(row(retained))

    def _add_answer(self, answer: dict[str, Any]) -> dict[str, Any]:
        with self._collector.lock:
            answers, key = self._collector.answers, (answer["line"], answer["name"])
            for old in [a for a in answers if (a["line"], a["name"]) == key]:
                answers.remove(old)
            answers.appendleft(answer | {"step": self._collector.step})
            self._collector.rev += 1
            return answers[0]

    def collect(self) -> int:
        """Run the garbage collector; returns how many bytes of survivors it freed."""
        self._settle()
        before = sum(self._collector.storages.nbytes.values())
        gc.collect()
        self._settle()
        freed = before - sum(self._collector.storages.nbytes.values())
        with self._collector.lock:
            self._collector.rev += 1
        return freed

    def series(self) -> dict[str, Any]:
        """Growth by line and the answers, as JSON-ready data; see `LeakFinder`."""
        self._settle()
        collector = self._collector
        with collector.lock:
            rows = collector.lines()
            samples = list(collector.samples)
            shown = rows[:SHOWN]
            for row in shown[:6]:
                held = [at.get(row["id"], (0, 0)) for _, at in samples]
                row["bytes_at"] = [b for b, _ in held]
                row["nodes_at"] = [n for _, n in held]
            facts = {"lines": shown, "step": collector.step}
            return facts | {
                "v": 1, "rev": collector.rev, "title": title_of(facts),
                "steps": [step for step, _ in samples],
                "bytes": [sum(b for b, _ in at.values()) for _, at in samples],
                "nodes": [sum(n for _, n in at.values()) for _, at in samples],
                "left_out": len(rows) - len(shown),
                "answers": list(collector.answers), "seconds": self.seconds,
            }  # fmt: skip


def _alive(nodes: Sequence[Any], storages: Sequence[int]) -> tuple[list[Any], ...]:
    arrays = [memory_events.live_array(ident) for ident in storages]
    return (
        [node for ref in nodes if (node := ref()) is not None],
        [array for array in arrays if array is not None],
    )


def _retains(node: Any) -> bool:
    """Whether a node still has its saved values."""
    inputs = getattr(node, "inputs", None) if isinstance(node, Op) else None
    return inputs is not FREED and bool(inputs)


def _nbytes(value: Any) -> int:
    return int(getattr(value, "nbytes", 0) or 0)
