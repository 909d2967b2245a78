"""What happened, as records: the one stream that every view, export and test reads.

A record is a plain tuple `(kind, seq, t0_ns, dur_ns, thread, step, *fields)`; the
fields of each kind are named in `FIELDS`. Records hold numbers and strings only, so
that watching never keeps a tensor alive. Listeners are process-wide and keyed by
name: registering a name again replaces the listener. With no listener, `active` is
empty, and testing it is all that the gate, the engine and `Module.__call__` do.

Levels: 1 graph, time and allocations; 2 and sampled statistics (`stat`); 3 and
values. The active level is the highest that a listener asks for.
"""

from __future__ import annotations

import itertools
import os
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from types import CodeType
from typing import Any, Final, NamedTuple

import numpy as np

__all__ = [
    "FIELDS",
    "SCHEMA",
    "Source",
    "Subscription",
    "active",
    "as_dict",
    "level",
    "listen",
    "mark",
    "next_step",
    "source",
]

SCHEMA: Final = 1
HEADER: Final = ("kind", "seq", "t0_ns", "dur_ns", "thread", "step")
FIELDS: Final[dict[str, tuple[str, ...]]] = {
    # one forward op; node: the id of its graph node (0 when nothing was recorded);
    # inputs, outputs: tensor ids; call: the id of the module call it ran in
    "op": (
        "name", "cls", "phase", "inputs", "versions", "outputs", "storages", "node",
        "parents", "src", "call", "shape", "dtype", "device", "nbytes", "attrs",
        "view", "error",
    ),
    # one node of a backward pass; node as in "op"; target: the leaf's tensor id
    "bwd": ("name", "node", "target", "shape", "nbytes", "order"),
    "mod": ("what", "call", "parent", "path", "cls", "training"),
    "alloc": ("storage", "nbytes", "rounded", "device", "category", "src"),
    "free": ("storage", "nbytes", "device", "category"),
    "cat": ("storage", "category"),
    "stat": (
        "what", "ident", "min", "max", "mean", "std", "norm", "zeros", "nonfinite",
        "sampled", "numel",
    ),
    "xfer": ("source", "target", "nbytes", "how"),
    "mark": ("name", "what"),
    "def": ("table", "ident", "value"),
}  # fmt: skip

Handler = Callable[[tuple[Any, ...]], None]
clock = time.perf_counter_ns
RARE: Final = ("xfer", "mark", "def")  # what happens outside operations
active: tuple[Handler, ...] = ()  # listeners to anything but the rare kinds
_handlers: dict[str, tuple[Handler, ...]] = dict.fromkeys(FIELDS, ())
level: int = 0
step: int = 0

_subscriptions: dict[str, Subscription] = {}
_lock = threading.RLock()
_sequence = itertools.count(1).__next__
_numbers = itertools.count(1).__next__  # tensor, storage and module-call ids
_thread = threading.get_ident


class Subscription:
    """A listener's place in the stream; `close()` ends it.

    Attributes:
        name: the key; listening again under it replaces this subscription.
        level: what it asks for, 1 to 3; may be changed at any time.
        kinds: the kinds of records it is handed.
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
        self._level = level

    @property
    def level(self) -> int:
        """The level this listener asks for."""
        return self._level

    @level.setter
    def level(self, value: int) -> None:
        self._level = value
        _refresh()

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
) -> Subscription:
    """Call `handler(record)` for every record from now on, on the thread it happens.

    Args:
        name: registering the same name again replaces the earlier listener.
        handler: must be quick and must not run tensor operations.
        level: 1 graph, time, allocations; 2 and statistics; 3 and values.
        kinds: which kinds of records to hand over; all of them by default. What
            nobody asks for is not made.
        rest: a quicker handler for all records but those of ops.

    Example:
        >>> import edutorch as torch
        >>> seen = []
        >>> subscription = torch.events.listen("mine", seen.append)
        >>> _ = torch.ones(2) + 1
        >>> subscription.close()
        >>> [r[6] for r in seen if r[0] == "op"]
        ['add']
    """
    wanted = FIELDS if kinds is None else kinds
    subscription = Subscription(name, handler, level, wanted, rest)
    with _lock:
        _subscriptions[name] = subscription
        _refresh()
    return subscription


def _refresh() -> None:
    global active, level
    with _lock:
        subscriptions = tuple(_subscriptions.values())
        for kind in FIELDS:
            _handlers[kind] = tuple(
                s.handler if kind == "op" else s.rest
                for s in subscriptions
                if kind in s.kinds
            )
        active = tuple(s.handler for s in subscriptions if s.kinds.difference(RARE))
        level = max((s.level for s in subscriptions), default=0)
        if not _handlers["alloc"]:
            _live.clear()
            _gone.clear()


def _after_fork() -> None:
    """A forked process has none of the threads that listen, or that hold the lock."""
    global _lock
    _lock = threading.RLock()
    _subscriptions.clear()
    _refresh()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def emit(kind: str, started: int, duration: int, *fields: Any) -> None:
    """Hand one record to every listener."""
    handlers = _handlers[kind]
    if handlers:
        record = (kind, _sequence(), started, duration, _thread(), step, *fields)
        for handler in handlers:
            handler(record)


def as_dict(record: tuple[Any, ...]) -> dict[str, Any]:
    """A record with its fields named, and the schema version as `v`."""
    names = HEADER + FIELDS[record[0]]
    return {"v": SCHEMA, **dict(zip(names, record, strict=True))}


# ---- where things come from


class Source(NamedTuple):
    """A place in a program: file, line and function."""

    file: str
    line: int
    func: str


_HOME: Final = os.path.dirname(os.path.abspath(__file__)) + os.sep
_library: dict[str, bool] = {}  # by file name: hashing a code object is slow
_source_ids: dict[tuple[str, int], int] = {}
_sources: list[Source] = []


def is_library(code: CodeType) -> bool:
    """Whether code belongs to this package (frames of which are never "the caller")."""
    known = _library.get(code.co_filename)
    if known is None:
        known = _library[code.co_filename] = code.co_filename.startswith(_HOME)
    return known


def caller_frame(skip: int = 1) -> Any:
    """The nearest frame outside the library, `skip` frames up or more."""
    frame = sys._getframe(skip)
    known = _library.get
    while (up := frame.f_back) is not None:
        ours = known(frame.f_code.co_filename)
        if not (is_library(frame.f_code) if ours is None else ours):
            break
        frame = up
    return frame


def caller() -> int:
    """The id of the line outside the library that is running; see `source`."""
    frame = sys._getframe(3)  # the nearest that it may be: above this file and the gate
    known = _library.get
    while True:
        code = frame.f_code
        ours = known(code.co_filename)
        up = frame.f_back if ours or (ours is None and is_library(code)) else None
        if up is None:
            break
        frame = up
    key = (code.co_filename, frame.f_lineno)
    found = _source_ids.get(key)
    if found is None:
        place = Source(*key, code.co_qualname)
        with _lock:
            found = _source_ids[key] = len(_sources)
            _sources.append(place)
        emit("def", clock(), 0, "src", found, f"{key[0]}:{key[1]}:{place.func}")
    return found


def source(ident: int) -> Source:
    """The place behind a record's `src`."""
    return _sources[ident]


# ---- storages: allocation, category, release


class _StorageRef(weakref.ref[Any]):
    __slots__ = ("sid", "nbytes", "device", "category")

    sid: int
    nbytes: int
    device: str
    category: str


_live: dict[int, _StorageRef] = {}
_gone: deque[_StorageRef] = deque()  # filled by weakref callbacks, on any thread


def saw(storage: Any, category: str, src: int = -1, now: int = 0) -> int:
    """Tell listeners of a storage, the first time it is seen; returns its bytes."""
    sid = storage.sid
    if sid in _live:
        return 0
    nbytes: int = storage.array.nbytes
    handlers = _handlers["alloc"]
    if not handlers:
        return nbytes
    ref = _live[sid] = _StorageRef(storage, _gone.append)
    ref.sid = sid
    ref.nbytes = nbytes
    ref.category = category = storage.category or category
    ref.device = device = storage.device._text
    rounded = nbytes if device == "cpu" else storage.rounded
    record = (
        "alloc", _sequence(), now or clock(), 0, _thread(), step,
        sid, nbytes, rounded, device, category, src,
    )  # fmt: skip
    for handler in handlers:
        handler(record)
    return nbytes


def recategorise(storage: Any, category: str) -> None:
    """Record that a storage turned out to be a parameter, a gradient ..."""
    storage.category = category
    ref = _live.get(storage.sid)
    if ref is None:
        saw(storage, category)
    elif ref.category != category:
        ref.category = category
        emit("cat", clock(), 0, storage.sid, category)


def living() -> list[tuple[Any, ...]]:
    """An `alloc` record for every storage that listeners have been told of."""
    return [
        ("alloc", 0, clock(), 0, _thread(), step, ref.sid, ref.nbytes, ref.nbytes,
         ref.device, ref.category, -1)
        for ref in list(_live.values())
    ]  # fmt: skip


def drain(now: int = 0) -> None:
    """Emit `free` for every storage that died since the last record."""
    now, thread, handlers = now or clock(), _thread(), _handlers["free"]
    while _gone:
        try:
            ref = _gone.popleft()
        except IndexError:  # another thread was quicker
            return
        if _live.pop(ref.sid, None) is None:
            continue
        record = (
            "free", _sequence(), now, 0, thread, step,
            ref.sid, ref.nbytes, ref.device, ref.category,
        )  # fmt: skip
        for handler in handlers:
            handler(record)


Booking = tuple[int, int, str, str]


def book(nbytes: int, where: Any, category: str) -> Booking | None:
    """Announce bytes that no storage owns (a gradient on its way)."""
    handlers = _handlers["alloc"]
    if not handlers:
        return None
    sid, device = _numbers(), where._text
    record = (
        "alloc", _sequence(), clock(), 0, _thread(), step,
        sid, nbytes, nbytes, device, category, -1,
    )  # fmt: skip
    for handler in handlers:
        handler(record)
    return sid, nbytes, device, category


def unbook(booking: Booking) -> None:
    """The end of what `book` announced."""
    record = ("free", _sequence(), clock(), 0, _thread(), step, *booking)
    for handler in _handlers["free"]:
        handler(record)


def adopt(storage: Any, booking: Booking) -> None:
    """What `book` announced has become a storage: one entry, from now on its own."""
    storage.sid, storage.category = booking[0], booking[3]
    ref = _live[storage.sid] = _StorageRef(storage, _gone.append)
    ref.sid, ref.nbytes, ref.device, ref.category = booking


# ---- ops, nodes, modules, marks


class _Place(threading.local):
    phase = "forward"
    call = 0  # the module call that is running
    path = ""  # and the dotted path of its module

    def __init__(self) -> None:
        self.calls: list[tuple[int, str]] = []
        self.paths: dict[int, str] = {}


place = _Place()
names: dict[int, str] = {}  # tensor id -> dotted name, known since a module ran


def tid(tensor: Any) -> int:
    """The tensor's id: a counter, never reused."""
    found: int = tensor._tid
    if not found:
        found = tensor._tid = _numbers()
    return found


dtype_names: dict[Any, str] = {}  # the text of a NumPy dtype takes 2 us


def _name_dtype(dtype: Any) -> str:
    name = dtype_names[dtype] = str(dtype)
    return name


# what ops were given and no op had made: tensor id -> (shape, dtype, device)
described: dict[int, tuple[tuple[int, ...], str, str]] = {}
DESCRIBED: Final = 10_000
_NONE: tuple[int, ...] = ()


def _describe(t: Any) -> None:
    if len(described) >= DESCRIBED:
        for old in list(described)[: DESCRIBED // 2]:
            described.pop(old, None)
    described[tid(t)] = (tuple(t._data.shape), str(t._data.dtype), str(t._device))


def announce_op(
    op: Any, inputs: Iterable[Any], outputs: tuple[Any, ...], started: int
) -> None:
    """The gate's report of one op that has run."""
    now = clock()
    if _gone:
        drain(now)
    out = outputs[0]
    src = caller()
    recorded = out._grad_fn is op
    if recorded and place.path:
        op.module_path = place.path
    tracked = _handlers["alloc"]
    ins, versions, parents = _NONE, _NONE, _NONE
    for t in inputs:
        ident = getattr(t, "_tid", None)
        if ident is None:
            continue
        storage = t._storage
        if storage is None:
            storage = t.untyped_storage()
        if tracked and storage.sid not in _live:
            saw(storage, "other", src, now)
        node = t._grad_fn
        if node is None and ident not in described:
            _describe(t)
        ins += (ident or t._tid or tid(t),)
        versions += (storage.version,)
        parents += (0 if node is None else node.seq,)
    outs, storages, nbytes = _made(outputs, recorded, src, now)
    handlers = _handlers["op"]
    if not handlers and level < 2:
        return
    name = dtype_names.get(out._data.dtype) or _name_dtype(out._data.dtype)
    record = (
        "op", _sequence(), started, now - started, _thread(), step,
        op.public, type(op).__name__, place.phase, ins, versions,
        outs, storages, op.seq if recorded else 0, parents,
        src, place.call, out._data.shape, name, out._device._text, nbytes,
        op.describe() if level >= 2 else "", op.is_view, "",
    )  # fmt: skip
    for handler in handlers:
        handler(record)
    if level >= 2:
        _summarise(inputs, outputs)


def _made(
    outputs: tuple[Any, ...], recorded: bool, src: int, now: int
) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Ids and storages of an op's results, and how many new bytes they take."""
    category = "activation" if recorded else "other"
    outs, storages, nbytes = _NONE, _NONE, 0
    for t in outputs:
        storage = t._storage
        if storage is None:
            storage = t.untyped_storage()
        if storage.sid not in _live:
            nbytes += saw(storage, category, src, now)
        outs += (t._tid or tid(t),)
        storages += (storage.sid,)
    return outs, storages, nbytes


def _summarise(inputs: Iterable[Any], outputs: tuple[Any, ...]) -> None:
    """Statistics of what an op has made, and of the leaves it was given."""
    given = (t for t in inputs if hasattr(t, "_tid") and t._grad_fn is None)
    for t in (*given, *outputs):
        statistics("value", t._tid, t._data)


def announce_error(op: Any, inputs: Iterable[Any], started: int, error: str) -> None:
    """The gate's report of an op that failed, before the exception goes on."""
    given = [t for t in inputs if hasattr(t, "_tid")]
    for t in given:
        if t._grad_fn is None and t._tid not in described:
            _describe(t)
    ins = tuple(map(tid, given))
    emit(
        "op", started, clock() - started, op.public, type(op).__name__, place.phase,
        ins, (), (), (), 0, (), caller(), place.call, (), "", "", 0, op.describe(),
        False, error,
    )  # fmt: skip


def announce_bwd(
    name: str, node: int, target: int, gradient: Any, started: int, order: int
) -> None:
    """The engine's report of one node whose backward has run."""
    now = clock()
    if _gone:
        drain(now)
    handlers = _handlers["bwd"]
    if not handlers:
        return
    shape = _NONE if gradient is None else gradient.shape
    nbytes = 0 if gradient is None else gradient.nbytes
    record = (
        "bwd", _sequence(), started, now - started, _thread(), step,
        name, node, target, shape, nbytes, order,
    )  # fmt: skip
    for handler in handlers:
        handler(record)


SAMPLE: Final = 4096


def statistics(what: str, ident: int, array: Any) -> None:
    """Emit a `stat` record from an evenly strided sample of at most 4096 elements."""
    array = getattr(array, "values", array)  # of a sparse one, what it stores
    numel = int(array.size)
    if numel == 0:
        return
    stride = max(1, -(-numel // SAMPLE))
    flat = array.reshape(-1)[::stride]
    sample = np.asarray(flat.get() if hasattr(flat, "get") else flat)
    sample = abs(sample) if sample.dtype.kind == "c" else sample.astype(np.float64)
    finite = sample[np.isfinite(sample)]
    bad = sample.size - finite.size
    low, high, mean, std = (
        (finite.min(), finite.max(), finite.mean(), finite.std())
        if finite.size
        else (float("nan"),) * 4
    )
    norm = float(np.sqrt(np.dot(finite, finite) * (numel / sample.size)))
    emit(
        "stat", clock(), 0, what, ident, float(low), float(high), float(mean),
        float(std), norm, int(sample.size - np.count_nonzero(sample)), int(bad),
        int(sample.size), numel,
    )  # fmt: skip


def enter_module(module: Any) -> None:
    """`Module.__call__` reports its start; the first of a thread names the tree."""
    if not place.calls:
        place.paths = {id(m): path for path, m in module.named_modules()}
        for name, parameter in module.named_parameters():
            names[tid(parameter)] = name
            recategorise(parameter.untyped_storage(), "parameter")
    parent, call = place.call, _numbers()
    place.calls.append((parent, place.path))
    kind = type(module).__name__
    path = place.paths.get(id(module), kind)
    place.call, place.path = call, path
    emit("mod", clock(), 0, "enter", call, parent, path, kind, module.training)


def leave_module(module: Any) -> None:
    """`Module.__call__` reports that it ends (also by an exception)."""
    if not place.calls:  # watching began inside this call
        return
    call, path, kind = place.call, place.path, type(module).__name__
    place.call, place.path = place.calls.pop()
    emit("mod", clock(), 0, "exit", call, place.call, path, kind, module.training)


def mark(name: str, what: str = "point") -> None:
    """Put a mark into the stream: "begin", "end" or "point" of something named.

    Example:
        >>> import edutorch as torch
        >>> torch.events.mark("epoch 1", "begin")
    """
    emit("mark", clock(), 0, name, what)


def transfer(source: str, target: str, nbytes: int, how: str = "copy") -> None:
    """Report bytes that went from one device to another."""
    emit("xfer", clock(), 0, source, target, nbytes, how)


def next_step() -> None:
    """A training step has ended; `optimizer.step()` says so."""
    global step
    if active:
        drain()
    emit("mark", clock(), 0, "step", "end")
    step += 1
