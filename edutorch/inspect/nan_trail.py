"""Finds the op that first made a nan or infinity, and its path to the loss.

The rule: a nan is always an error. An infinity is an error once a nan results from it,
or once it reaches the loss or, in a backward pass, the gradient of a leaf; until then
it may be intended, as in a masked score before softmax. The op reported is the first
that made a non-finite value from finite ones. Infinities written in the program (a mask
filled with -inf) or contained in an input are intended; then the op reported is the one
that made a nan from them. All elements are checked, not samples.
"""

from __future__ import annotations

import threading
from typing import Any

from .. import events
from ..callers import caller_frame
from ..module_events import name_of
from .assigned_names import assigned_name
from .event_fields import (
    BWD_NODE,
    BWD_ORDER,
    KIND,
    MARK_CONTROL,
    MARK_WHAT,
    MOD_CALL,
    MOD_MODEL,
    MOD_PATH,
    MOD_WHAT,
    OP_CALL,
    OP_DTYPE,
    OP_INPUTS,
    OP_NAME,
    OP_NODE,
    OP_OUTPUTS,
    OP_PHASE,
    OP_SHAPE,
    OP_SRC,
    OPTIM_CLS,
    OPTIM_TARGETS,
    RANGE_IDENT,
    RANGE_MIN,
    RANGE_SOURCE,
    RANGE_WHAT,
    ROOT_VALUE,
    STEP,
    THREAD,
)
from .frame_tensors import tensors_of
from .model_names import ModelNames
from .nan_report import describe_origin, finding_json
from .nonfinite_graph import Entry, Operand, Range, earliest_source, writes_infinity
from .pausable_clock import SKIP_MARK
from .recorder import Recorder
from .rotating_table import RotatingTable
from .source_lines import called_at

__all__ = ["NanTrailRecorder", "NonFiniteError"]

MOST = 5_000  # entries of a step
Record = tuple[Any, ...]


class NonFiniteError(RuntimeError, FloatingPointError):
    """Raised by the op, or by the backward pass, that made a nan or infinity.

    It is a FloatingPointError and, like the error of anomaly detection, a RuntimeError.

    Example:
        >>> issubclass(NonFiniteError, RuntimeError)
        True
    """


class _Collector:
    """Collects the ranges of values and finds the first non-finite one.

    Attributes:
        entries: the non-finite values of this step.
        before, since: the finding before the last `begin`, and how many values had
            been checked by then.
        root, goal: positions of the responsible entry and of the end of its path.
        reached: "loss" or "gradient" at the end of the path, "nothing" if neither
            was reached in the step, "" before that.
        ended: whether checking has stopped.
        skipping: whether steps are being skipped.
    """

    def __init__(self, stop: bool) -> None:
        self.stop, self.skipping = stop, False
        self.rev = self.checked = self.since = 0
        self.first_step = self.step = 0
        self.ranges = RotatingTable[tuple[Range, Record | None]]()  # by tensor
        self.nodes: RotatingTable[Record] = RotatingTable()  # op records by node
        self.paths: RotatingTable[tuple[int, str]] = RotatingTable()  # by call
        self.models = ModelNames()
        self.parameters: set[int] = set()  # of optimizers
        self.stepped: dict[int, str] = {}  # parameter -> optimizer, until it is used
        self.lock = threading.RLock()
        self.root: int | None = None
        self.before: dict[str, Any] | None = None
        self.begin()

    def begin(self) -> None:
        """Start a new search; the last finding stays until a value has been checked."""
        if self.root is not None:
            self.before = finding_json(self)
        self.since = self.checked
        self.root = None
        self.noticed = ""
        self.goal: int | None = None
        self.reached, self.ended = "", False
        self.begin_step()

    def begin_step(self) -> None:
        """Drop the entries of the previous step."""
        self.entries: list[Entry] = []
        self.of_tensor: dict[int, int] = {}
        self.of_gradient: dict[tuple[str, int], list[int]] = {}
        self.current: dict[int, Record] = {}  # by thread
        self.open: dict[int, int] = {}  # the entry of that op, by thread
        self.descendants_of_root: set[int] = set()
        self.inside: list[int] = []  # ops of hooks and user Functions in backward

    # ---- records

    def handle(self, record: Record) -> None:
        """Handle one record; raises NonFiniteError if training is to stop here."""
        take = _TAKERS.get(record[KIND])
        if take is not None and not self.ended:
            with self.lock:
                take(self, record)

    def take_op(self, record: Record) -> None:
        self._runs(record)
        if record[OP_NODE]:
            self.nodes[record[OP_NODE]] = record

    def take_bwd(self, record: Record) -> None:
        self._runs(record)
        if record[BWD_ORDER] == 0 and record[BWD_NODE]:
            self._handle_root(record)

    def take_mod(self, record: Record) -> None:
        if record[MOD_WHAT] == "enter":
            self.models.hear(record)
            self.paths[record[MOD_CALL]] = record[MOD_MODEL], record[MOD_PATH]

    def take_optim(self, record: Record) -> None:
        self.parameters.update(record[OPTIM_TARGETS])
        self.stepped |= dict.fromkeys(record[OPTIM_TARGETS], record[OPTIM_CLS])

    def take_root(self, record: Record) -> None:
        """Take a non-finite loss of a step that was not watched."""
        if self.skipping and self.root is None and not self.noticed:
            step, value = record[STEP] - self.first_step, record[ROOT_VALUE]
            self.noticed = f"the loss of step {step}, not watched, was {value}"
            self.rev += 1

    def take_mark(self, record: Record) -> None:
        if record[MARK_CONTROL] == SKIP_MARK:
            self.skipping = record[MARK_WHAT] == "begin"
        if (record[MARK_CONTROL], record[MARK_WHAT]) == ("step", "end"):
            for table in (self.ranges, self.nodes, self.paths):
                table.rotate()
            if self.root is not None:
                self._end(self.reached or "nothing")
            else:
                self.begin_step()
                self.step = record[STEP] - self.first_step
            self.rev += 1

    def _runs(self, record: Record) -> None:
        self.step = record[STEP] - self.first_step
        self.current[record[THREAD]] = record
        self.open.pop(record[THREAD], None)

    def take_range(self, record: Record) -> None:
        now = self.current.get(record[THREAD])
        if now is None:
            return
        found = Range(*record[RANGE_MIN:])
        self.checked += 1
        if record[RANGE_WHAT] == "value":
            self._value(now, record[RANGE_IDENT], found)
        elif record[RANGE_SOURCE]:
            self._sent(now, record, found)
        else:
            self._handle_gradient(record, found)

    # ---- forward

    def _value(self, op: Record, ident: int, found: Range) -> None:
        if op[KIND] != "op":
            return
        mine = ident in op[OP_OUTPUTS]
        if not mine:
            self._handle_input(ident, found)
        before = self.ranges.get(ident)
        maker = op if mine else before[1] if before else None
        self.ranges[ident] = found, maker
        if mine and found.bad and len(self.entries) < MOST:
            at = self.open.get(op[THREAD])
            if at is None:
                at = self.open[op[THREAD]] = self._add_op(op, found)
                self.inside += [at] if op[OP_PHASE] == "backward" else []
            self.of_tensor[ident] = at
            self._judge(at)

    def _handle_input(self, ident: int, found: Range) -> None:
        """Handle a value that no op made; it becomes an entry once it is not finite."""
        if not found.bad:
            self.of_tensor.pop(ident, None)
            self.stepped.pop(ident, None)
        elif ident not in self.of_tensor:
            before = self.ranges.get(ident)
            known = ident in events.names or ident in self.parameters
            kind = "parameter" if known else "input"
            if before is not None and not before[0].bad:
                kind = "update"
            at = self._add_value(kind, ident, found)
            self.entries[at].optimizer = self.stepped.get(ident, "")

    def _add_value(self, kind: str, ident: int, found: Range) -> int:
        entry = Entry(kind, self._name(ident, self._variables()), found, self.step)
        entry.shape = events.described.get(ident, ((), "", ""))[0]
        at = self.of_tensor[ident] = self._append(entry)
        return at

    def _append(self, entry: Entry) -> int:
        self.entries.append(entry)
        at = len(self.entries) - 1
        if not self.descendants_of_root.isdisjoint(entry.parents):
            self.descendants_of_root.add(at)
            self.goal = at
        self.rev += 1
        return at

    def _add_op(self, op: Record, found: Range) -> int:
        entry = Entry("op", op[OP_NAME], found, self.step)
        self._describe(entry, op)
        for operand in entry.operands:
            ident = operand.ident
            found_before = operand.range
            if found_before and found_before.bad and ident not in self.of_tensor:
                self._add_value("earlier", ident, found_before)
            if ident in self.of_tensor and self.of_tensor[ident] not in entry.parents:
                entry.parents.append(self.of_tensor[ident])
        if not entry.parents and not found.nan:
            entry.written = writes_infinity(op[OP_NAME], called_at(op[OP_SRC]))
        return self._append(entry)

    def _describe(self, entry: Entry, op: Record) -> None:
        """Fill in an entry from the op's record: its location and operands."""
        entry.record, entry.shape = op, op[OP_SHAPE]
        entry.module = self.models.path(*self.paths.get(op[OP_CALL], (0, "")))
        variables = self._variables()
        for ident in op[OP_INPUTS]:
            found, maker = self.ranges.get(ident, (None, None))
            shape, dtype, _ = events.described.get(ident, ((), "", ""))
            if maker:
                shape, dtype = maker[OP_SHAPE], maker[OP_DTYPE]
            name = self._name(ident, variables, maker)
            entry.operands.append(Operand(ident, name, shape, dtype, found))
        place = called_at(op[OP_SRC])
        if place is not None:
            entry.variable = assigned_name(place["text"], op[OP_NAME])

    def _variables(self) -> dict[int, str]:
        """Names of tensors among the variables of the running function."""
        named = tensors_of(caller_frame()).items()
        return {t._tensor_id: name for name, t in reversed(list(named)) if t._tensor_id}

    def _name(
        self, ident: int, variables: dict[int, str], maker: Record | None = None
    ) -> str:
        name = name_of(ident) or variables.get(ident)
        if name or maker is None:
            return name or ""
        place = called_at(maker[OP_SRC])
        text = assigned_name(place["text"], maker[OP_NAME]) if place else ""
        return text or f"result of {maker[OP_NAME]}"

    # ---- backward

    def _handle_gradient(self, record: Record, found: Range) -> None:
        """Handle the gradient that arrived at a node: a sum, or backward's argument."""
        what, ident = record[RANGE_WHAT], record[RANGE_IDENT]
        key = (what, ident)
        if found.bad and len(self.entries) < MOST:
            if key not in self.of_gradient:
                entry = Entry("gradient", "gradient", found, self.step)
                entry.parents, self.inside = self.inside[-1:], []
                self.of_gradient[key] = [self._append(entry)]
            if what == "grad":
                self._handle_leaf(ident, found, self.of_gradient[key])

    def _handle_leaf(self, ident: int, found: Range, senders: list[int]) -> None:
        """Handle the gradient of a leaf, the end of a path."""
        entry = Entry("leaf", self._name(ident, self._variables()), found, self.step)
        entry.shape = events.described.get(ident, ((), "", ""))[0]
        entry.parents = list(senders)
        at = self._append(entry)
        if self.root is None or self.reached == "nothing":
            self.reached = ""
            self._blame(earliest_source(self.entries, at), at)
        if at in self.descendants_of_root:
            self._end("gradient")

    def _sent(self, now: Record, record: Record, found: Range) -> None:
        if now[KIND] != "bwd" or not found.bad or len(self.entries) >= MOST:
            return
        at = self.open.get(now[THREAD])
        if at is None:
            at = self.open[now[THREAD]] = self._add_backward(now, found)
        elif found.nan > self.entries[at].result.nan:
            self.entries[at].result = found
        key = record[RANGE_WHAT], record[RANGE_IDENT]
        senders = self.of_gradient.setdefault(key, [])
        if at not in senders:
            senders.append(at)
        self._judge(at)

    def _add_backward(self, bwd: Record, found: Range) -> int:
        op = self.nodes.get(bwd[BWD_NODE])
        entry = Entry("backward", op[OP_NAME] if op else "backward", found, self.step)
        if op is not None:
            self._describe(entry, op)
        entry.parents = list(self.of_gradient.get(("node_grad", bwd[BWD_NODE]), ()))
        entry.parents, self.inside = entry.parents or self.inside[-1:], []
        return self._append(entry)

    def _handle_root(self, bwd: Record) -> None:
        """Handle the start of a backward pass: its loss is known."""
        op = self.nodes.get(bwd[BWD_NODE])
        outputs = op[OP_OUTPUTS] if op else ()
        at = next((self.of_tensor[t] for t in outputs if t in self.of_tensor), None)
        if at is None:
            if self.root is not None:
                self.reached = "nothing"  # until another loss or a gradient is reached
                self.rev += 1
            return
        if at not in self.descendants_of_root:
            self._blame(earliest_source(self.entries, at), at)
        self.goal = at
        self._end("loss")

    # ---- the responsible entry

    def _judge(self, at: int) -> None:
        """Report a nan at once; an infinity may still turn out to be deliberate."""
        if self.root is None and self.entries[at].result.nan:
            self._blame(earliest_source(self.entries, at), at)

    def _blame(self, root: int, at: int) -> None:
        self.root, self.goal = root, at
        self.descendants_of_root = {root}
        for i, entry in enumerate(self.entries):
            if not self.descendants_of_root.isdisjoint(entry.parents):
                self.descendants_of_root.add(i)
        self.rev += 1
        if self.stop and not self.reached:
            raise NonFiniteError("\n  ".join(describe_origin(self.data()["finding"])))

    def _end(self, reached: str) -> None:
        self.reached, self.ended = reached, True
        self.rev += 1

    def data(self) -> dict[str, Any]:
        """The finding as JSON-ready data."""
        with self.lock:
            suspects = [e for e in self.entries if not e.parents]
            before, new = self.before, self.checked > self.since
            found = finding_json(self) if self.root is not None else None
            gone = before if new and not found else None
            return {
                "v": 1,
                "rev": self.rev,
                "step": max(self.step, 0),
                "checked": self.checked,
                "suspects": 0 if self.root is not None else len(suspects),
                "noticed": self.noticed,
                "earlier": f"step {gone['step']}: {gone['rule']}" if gone else "",
                "finding": found or (None if new else before),
            }


_TAKERS = {
    "op": _Collector.take_op,
    "bwd": _Collector.take_bwd,
    "mod": _Collector.take_mod,
    "optim": _Collector.take_optim,
    "mark": _Collector.take_mark,
    "range": _Collector.take_range,
    "root": _Collector.take_root,
}


class NanTrailRecorder(Recorder):
    """Finds the op that first made a nan or infinity that matters (level 3).

    Args:
        stop: raise a `NonFiniteError` there, in the user's line.
        name: the key of the subscription.

    Raises:
        NonFiniteError: with `stop`, from the responsible op.

    Example:
        >>> import edutorch as torch
        >>> with NanTrailRecorder() as trail:
        ...     y = torch.tensor([-1.0, 4.0]).log().sum()
        >>> [box["name"] for box in trail.series()["finding"]["trail"]]
        ['log', 'sum']
    """

    kinds = ("op", "bwd", "mod", "optim", "mark", "range", "root")
    meant = (NonFiniteError,)
    _collector: _Collector

    def __init__(self, stop: bool = False, name: str = "inspect.nan_trail") -> None:
        self.can_skip_steps = not stop  # after a skipped step it would stop too late
        super().__init__(name, _Collector(stop), level=3)

    def _started(self, subscription: events.Subscription) -> None:
        self._collector.first_step = events.step

    @property
    def rev(self) -> int:
        """A number that increases with every non-finite value and training step."""
        return self._collector.rev

    def again(self) -> None:
        """Discard the finding and search for the next one."""
        with self._collector.lock:
            self._collector.begin()

    def replay(self, records: Any) -> NanTrailRecorder:
        """Add records of level 3 stored elsewhere; nothing is stopped."""
        self._collector.stop = False
        for record in records:
            if not self._collector.checked and not self._collector.rev:
                self._collector.first_step = record[STEP]
            self._collector.handle(record)
        return self

    def series(self) -> dict[str, Any]:
        """The finding with its path, as JSON-ready data; see `widgets.NaNTrail`."""
        return self._collector.data()
