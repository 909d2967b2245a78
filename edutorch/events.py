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
    "FIELDS",
    "SCHEMA",
    "Source",
    "Subscription",
    "Tap",
    "active",
    "as_dict",
    "level",
    "listen",
    "mark",
    "next_step",
    "rest",
    "source",
]

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
    "xfer": ("source", "target", "nbytes", "how"),
    "mark": ("name", "what"),
    # work of the library that is no op: what is "backward", "optim" or "data"; "op":
    # a function that PyTorch counts as an op; "inplace": the thread's last op is one;
    # device: where an update ran, "" where it is not one device's
    "span": ("name", "what", "device"),
    "def": ("table", "ident", "value"),
}  # fmt: skip

Handler = Callable[[tuple[Any, ...]], None]
Guard = Callable[[Exception], bool]  # whether what a handler has raised ends there
clock = time.perf_counter_ns
# what happens outside operations
RARE: Final = ("xfer", "mark", "def", "optim", "root", "span")
LEVEL_OF: Final = {"stat": 2, "range": 3}  # what a listener must request for a kind
active: tuple[Handler, ...] = ()  # listeners to what operations do
hears_modules = False  # whether somebody listens to them, or to calls of modules
handlers: dict[str, Handler | None] = dict.fromkeys(FIELDS)  # who wants each kind
level: int = 0
# called with each node that is recorded and its line, while somebody listens
node_watchers: tuple[Callable[[Any, int], None], ...] = ()
taps: tuple[Tap, ...] = ()  # who copies values
hears_roots = False  # whether somebody listens to roots of backward passes
hears_spans = False
resting = False  # whether a listener hears nothing for a while, and will again
step: int = 0
backward_ended: int = 0  # when the last pass that was watched ended: no record tells it

_subscriptions: dict[str, Subscription] = {}
_lock = threading.RLock()
next_number = itertools.count(1).__next__  # of records
next_id = itertools.count(1).__next__  # tensor, storage and module-call ids
on_change: list[Callable[[], None]] = []  # called when listeners come or go
before_mark: list[Callable[[], None]] = []  # called, if watched, before a mark
_thread = threading.get_ident


class Tap(Protocol):
    """Copies values: records hold none.

    Its methods are called with tensors and arrays themselves, each just before the
    record that tells of them and on the same thread. It must keep none of them.
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
    """A listener's place in the stream; `close()` ends it.

    Attributes:
        name: the key; listening again under it replaces this subscription.
        level: the requested level, 1 to 3; may be changed at any time.
        kinds: the kinds of records it is handed.
        tap: what is handed values besides; None for nothing.
        guard: told what a handler raises; True ends it there, and without a guard it
            reaches the program that is watched.
        resting: it hears nothing for a while; see `rest`.
    """

    def __init__(
        self,
        name: str,
        handler: Handler,
        level: int,
        kinds: Iterable[str],
        rest: Handler | None = None,
    ) -> None:
        self.name = name
        self.handler = handler
        self.rest = rest or handler
        self.kinds = frozenset(kinds)
        self.tap: Tap | None = None
        self.guard: Guard | None = None
        self.resting = False
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

        At level 0 and for rare kinds alone, all is as fast as if nobody listened.
        """
        with _lock:
            self._level, self.kinds, self.tap = level, frozenset(kinds), tap
            _refresh()

    def tell(self, record: tuple[Any, ...]) -> None:
        """Hand over one record, if it is of a kind that is requested."""
        if record[0] in self.kinds and self.open:
            tell = _all([(self.rest, self.guard)])
            if tell is not None:
                tell(record)

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
    rest: Handler | None = None,
    guard: Guard | None = None,
) -> Subscription:
    """Call `handler(record)` for every record from now on, on the thread it happens.

    Args:
        name: registering the same name again replaces the earlier listener.
        handler: must be quick and must not run tensor operations.
        level: 1 graph, time, allocations; 2 also statistics; 3 also exact ranges. A
            listener is handed no more than it requests, whatever others do.
        kinds: which kinds of records to hand over; all of them by default. What
            nobody requests is not made.
        rest: a quicker handler for all records but those of ops.
        guard: told what a handler raises; True ends it there.

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
    subscription = Subscription(name, handler, level, kinds, rest)
    subscription.guard = guard
    with _lock:
        _subscriptions[name] = subscription
        _refresh()
    return subscription


def _refresh() -> None:
    global active, hears_modules, level, hears_roots, hears_spans, resting, taps
    with _lock:
        subscriptions = tuple(s for s in _subscriptions.values() if not s.resting)
        resting = len(subscriptions) < len(_subscriptions)
        for kind in FIELDS:
            handlers[kind] = _all(
                [
                    (s.handler if kind == "op" else s.rest, s.guard)
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
        for changed in on_change:
            changed()


def rest(subscriptions: Iterable[Subscription], resting: bool) -> None:
    """Let listeners hear nothing for a while, or hear again; they keep their places.

    What listeners know of memory is kept meanwhile.
    """
    with _lock:
        for subscription in subscriptions:
            subscription.resting = resting
        _refresh()


def _all(listeners: list[tuple[Handler, Guard | None]]) -> Handler | None:
    """One handler that stands for several; for one without a guard, itself."""
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


def watch_nodes(told: Callable[[Any, int], None]) -> Callable[[], None]:
    """Call `told(node, src)` for each recorded node until the result is called.

    It may refer to the node weakly. Nodes are told while somebody listens to anything.
    """
    global node_watchers
    with _lock:
        node_watchers += (told,)

    def end() -> None:
        global node_watchers
        with _lock:
            node_watchers = tuple(w for w in node_watchers if w is not told)

    return end


def _after_fork() -> None:
    """A forked process has none of the threads that listen, or that hold the lock."""
    global _lock, node_watchers
    _lock = threading.RLock()
    node_watchers = ()
    _subscriptions.clear()
    _refresh()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def emit(kind: str, started: int, duration: int, *fields: Any) -> None:
    """Hand one record to every listener."""
    tell = handlers[kind]
    if tell is not None:
        thread = place.here.thread
        tell((kind, next_number(), started, duration, thread, step, *fields))


def as_dict(record: tuple[Any, ...]) -> dict[str, Any]:
    """A record with its fields named, and the schema version as `v`."""
    names = HEADER + FIELDS[record[0]]
    return {"v": SCHEMA, **dict(zip(names, record, strict=True))}


class Here:
    """Where a thread is.

    Attributes:
        phase: forward, backward, optim, data ...
        call: the module call that is running.
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


class _Place(threading.local):
    """Each thread's `here`; read it once per function, as thread-local data is slow."""

    def __init__(self) -> None:
        self.here = Here()


place = _Place()


def tid(tensor: Any) -> int:
    """The tensor's id: a counter, never reused."""
    found: int = tensor._tid
    if not found:
        found = tensor._tid = next_id()
    return found


names: dict[int, str] = {}  # tensor id -> dotted name, known since a module ran
homes: dict[int, int] = {}  # tensor id -> the number of the model it is a parameter of
# tensors that ops were given and no op had made: tensor id -> (shape, dtype, device)
described: dict[int, tuple[tuple[int, ...], str, str]] = {}


def wants(kind: str) -> bool:
    """Whether anybody listens to a kind of records.

    Example:
        >>> wants("xfer")
        False
    """
    return handlers[kind] is not None


def mark(name: str, what: str = "point") -> None:
    """Put a mark into the stream: "begin", "end" or "point" of something named.

    Example:
        >>> import edutorch as torch
        >>> torch.events.mark("epoch 1", "begin")
    """
    if active:
        _before_mark()
    emit("mark", clock(), 0, name, what)


def span(name: str, what: str, started: int, device: str = "") -> None:
    """Report work of the library that began at `started` and has ended."""
    emit("span", started, clock() - started, name, what, device)


def _before_mark() -> None:
    """Bring records up to date: what is gone at a mark is not held at it."""
    for report in before_mark:
        report()


def transfer(source: str, target: str, nbytes: int, how: str = "copy") -> None:
    """Report bytes copied from one device to another.

    Args:
        source, target: devices, such as "cpu" and "cuda:0".
        nbytes: how many bytes.
        how: "copy", or the phase of a parallel step that needed it, such as "scatter".
    """
    emit("xfer", clock(), 0, source, target, nbytes, how)


def next_step() -> None:
    """A training step has ended; `optimizer.step()` says so."""
    global step
    if active:
        _before_mark()
    emit("mark", clock(), 0, "step", "end")
    step += 1
