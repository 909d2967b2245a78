"""The records of the computation that is going on, one graph at a time.

Training code computes the same graph again and again, and a notebook computes
a new one in each cell. A *run* is the records of one such graph. A new run
begins with the first op after

- a training step has ended, a notebook cell has begun, or a module was called
  from outside any module;
- a backward pass, if the op uses nothing that was computed before it.

What a run uses from earlier ones (a batch that was cut out, the first of two
models) is found again by `snapshot.py` among the records that are still held.
"""

from __future__ import annotations

from typing import Any

from .sampling import Sampler

__all__ = ["Run", "StepLog"]

LIMIT = 20_000  # op records held of one training step
MANY = 2_000  # op records of a step after which values are no longer summarised

# positions in "op", "bwd" and "mod" records (see events.FIELDS)
NAME, PHASE, INPUTS, OUTPUTS, NODE, SHAPE = 6, 8, 9, 11, 13, 17
CALL = 16
MOD_WHAT, MOD_CALL, MOD_PARENT = 6, 7, 8


class Run:
    """The ops of one graph, in order, and what became known about them.

    Attributes:
        step: the training step.
        ops: all op records held of the step; this run's begin at `start`.
        nodes: bwd records by graph node; leaves: those of leaves, by tensor.
        calls: "mod" records by module call.
        stats: "stat" records by (what, ident).
        sampled: whether values were summarised.
    """

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
        self.dropped = 0

    def own(self) -> list[tuple[Any, ...]]:
        """The op records from this run's beginning to its end."""
        return self.ops[self.start : self.end]

    @property
    def differentiable(self) -> bool:
        """Whether a gradient can be asked of any of its results."""
        return any(record[NODE] for record in self.own())

    def shape(self) -> int:
        """A number equal for runs of the same ops on the same shapes."""
        return hash(tuple([(r[NAME], r[SHAPE]) for r in self.own()]))

    def next(self) -> Run:
        """A run that begins here, in the same step."""
        self.end = len(self.ops)
        run = Run(self.step, self.sampled)
        run.__dict__ |= self.__dict__ | {"start": self.end, "end": None}
        return run


class StepLog:
    """Sorts records into runs as they come.

    Attributes:
        now: the run that is going on.
        last: the last finished run, preferably one with gradients.
        best: the last finished run whose values were summarised.
        seq: number of the newest record seen.
        phase: "forward", "backward" or "idle".
    """

    def __init__(self, budget: float = 0.02) -> None:
        self.sampler = Sampler(budget)
        self.now = Run(-1, True)
        self.last: Run | None = None
        self.best: Run | None = None
        self.seq = 0
        self.phase = "idle"
        self.on_sampling: Any = None  # called when the step to come is (un)chosen
        self._cut = False
        self._made: set[int] | None = None  # tensors computed before a backward
        self._handlers = {
            "op": self._op,
            "bwd": self._bwd,
            "mod": self._mod,
            "stat": self._stat,
            "mark": self._mark,
        }
        self._ended = 0
        self._chosen = True  # level 2 is on
        self._fresh = False  # a cell began since `last` finished

    def handle(self, record: tuple[Any, ...]) -> None:
        """Sort one record in."""
        keep = self._handlers.get(record[0])
        if keep is not None:
            keep(record)

    def cell_began(self) -> None:
        """What is computed from now on is a graph of its own."""
        self._cut = True
        if self.now.step <= 0:  # no training: show whatever a cell computes
            self._fresh = True
            self._choose(True)

    def shown(self, settled: bool = True) -> Run:
        """The run to draw: the current one if `settled`, or the last finished."""
        now, last = self.now, self.last
        if last is None or last is now:
            return now
        empty = len(now.ops) == now.start
        if empty or not settled or not self._displaces(now):
            return last
        return now

    def _displaces(self, run: Run) -> bool:
        """Whether a run is to be shown rather than the last one before it."""
        last = self.last
        return (
            last is None
            or self._fresh
            or run.differentiable
            or not last.differentiable
        )

    def _choose(self, sampled: bool) -> None:
        if sampled != self._chosen and self.on_sampling is not None:
            self._chosen = sampled
            self.on_sampling(sampled)

    def _op(self, record: tuple[Any, ...]) -> None:
        if record[PHASE] == "optim":
            return
        run = self.now
        if record[5] != run.step:
            run = self._turn(record[5])
        if self._cut or self._made is not None:
            run = self._maybe_next(record)
        run.ops.append(record)
        self.seq = record[1]
        self.phase = "forward"
        if len(run.ops) >= MANY:
            self._tame(run)

    def _maybe_next(self, record: tuple[Any, ...]) -> Run:
        """Begin a run at this op, unless it goes on with what was computed."""
        if not self._cut:
            made = self._made or ()
            if any(ident in made for ident in record[INPUTS]):
                self._made.update(record[OUTPUTS])  # type: ignore[union-attr]
                return self.now
        self._finish(self.now)
        self.now = self.now.next()
        self._cut, self._made = False, None
        return self.now

    def _turn(self, step: int) -> Run:
        """The first record of another training step."""
        self._finish(self.now)
        calls = self.now.calls
        self.now = Run(step, self.sampler.sampled)
        if self.phase != "idle":  # modules entered before the step ended
            self.now.calls = dict(list(calls.items())[-32:])
        self._cut, self._made = False, None
        return self.now

    def _finish(self, run: Run) -> None:
        if len(run.ops) == run.start:
            return
        if run.end is None:
            run.end = len(run.ops)
        if self._displaces(run):
            self.last = run
            self._fresh = False
            if run.sampled:
                self.best = run

    def _tame(self, run: Run) -> None:
        """A step without end is not summarised for ever, nor kept whole."""
        self._choose(False)
        if len(run.ops) <= LIMIT:
            return
        half = len(run.ops) // 2
        run.ops = run.ops[half:]  # finished runs keep the old list
        run.dropped += max(0, half - run.start)
        run.start = max(0, run.start - half)

    def _bwd(self, record: tuple[Any, ...]) -> None:
        run = self.now
        if record[8]:
            run.leaves[record[8]] = record
        if record[7]:
            run.nodes[record[7]] = record
        self.seq = record[1]
        self.phase = "backward"
        if self._made is None:
            self._made = {t for r in run.ops for t in r[OUTPUTS]}

    def _mod(self, record: tuple[Any, ...]) -> None:
        if record[MOD_WHAT] == "enter":
            if record[5] != self.now.step:
                self._turn(record[5])
            self.now.calls[record[MOD_CALL]] = record
            if not record[MOD_PARENT]:
                self._cut = True

    def _stat(self, record: tuple[Any, ...]) -> None:
        self.now.stats[record[6], record[7]] = record

    def _mark(self, record: tuple[Any, ...]) -> None:
        if record[6] != "step" or record[7] != "end":
            return
        self.phase = "idle"
        run = self.now
        if record[5] != run.step:
            return
        seconds = (record[2] - (self._ended or record[2])) / 1e9
        self._ended = record[2]
        self._choose(self.sampler.step_ended(seconds, run.shape()))
