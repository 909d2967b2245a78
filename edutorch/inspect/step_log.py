"""Sorts the records of the current computation into graphs.

Training code computes the same graph again and again, and a notebook computes a new one
in each cell. A *run* consists of the records of one such graph. A new run begins with
the first op after

- the end of a training step, the beginning of a notebook cell, or a call of a module
  from outside any module;
- a backward pass, if the op uses nothing that was computed before it.

Values that a run uses from earlier ones (a slice of a batch, the first of two models)
are found by `graph_snapshot.py` among the records that are still held.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import events
from .event_fields import (
    BWD_NODE,
    BWD_TARGET,
    KIND,
    MARK_CONTROL,
    MARK_WHAT,
    MOD_CALL,
    MOD_PARENT,
    MOD_WHAT,
    OP_INPUTS,
    OP_NAME,
    OP_NODE,
    OP_OUTPUTS,
    OP_PHASE,
    OP_SHAPE,
    READ_INPUTS,
    READ_OUTPUT,
    SEQ,
    START,
    STAT_IDENT,
    STAT_WHAT,
    STEP,
)
from .value_sampling import ValueSampler

__all__ = ["NOT_THE_MODEL", "GraphRun", "StepLog"]

LIMIT = 20_000  # op records held of one training step
NOT_THE_MODEL = ("data", "optim")  # phases whose ops are not drawn
MANY = 2_000  # op records of a step after which values are no longer summarised


class GraphRun:
    """The ops of one graph in order, with what is known about them.

    Attributes:
        step: the training step.
        ops: all op records held of the step; this run's begin at `start`.
        nodes: "bwd" records by graph node.
        leaves: "bwd" records of leaves, by tensor.
        calls: "mod" records by module call.
        stats: "stat" records by (what, ident).
        sampled: whether values were summarised.
        stepped: whether they were from some op on, where the reader stopped.
        dropped: op records that were forgotten.
        cell: the notebook cell, counted until training begins.
        passes: backward passes of the same step, or cell, before it began.
    """

    __slots__ = (
        "step", "ops", "start", "end", "nodes", "leaves", "calls", "stats",
        "sampled", "stepped", "dropped", "cell", "passes",
    )  # fmt: skip

    def __init__(self, step: int, sampled: bool) -> None:
        self.step = step
        self.ops: list[tuple[Any, ...]] = []
        self.start = 0
        self.end: int | None = None
        self.nodes: dict[int, tuple[Any, ...]] = {}
        self.leaves: dict[int, tuple[Any, ...]] = {}
        self.calls: dict[int, tuple[Any, ...]] = {}
        self.stats: dict[tuple[str, int], tuple[Any, ...]] = {}
        self.sampled = sampled
        self.stepped = False
        self.dropped = 0
        self.cell = 0
        self.passes = 0

    def own(self) -> list[tuple[Any, ...]]:
        """The op records from the beginning to the end of this run."""
        return self.ops[self.start : self.end]

    @property
    def differentiable(self) -> bool:
        """Whether any result requires a gradient."""
        return any(record[OP_NODE] for record in self.own())

    def shape(self) -> int:
        """A number that is equal for runs of the same ops on the same shapes."""
        return hash(tuple([(r[OP_NAME], r[OP_SHAPE]) for r in self.own()]))

    def next(self) -> GraphRun:
        """A new run that begins here, in the same step."""
        self.end = len(self.ops)
        run: GraphRun = object.__new__(GraphRun)
        run.step, run.sampled, run.dropped = self.step, self.sampled, self.dropped
        run.stepped = self.stepped
        run.ops, run.start, run.end = self.ops, self.end, None
        run.nodes, run.leaves = self.nodes, self.leaves
        run.calls, run.stats = self.calls, self.stats
        run.cell, run.passes = self.cell, self.passes
        return run


class StepLog:
    """Sorts incoming records into runs.

    Attributes:
        now: the current run.
        last: the last finished run, preferably one with gradients.
        best: the last finished run whose values were summarised.
        seq: number of the newest record seen.
        phase: "forward", "backward" or "idle".
        paused: the reader has stopped the training at the newest record.
        newest: that record.
    """

    def __init__(self, budget: float = 0.02) -> None:
        self.sampler = ValueSampler(budget)
        self.now = GraphRun(-1, True)
        self.last: GraphRun | None = None
        self.best: GraphRun | None = None
        self.seq = 0
        self.first_step = 0  # when recording began
        self.phase = "idle"
        self.paused = False
        self.newest: tuple[Any, ...] = ()
        self._stepping = False  # the user is single-stepping: all values are summarised
        self.on_sampling: Any = None  # called when the next step is selected or not
        self.wanted: Callable[[GraphRun], bool] | None = None  # which runs are shown
        self._cut = False
        self._in_new_cell = False
        self._made: set[int] | None = None  # tensors computed before a backward
        self._handlers = {
            "op": self._op,
            "read": self._read,
            "bwd": self._bwd,
            "mod": self._mod,
            "stat": self._stat,
            "mark": self._mark,
        }
        self._ended = 0
        self._chosen = True  # the current step is selected, so level 2 is on
        self._cell = 0  # notebook cells begun before any training

    @property
    def pending(self) -> bool:
        """Whether a backward pass is running, so that more gradients will come."""
        inside = self.phase == "backward" and self.newest
        return bool(inside) and self.newest[START] > events.backward_ended

    def handle(self, record: tuple[Any, ...]) -> None:
        """Handle one record."""
        keep = self._handlers.get(record[KIND])
        if keep is not None:
            keep(record)

    def cell_began(self) -> None:
        """Start a new graph."""
        self._cut = self._in_new_cell = True
        self.sampler.cell_began()
        self._choose(True)  # until a training step ends
        if self.now.step <= self.first_step:  # there is no training yet
            self._cell += 1

    def shown(self, current: bool = True) -> GraphRun:
        """The run to draw: the current one or the last finished one."""
        now, last = self.now, self.last
        if last is None or last is now:
            return now
        empty = len(now.ops) == now.start
        if empty or not current or not self._replaces_last(now):
            return last
        return now

    def _replaces_last(self, run: GraphRun) -> bool:
        """Whether a run is shown instead of the last one before it."""
        if self.wanted is not None and not self.wanted(run):
            return False
        last = self.last
        if last is None or run.cell > last.cell:  # show everything that a cell computes
            return True
        return run.differentiable or not last.differentiable

    def _choose(self, sampled: bool) -> None:
        if sampled != self._chosen and self.on_sampling is not None:
            self._chosen = sampled
            self.on_sampling(sampled)

    def _op(self, record: tuple[Any, ...]) -> None:
        if record[OP_PHASE] in NOT_THE_MODEL:
            return
        run = self.now
        if record[STEP] != run.step:
            run = self._begin_step(record[STEP])
        if self._cut or self._made is not None:
            run = self._maybe_next(record)
        run.ops.append(record)
        self.newest, self.seq = record, record[SEQ]
        self.phase = "forward"
        if len(run.ops) >= MANY:
            self._limit(run)

    def _maybe_next(self, record: tuple[Any, ...]) -> GraphRun:
        """Begin a run at this op unless it uses results of the current one."""
        if not self._cut:
            made = self._made
            if made and any(ident in made for ident in record[OP_INPUTS]):
                made.update(record[OP_OUTPUTS])
                return self.now
        self._finish(self.now)
        self.now = self.now.next()
        self.now.cell = self._cell
        self.now.passes += self._made is not None
        if self._in_new_cell:
            self.now.passes, self.now.sampled = 0, True
        self._cut, self._made, self._in_new_cell = False, None, False
        return self.now

    def _begin_step(self, step: int) -> GraphRun:
        """Handle the first record of another training step."""
        self._finish(self.now)
        calls = self.now.calls
        self.now = GraphRun(step, self.sampler.sampled or self._chosen)
        self.now.cell = self._cell
        if self.phase != "idle":  # modules entered before the step ended
            self.now.calls = dict(list(calls.items())[-32:])
        self._cut, self._made = False, None
        return self.now

    def _finish(self, run: GraphRun) -> None:
        if len(run.ops) == run.start:
            return
        if run.end is None:
            run.end = len(run.ops)
        if self._replaces_last(run):
            self.last = run
            if run.sampled:
                self.best = run

    def _limit(self, run: GraphRun) -> None:
        """Limit an endless step: stop summarising it and drop its oldest half."""
        self._choose(False)
        if len(run.ops) <= LIMIT:
            return
        half = len(run.ops) // 2
        run.ops = run.ops[half:]  # finished runs keep the old list
        run.dropped += max(0, half - run.start)
        run.start = max(0, run.start - half)
        run.nodes, run.leaves = _newest(run.nodes), _newest(run.leaves)
        run.calls, run.stats = _newest(run.calls), _newest(run.stats)

    def _bwd(self, record: tuple[Any, ...]) -> None:
        run = self.now
        if record[BWD_TARGET]:
            run.leaves[record[BWD_TARGET]] = record
        if record[BWD_NODE]:
            run.nodes[record[BWD_NODE]] = record
        self.newest, self.seq = record, record[SEQ]
        self.phase = "backward"
        if self._made is None:
            self._made = {t for r in run.own() for t in r[OP_OUTPUTS]}

    def _read(self, record: tuple[Any, ...]) -> None:
        """Note that the latest op read something other than its inputs."""
        ops = self.now.ops
        if not ops or record[READ_OUTPUT] not in ops[-1][OP_OUTPUTS]:
            return
        op = ops[-1]
        inputs = (*op[OP_INPUTS], *record[READ_INPUTS])
        ops[-1] = (*op[:OP_INPUTS], inputs, *op[OP_INPUTS + 1 :])
        self.seq = record[SEQ]

    def _mod(self, record: tuple[Any, ...]) -> None:
        if record[MOD_WHAT] == "enter":
            if record[STEP] != self.now.step:
                self._begin_step(record[STEP])
            self.now.calls[record[MOD_CALL]] = record
            if not record[MOD_PARENT]:
                self._cut = True

    def _stat(self, record: tuple[Any, ...]) -> None:
        self.now.stats[record[STAT_WHAT], record[STAT_IDENT]] = record
        self.seq = record[SEQ]

    def _mark(self, record: tuple[Any, ...]) -> None:
        control, what = record[MARK_CONTROL], record[MARK_WHAT]
        if control == "pause":
            self._pause(what)
        elif (control, what) == ("step", "end"):
            self._step_ended(record)

    def _pause(self, what: str) -> None:
        """Handle a mark of a pause: the user stops, steps or resumes the training."""
        self.paused = what == "begin"
        self._stepping = what != "over"
        if self._stepping:
            self.now.stepped = True
            self._choose(True)

    def _step_ended(self, record: tuple[Any, ...]) -> None:
        self.phase = "idle"
        run = self.now
        if record[STEP] != run.step:
            return
        seconds = (record[START] - (self._ended or record[START])) / 1e9
        self._ended = record[START]
        sampled = self.sampler.step_ended(seconds, run.shape())
        self._choose(sampled or self._stepping)


def _newest(table: dict[Any, Any]) -> dict[Any, Any]:
    return dict(list(table.items())[-LIMIT:])
