"""The records of one training step, with copies of all values, for Stepper."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any

from .. import events
from ..autograd.unbroadcast import cast_like_input
from ..callers import caller_frame
from ..module_events import name_of
from ..tensor.tensor import Tensor
from .event_fields import (
    KIND,
    MARK_CONTROL,
    MARK_WHAT,
    MOD_CALL,
    MOD_WHAT,
    OP_ERROR,
    OP_NODE,
    OP_PHASE,
    SPAN_WHAT,
    STEP,
    THREAD,
)
from .frame_tensors import tensors_of
from .recorder import Recorder
from .step_log import NOT_THE_MODEL
from .value_store import LIMIT, ValueStore

__all__ = ["MAX_ENTRIES", "MAX_LEFT_OUT", "Entry", "StepRecorder", "Target"]

MAX_ENTRIES = 2000  # ops and nodes that are kept of a step
MAX_LEFT_OUT = 2000  # further ones that are counted before the recorder stops listening
PLAIN = (int, float, str, bool, tuple, list, type(None))
ALL = ("op", "bwd", "mod", "optim", "span", "mark")
IDLE = ("mark",)

Target = tuple[str, int, int]  # "node" or "leaf", its number, and which output of it


class Entry:
    """An op, a node of a backward pass, a leaf's gradient, or an update.

    Attributes:
        record: the event.
        inputs: an op's operands, as pairs of tensor id and copy; of an update the
            parameters before it.
        outputs: copies of an op's results; of the gradients of a node's outputs, of
            a leaf's gradient; of the parameters after an update.
        sent: for each operand of a node, where its gradient goes, and a copy of it.
        attributes: the op's attributes.
        after: a leaf's `.grad` once the gradient has been added.
        read: copies of what an op read besides its operands.
        in_place: whether an op wrote its result over its operand.
    """

    __slots__ = (
        "record", "inputs", "outputs", "sent", "attributes", "read", "after",
        "in_place",
    )  # fmt: skip

    def __init__(self) -> None:
        self.record: tuple[Any, ...] = ()
        self.inputs: list[tuple[int, int]] = []
        self.outputs: list[int] = []
        self.sent: list[tuple[Target, int] | None] = []
        self.attributes: dict[str, Any] = {}
        self.read: list[int] = []
        self.after = 0
        self.in_place = False


def _record_errors(take: Callable[..., None]) -> Callable[..., None]:
    """Store an error (such as lack of memory) as `trouble` instead of raising it."""

    @wraps(take)
    def guarded(collector: StepCollector, *values: Any) -> None:
        with collector.lock:
            try:
                take(collector, *values)
            except Exception as error:  # noqa: BLE001 (a view must never hurt the training)
                collector.trouble = f"{type(error).__name__}: {error}"
                collector.arm(False)

    return guarded


class StepCollector:
    """Collects entries; `op`, `bwd` and `optim` receive values before the record.

    Attributes:
        entries: in the order in which they ran.
        calls: "mod" records of entered modules, by call.
        names: of tensors in the program, by id.
        left_out: entries beyond `MAX_ENTRIES`, counted up to `MAX_LEFT_OUT`.
        trouble: why recording has stopped, "" where it has not.
        paused: whether `live` holds the training.
        armed: whether values are recorded.
    """

    def __init__(self, steps: int, limit: int) -> None:
        self.steps = steps
        self.store = ValueStore(limit)
        self.lock = threading.RLock()
        self.on_armed: Any = None
        self.rev = 0
        self.first_step = 0
        self.paused = False
        self.armed = True
        self._following = False  # `live` has stopped the training
        self._cut = False  # a cell has begun
        self.begin()

    def begin(self) -> None:
        """Forget the step."""
        self.entries: list[Entry] = []
        self.calls: dict[int, tuple[Any, ...]] = {}
        self.names: dict[int, str] = {}
        self.left_out = 0
        self.step = 0
        self.trouble = ""
        self.partial = False  # the beginning of the step was not recorded
        self._latest: dict[int, int] = {}  # tensor id -> copy
        self._made: set[int] = set()  # results of recorded ops
        self._arriving: dict[Target, list[int]] = {}
        self._pending: dict[int, Entry] = {}  # by thread
        self._ended = 0  # steps
        self._over = False  # the next op begins a new recording
        self.store.clear()

    def arm(self, armed: bool) -> None:
        """Listen to values, or only to marks, which costs nothing."""
        if armed != self.armed:
            self.armed = armed
            if self.on_armed is not None:
                self.on_armed(armed)

    def again(self) -> None:
        """Record a new step that begins with the next op."""
        with self.lock:
            self._over = True
            self.arm(True)

    def cell_began(self) -> None:
        """Begin a new recording at the next op, unless that uses recorded values."""
        with self.lock:
            self._cut = True
            self.arm(True)

    # ---- values, received just before their records

    @_record_errors
    def op(self, op: Any, inputs: Any, outputs: Any) -> None:
        """Copy an op's operands and results."""
        if events.thread_local.state.phase in NOT_THE_MODEL:
            return
        idents = [t._tensor_id for t in inputs if isinstance(t, Tensor)]
        self._begin_where_due(idents)
        if not self._has_capacity():
            return
        now = Entry()
        written = () if op.is_view else [t._storage for t in outputs]
        now.inputs = [self._operand(t, written) for t in inputs]
        now.outputs = [self._value(t) for t in outputs]
        self._made.update(t._tensor_id for t in outputs)
        now.attributes = self._attributes(op)
        self._pending[events.thread_local.state.thread] = now

    def _operand(self, t: Any, written: Any) -> tuple[int, int]:
        if not isinstance(t, Tensor):
            return 0, 0 if t is None else self.store.keep(t)
        ident = events.tensor_id(t)
        if t._storage is not None and any(t._storage is s for s in written):
            return ident, self._latest.get(ident, 0)  # its memory has been overwritten
        if ident not in self._latest:
            self._name(t, ident)
        return ident, self._value(t)

    def _value(self, t: Tensor) -> int:
        ident = events.tensor_id(t)
        number = self.store.keep(t, (self._latest.get(ident, 0),))
        self._latest[ident] = number
        return number

    def _name(self, t: Tensor, ident: int) -> None:
        name = name_of(ident)
        if not name:
            held = tensors_of(caller_frame()).items()
            name = next((n for n, v in held if v is t), "")
        self.names[ident] = name

    def _attributes(self, op: Any) -> dict[str, Any]:
        """Numbers and strings as they are, arrays as copies."""
        known = {a: getattr(op, a, None) for a in op.attributes}
        if op.op_class.__name__ == "Dropout":
            known["mask"] = op.saved
        return {
            a: v if isinstance(v, PLAIN) else self.store.get(self.store.keep(v))
            for a, v in known.items()
        }

    @_record_errors
    def read(self, read: Tensor) -> None:
        """Copy a tensor that an op read in addition to its operands."""
        if self.entries and self.entries[-1].record[KIND] == "op":
            self.entries[-1].read.append(self._value(read))

    @_record_errors
    def bwd(self, node: Any, gradient: Any, results: Any) -> None:
        """Copy the gradients of a node's outputs and of its operands."""
        if not self._has_capacity():
            return
        now = Entry()
        several = gradient if type(gradient) is list else [gradient]
        for nr, g in enumerate(several):
            candidates = self._arriving.pop(_target(node, nr), ())
            now.outputs.append(0 if g is None else self.store.keep(g, candidates))
        if node.is_op:
            sent = results if type(results) in (tuple, list) else (results,)
            for i, (edge, g) in enumerate(zip(node.edges, sent, strict=False)):
                now.sent.append(self._send(node, i, edge, g))
        else:
            if node._grad is not None:
                now.after = self.store.keep(node._grad, now.outputs)
            if events.tensor_id(node) not in self.names:
                self._name(node, node._tensor_id)
        self._pending[events.thread_local.state.thread] = now

    def _send(self, node: Any, i: int, edge: Any, g: Any) -> Any:
        if edge is None or g is None:
            return None
        nr = node.edge_nrs[i]
        shape, dtype = _gradient_spec(edge, nr)
        g = getattr(g, "_data", g)
        if tuple(g.shape) != tuple(shape):
            g = cast_like_input(g, shape, dtype, node, i)
        target = _target(edge, nr)
        parts = self._arriving.setdefault(target, [])
        number = self.store.keep(g, parts[-1:])
        parts.append(number)
        return target, number

    @_record_errors
    def optim(self, parameters: Any) -> None:
        """Copy updated parameters; their old values are known from ops."""
        if not self._has_capacity():
            return
        now = Entry()
        for p in parameters:
            before = self._latest.get(events.tensor_id(p), 0)
            now.inputs.append((p._tensor_id, before))
            now.outputs.append(self._value(p))
        self._pending[events.thread_local.state.thread] = now

    # ---- records

    def handle(self, record: tuple[Any, ...]) -> None:
        """Handle one record, on the thread where it happened."""
        kind = record[KIND]
        if kind == "mark":
            self._mark(record)
        elif kind == "mod":
            if record[MOD_WHAT] == "enter" and len(self.calls) < 10 * MAX_ENTRIES:
                self.calls[record[MOD_CALL]] = record
        elif kind in ("op", "bwd", "optim"):
            self._append(record)
        elif kind == "span" and record[SPAN_WHAT] == "inplace" and self.entries:
            self.entries[-1].in_place = True

    def _append(self, record: tuple[Any, ...]) -> None:
        kind = record[KIND]
        if kind == "op" and record[OP_PHASE] in NOT_THE_MODEL:
            return
        with self.lock:
            entry = self._pending.pop(record[THREAD], None)
            if entry is None:
                return
            entry.record = record
            self.entries.append(entry)
            self.step = record[STEP] - self.first_step
            self.rev += 1

    def _has_capacity(self) -> bool:
        full = len(self.entries) >= MAX_ENTRIES
        self.left_out += full
        if self.left_out >= MAX_LEFT_OUT and not self._following:
            self.arm(False)  # nothing more can be kept of this step
        return not full and self.armed

    def _begin_where_due(self, idents: list[int]) -> None:
        """Begin at a new step, or in a cell that uses nothing recorded."""
        if self._cut and not self._over:
            before = {r[KIND] for r in (m.record for m in self.entries)}
            known = not self._made.isdisjoint(idents)
            failed = any(
                m.record[KIND] == "op" and m.record[OP_ERROR] for m in self.entries
            )
            self._over = failed or "bwd" in before or not known
        self._cut = False
        if self._over:
            calls = {c: r for c, r in self.calls.items() if c in _running()}
            self.begin()
            self.calls = calls

    def _mark(self, record: tuple[Any, ...]) -> None:
        control, what = record[MARK_CONTROL], record[MARK_WHAT]
        with self.lock:
            if control == "pause":
                self._pause(what)
            elif (control, what) == ("step", "end") and self.armed and self.entries:
                self._ended += 1
                if self._following:
                    self._over = True
                elif self._ended >= self.steps:
                    self.entries = _without_initialisation(self.entries)
                    self.arm(False)
                self.rev += 1

    def _pause(self, what: str) -> None:
        self.paused = what == "begin"
        self.rev += 1
        if what == "over":
            self._following = False
            if self._over:
                self.arm(False)
        else:
            self._following = True
            if not self.armed:
                self.begin()
                self.partial = True
                self.arm(True)


def _target(node: Any, nr: int) -> Target:
    return ("node", node.seq, nr) if node.is_op else ("leaf", events.tensor_id(node), 0)


def _gradient_spec(edge: Any, nr: int) -> tuple[Any, Any]:
    """Shape and dtype of the gradient at the end of an edge."""
    if not edge.is_op:
        return edge._data.shape, edge._data.dtype
    if type(edge.out_dtype) is tuple:
        return edge.out_shape[nr], edge.out_dtype[nr]
    return edge.out_shape, edge.out_dtype


def _without_initialisation(entries: list[Entry]) -> list[Entry]:
    """The entries after the last that filled a tensor in place before any gradient.

    These initialised a model in the same cell; the training step begins afterwards.
    """
    begin = 0
    for at, entry in enumerate(entries):
        if entry.record[KIND] != "op" or entry.record[OP_NODE]:
            break
        if entry.in_place:
            begin = at + 1
    return entries[begin:]


def _running() -> set[int]:
    """The module calls that this thread is inside of."""
    state = events.thread_local.state
    return {state.call, *(call for call, _ in state.calls)}


class StepRecorder(Recorder):
    """Records training steps with all values, as copies within a limit (level 2).

    Values are copied until a training step has ended, and again after a pause of
    `edutorch.widgets.live`; in between, it only listens to marks.

    Args:
        steps: the number of training steps to record.
        limit: bytes of the copies; beyond them the largest are dropped.
        name: the key of the subscription.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor(3.0, requires_grad=True)
        >>> with StepRecorder() as steps:
        ...     (x * x).backward()
        >>> [entry.record[6] for entry in steps.collector.entries]
        ['mul', 'MulBackward0', 'AccumulateGrad']
    """

    kinds = ALL
    can_skip_steps = False  # it stops listening when its steps are recorded

    def __init__(
        self, steps: int = 1, limit: int = LIMIT, name: str = "inspect.steps"
    ) -> None:
        if steps < 1:
            raise ValueError(f"steps: expected at least 1, got {steps}")
        self.collector = StepCollector(steps, limit)
        super().__init__(name, self.collector, level=2)

    def _started(self, subscription: events.Subscription) -> None:
        def choose(armed: bool) -> None:
            if armed:
                subscription.change(2, ALL, collector)
            else:  # at level 0 even optimizers run as if nobody listened
                subscription.change(0, IDLE)

        collector = self.collector
        collector.first_step = events.step
        collector.on_armed = choose
        choose(collector.armed)

    @property
    def rev(self) -> int:
        """A number that increases with everything recorded."""
        return self.collector.rev

    def close(self) -> None:
        """Stop listening; the recorded step remains until `clear`."""
        self.collector.on_armed = None
        super().close()

    def clear(self) -> None:
        """Release the copies."""
        with self.collector.lock:
            self.collector.begin()
