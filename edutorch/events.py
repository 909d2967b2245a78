"""Events as records: the stream that all views, exports and tests read.

A record is a tuple `(kind, seq, t0_ns, dur_ns, thread, step, *fields)`; the
fields of each kind are listed in `FIELDS`. Records contain only numbers and strings, so
that listening never keeps a tensor alive. Listeners are process-wide and keyed by name:
registering a name again replaces the listener. Without listeners, `active` is empty;
dispatch, the engine and `Module.__call__` only test that.

Levels: 1 graph, time and allocations; 2 also sampled statistics (`stat`); 3 also the
exact range of every value and gradient (`range`). The active level is the highest that
a listener requests.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

from .callers import Source, source

__all__ = [
    "FIELDS", "SCHEMA", "Source", "Subscription", "Tap", "active", "as_dict", "control",
    "level", "listen", "mark", "next_step", "pause", "source",
]  # fmt: skip

SCHEMA: Final = 1
HEADER: Final = ("kind", "seq", "t0_ns", "dur_ns", "thread", "step")
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    # one forward op; node: the id of its graph node (0 when nothing was recorded);
    # inputs, outputs: tensor ids; versions: of the inputs, () where none was changed
    # in place; call: the id of the module call it ran in
    "op": (
        "name", "cls", "phase", "inputs", "versions", "outputs", "node", "src", "call",
        "shape", "dtype", "device", "nbytes", "attrs", "view", "error",
    ),
    # one node of a backward pass; node as in "op"; target: the leaf's tensor id;
    # device: that of its result in the forward pass
    "bwd": ("name", "node", "target", "shape", "nbytes", "order", "device"),
    # model: a number of the module that was called from outside any
    "mod": ("what", "call", "parent", "path", "cls", "training", "model"),
    # op: the name of the op that made it, "" where one was only given it; tensor: the
    # id of the tensor that was first seen to hold it, or whose gradient ("grad") or
    # state in an optimizer ("exp_avg", ...) it is, as role says; model, path: the
    # module that was running, or whose result a gradient ("node_grad") is for
    "alloc": (
        "storage", "nbytes", "rounded", "device", "category", "src", "op", "tensor",
        "role", "model", "path", "shape", "dtype",
    ),
    "free": ("storage", "nbytes", "device", "category"),
    # tensor, role: as in "alloc", as far as they are known by now
    "cat": ("storage", "category", "tensor", "role"),
    "stat": (
        "what", "ident", "min", "max", "mean", "std", "norm", "zeros", "nonfinite",
        "sampled", "numel",
    ),
    # the range of all finite elements, and how many are not, of what: a "value" (ident:
    # the tensor's id), or the gradient for a node ("node_grad", ident as in "op") or a
    # leaf ("grad"); source: the node that has sent it, 0 for all that have arrived
    "range": (
        "what", "ident", "source", "min", "max", "nan", "posinf", "neginf", "numel",
    ),
    # what an op read besides its inputs, known once it has run: indices, labels
    "read": ("output", "inputs"),
    # an optimizer has stepped; targets: the tensor ids of its parameters
    "optim": ("cls", "targets"),
    # a backward pass begins at roots of one number each; value: their sum
    "root": ("value",),
    "xfer": ("source", "target", "nbytes", "purpose"),
    # control: "step", "idle", "pause" or "skip" if the library tells its recorders that
    # a training step has ended or that time is not to be counted, "phase" if it names a
    # part of each parallel step, "" otherwise
    "mark": ("name", "what", "control"),
    # a device has no memory left for an allocation of so many bytes; a mark follows
    "oom": ("device", "nbytes"),
    # work of the library other than ops: what is "backward", "optim" or "data"; "op":
    # a function that PyTorch counts as an op; "inplace": the thread's last op is one;
    # device: where an update ran, "" where it is not one device's
    "span": ("name", "what", "device"),
    "def": ("table", "ident", "value"),
}  # fmt: skip

Handler = Callable[[tuple[Any, ...]], None]
Guard = Callable[[Exception], bool]  # whether an exception of a handler was dealt with
clock = time.perf_counter_ns
RARE: Final = ("xfer", "mark", "oom", "def", "optim", "root", "span")  # outside ops
LEVEL_OF: Final = {"stat": 2, "range": 3}  # the level to request for a kind
active: tuple[Handler, ...] = ()  # listeners to operations
hears_modules = False  # whether there are listeners to them, or to calls of modules
handlers: dict[str, Handler | None] = dict.fromkeys(FIELDS)  # the handlers of each kind
level: int = 0
# called with each node that is recorded and its line, while somebody listens
node_watchers: tuple[Callable[[Any, int], None], ...] = ()
taps: tuple[Tap, ...] = ()  # who copies values
hears_roots = False  # whether there are listeners to roots of backward passes
hears_spans = False
hears_memory = False  # whether there are listeners to allocations
hears_backward = False  # or to anything else that a backward pass reports
paused = False  # whether a listener is paused temporarily
step: int = 0
backward_ended: int = 0  # when the last watched pass ended, which is not in any record

_subscriptions: dict[str, Subscription] = {}
_lock = threading.RLock()
next_number = itertools.count(1).__next__  # of records
next_id = itertools.count(1).__next__  # tensor, storage and module-call ids
on_change: list[Callable[[], None]] = []  # called when listeners come or go
before_mark: list[Callable[[], None]] = []  # called, if watched, before a mark
_thread = threading.get_ident


class Tap(Protocol):
    """Copies values, which are not in records.

    Its methods are called with the tensors and arrays, each just before the record of
    the event and on the same thread. It must not keep references to them.
    """

    def op(self, op: Any, inputs: Iterable[Any], outputs: tuple[Any, ...]) -> None:
        """An op has run, or failed if there are no outputs."""

    def read(self, read: Any) -> None:
        """The op that ran last has read this tensor besides its inputs."""

    def bwd(self, node: Any, gradient: Any, results: Any) -> None:
        """A node has sent results on, or a leaf (results: None) has its gradient."""

    def optim(self, parameters: tuple[Any, ...]) -> None:
        """An optimizer has updated these parameters."""


class Subscription:
    """A listener's registration; `close()` ends it.

    Attributes:
        name: the key; listening again under it replaces this subscription.
        level: the requested level, 1 to 3; may be changed at any time.
        kinds: the kinds of records that it receives.
        tap: receives the values; None for nothing.
        guard: called with an exception of a handler; True suppresses it. Without a
            guard it propagates to the watched program.
        paused: whether it is paused; see `pause`.
    """

    def __init__(
        self,
        name: str,
        handler: Handler,
        level: int,
        kinds: Iterable[str],
        other: Handler | None = None,
    ) -> None:
        self.name = name
        self.handler = handler
        self.other = other or handler
        self.kinds = frozenset(kinds)
        self.tap: Tap | None = None
        self.guard: Guard | None = None
        self.paused = False
        self._level = level

    @property
    def level(self) -> int:
        """The level this listener requests."""
        return self._level

    @level.setter
    def level(self, value: int) -> None:
        self._level = value
        _refresh()

    def change(self, level: int, kinds: Iterable[str], tap: Tap | None = None) -> None:
        """Request something else from now on: a level, kinds of records, values.

        Level 0, and rare kinds alone, cost as little as no listener.
        """
        with _lock:
            self._level, self.kinds, self.tap = level, frozenset(kinds), tap
            _refresh()

    def send(self, record: tuple[Any, ...]) -> None:
        """Hand over one record, if it is of a kind that is requested."""
        if record[0] in self.kinds and self.open:
            handler = _all([(self.other, self.guard)])
            if handler is not None:
                handler(record)

    @property
    def open(self) -> bool:
        """Whether records still arrive here."""
        return _subscriptions.get(self.name) is self

    def close(self) -> None:
        """Stop listening; closing twice does nothing."""
        with _lock:
            if self.open:
                del _subscriptions[self.name]
                _refresh()


def listen(
    name: str,
    handler: Handler,
    level: int = 1,
    kinds: Iterable[str] | None = None,
    other: Handler | None = None,
    guard: Guard | None = None,
) -> Subscription:
    """Call `handler(record)` for every record from now on, on the thread of the event.

    Args:
        name: registering the same name again replaces the earlier listener.
        handler: must be fast and must not run tensor operations.
        level: 1 graph, time, allocations; 2 also statistics; 3 also exact ranges. A
            listener receives no more than it requests, whatever others do.
        kinds: the kinds of records to receive; by default all. Records that no listener
            requests are not created.
        other: a faster handler for all records except those of ops.
        guard: called with an exception of a handler; True suppresses it.

    Example:
        >>> import edutorch as torch
        >>> seen = []
        >>> subscription = torch.events.listen("mine", seen.append)
        >>> _ = torch.ones(2) + 1
        >>> subscription.close()
        >>> [r[6] for r in seen if r[0] == "op"]
        ['add']
    """
    kinds = FIELDS if kinds is None else kinds
    subscription = Subscription(name, handler, level, kinds, other)
    subscription.guard = guard
    with _lock:
        _subscriptions[name] = subscription
        _refresh()
    return subscription


def _refresh() -> None:
    global active, hears_modules, level, hears_roots, hears_spans, paused, taps
    global hears_memory, hears_backward
    with _lock:
        subscriptions = tuple(s for s in _subscriptions.values() if not s.paused)
        paused = len(subscriptions) < len(_subscriptions)
        for kind in FIELDS:
            handlers[kind] = _all(
                [
                    (s.handler if kind == "op" else s.other, s.guard)
                    for s in subscriptions
                    if kind in s.kinds and s.level >= LEVEL_OF.get(kind, 0)
                ]
            )
        common = [(s, s.kinds.difference(RARE)) for s in subscriptions]
        active = tuple(s.handler for s, kinds in common if kinds - {"mod"})
        hears_modules = any(kinds for _, kinds in common)
        level = max((s.level for s in subscriptions), default=0)
        taps = tuple(s.tap for s in subscriptions if s.tap is not None)
        hears_roots = handlers["root"] is not None
        hears_spans = handlers["span"] is not None
        hears_memory = handlers["alloc"] is not None
        heard = hears_memory or handlers["bwd"] is not None
        hears_backward = heard or level > 1 or bool(taps)
        for changed in on_change:
            changed()


def pause(subscriptions: Iterable[Subscription], paused: bool) -> None:
    """Pause listeners temporarily, or resume them; they remain registered.

    The information about memory is preserved meanwhile.
    """
    with _lock:
        for subscription in subscriptions:
            subscription.paused = paused
        _refresh()


def _all(listeners: list[tuple[Handler, Guard | None]]) -> Handler | None:
    """One handler that calls all; a single one without a guard is returned as is."""
    if not listeners:
        return None
    if len(listeners) == 1 and listeners[0][1] is None:
        return listeners[0][0]

    def each(record: tuple[Any, ...]) -> None:
        for handler, guard in listeners:
            try:
                handler(record)
            except Exception as error:
                if guard is None or not guard(error):
                    raise

    return each


def watch_nodes(watcher: Callable[[Any, int], None]) -> Callable[[], None]:
    """Call `watcher(node, src)` for each recorded node until the result is called.

    It may refer to the node weakly. It is called only while there are listeners.
    """
    global node_watchers
    with _lock:
        node_watchers += (watcher,)

    def end() -> None:
        global node_watchers
        with _lock:
            node_watchers = tuple(w for w in node_watchers if w is not watcher)

    return end


def _after_fork() -> None:
    """Reset after a fork, which ends threads that listen or hold the lock."""
    global _lock, node_watchers
    _lock = threading.RLock()
    node_watchers = ()
    _subscriptions.clear()
    _refresh()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def emit(kind: str, started: int, duration: int, *fields: Any) -> None:
    """Send one record to every listener."""
    handler = handlers[kind]
    if handler is not None:
        thread = thread_local.state.thread
        handler((kind, next_number(), started, duration, thread, step, *fields))


def as_dict(record: tuple[Any, ...]) -> dict[str, Any]:
    """A record with its fields named, and the schema version as `v`."""
    names = HEADER + FIELDS[record[0]]
    return {"v": SCHEMA, **dict(zip(names, record, strict=True))}


class ThreadState:
    """What a thread is doing: its phase, and the module call that runs.

    Attributes:
        phase: forward, backward, optim, data ...
        call: the running module call.
        path: the dotted path of its module.
        calls: call and path of the calls around it.
        paths: the path of each module of the tree, by its id.
        model: the number of that tree's root.
        thread: the thread's number.
    """

    __slots__ = ("phase", "call", "path", "calls", "paths", "model", "thread")

    def __init__(self) -> None:
        self.phase = "forward"
        self.call = 0
        self.path = ""
        self.calls: list[tuple[int, str]] = []
        self.paths: dict[int, str] = {}
        self.model = 0
        self.thread = _thread()


class _ThreadLocal(threading.local):
    """Each thread's `state`; read it once per function, since it is slow."""

    def __init__(self) -> None:
        self.state = ThreadState()


thread_local = _ThreadLocal()


def tensor_id(tensor: Any) -> int:
    """The tensor's id: a counter, never reused."""
    found: int = tensor._tensor_id
    if not found:
        found = tensor._tensor_id = next_id()
    return found


names: dict[int, str] = {}  # tensor id -> dotted name, known since a module ran
homes: dict[int, int] = {}  # tensor id -> the number of the model it is a parameter of
# tensor id -> the number of the model it is a buffer of, and its name; the oldest are
# dropped, since a forward may replace its buffers
buffers: dict[int, tuple[int, str]] = {}
# inputs not made by an op: tensor id -> (shape, dtype, device)
described: dict[int, tuple[tuple[int, ...], str, str]] = {}


def wants(kind: str) -> bool:
    """Whether there are listeners to a kind of records.

    Example:
        >>> wants("xfer")
        False
    """
    return handlers[kind] is not None


def mark(name: str, what: str = "point", control: str = "") -> None:
    """Emit a mark: the "begin" or "end" of something with a name, or a "point".

    Example:
        >>> import edutorch as torch
        >>> torch.events.mark("epoch 1", "begin")
    """
    if active:
        _before_mark()
    emit("mark", clock(), 0, name, what, control)


def control(name: str, what: str) -> None:
    """Emit a mark of the library, which recorders obey; `FIELDS` lists the names."""
    mark(name, what, name)


def span(name: str, what: str, started: int, device: str = "") -> None:
    """Report work of the library that began at `started` and has ended."""
    emit("span", started, clock() - started, name, what, device)


def _before_mark() -> None:
    """Bring records up to date before a mark, and report freed memory."""
    for report in before_mark:
        report()


def transfer(source: str, target: str, nbytes: int, purpose: str = "copy") -> None:
    """Report bytes copied from one device to another.

    Args:
        source, target: devices, such as "cpu" and "cuda:0".
        nbytes: how many bytes.
        purpose: "copy", or the phase of a parallel step, such as "scatter".
    """
    emit("xfer", clock(), 0, source, target, nbytes, purpose)


def next_step() -> None:
    """A training step has ended; called by `optimizer.step()`."""
    global step
    if active:
        _before_mark()
    emit("mark", clock(), 0, "step", "end", "step")  # `control`, with a frame less
    step += 1
