"""What happened, as records: the one stream that all views, exports and tests read.

A record is a tuple `(kind, seq, t0_ns, dur_ns, thread, step, *fields)`; the
fields of each kind are named in `FIELDS`. Records hold numbers and strings only, so
that watching never keeps a tensor alive. Listeners are process-wide and keyed by
name: registering a name again replaces the listener. With no listener, `active` is
empty, and dispatch, the engine and `Module.__call__` test it and do nothing more.

Levels: 1 graph, time and allocations; 2 also sampled statistics (`stat`); 3 also the
exact range of every value and gradient (`range`). The active level is the highest that
a listener requests.
"""

from __future__ import annotations

import itertools
import os
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np

from .callers import Source, caller, source

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
    # inputs, outputs: tensor ids; versions: of the inputs, () where none was changed
    # in place; call: the id of the module call it ran in
    "op": (
        "name", "cls", "phase", "inputs", "versions", "outputs", "node", "src", "call",
        "shape", "dtype", "device", "nbytes", "attrs", "view", "error",
    ),
    # one node of a backward pass; node as in "op"; target: the leaf's tensor id
    "bwd": ("name", "node", "target", "shape", "nbytes", "order"),
    # model: a number of the module that was called from outside any
    "mod": ("what", "call", "parent", "path", "cls", "training", "model"),
    "alloc": ("storage", "nbytes", "rounded", "device", "category", "src"),
    "free": ("storage", "nbytes", "device", "category"),
    "cat": ("storage", "category"),
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
    "def": ("table", "ident", "value"),
}  # fmt: skip

Handler = Callable[[tuple[Any, ...]], None]
ndarray = np.ndarray
clock = time.perf_counter_ns
# what happens outside operations
RARE: Final = ("xfer", "mark", "def", "optim", "root")
active: tuple[Handler, ...] = ()  # listeners to anything but the rare kinds
_handlers: dict[str, Handler | None] = dict.fromkeys(FIELDS)  # who wants each kind
level: int = 0
hears_roots = False  # whether somebody listens to roots of backward passes
step: int = 0
backward_ended: int = 0  # when the last pass that was watched ended: no record tells it

_subscriptions: dict[str, Subscription] = {}
_lock = threading.RLock()
_sequence = itertools.count(1).__next__
_numbers = itertools.count(1).__next__  # tensor, storage and module-call ids
_thread = threading.get_ident


class Subscription:
    """A listener's place in the stream; `close()` ends it.

    Attributes:
        name: the key; listening again under it replaces this subscription.
        level: the requested level, 1 to 3; may be changed at any time.
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
        """The level this listener requests."""
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
        level: 1 graph, time, allocations; 2 also statistics; 3 also exact ranges.
        kinds: which kinds of records to hand over; all of them by default. What
            nobody requests is not made.
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
    global active, level, hears_roots
    with _lock:
        subscriptions = tuple(_subscriptions.values())
        for kind in FIELDS:
            _handlers[kind] = _all(
                [
                    s.handler if kind == "op" else s.rest
                    for s in subscriptions
                    if kind in s.kinds
                ]
            )
        active = tuple(s.handler for s in subscriptions if s.kinds.difference(RARE))
        level = max((s.level for s in subscriptions), default=0)
        hears_roots = _handlers["root"] is not None
        if _handlers["alloc"] is None:
            _live.clear()
            _gone.clear()


def _all(handlers: list[Handler]) -> Handler | None:
    """One handler that stands for several; for one, itself."""
    if len(handlers) < 2:
        return handlers[0] if handlers else None

    def each(record: tuple[Any, ...]) -> None:
        for handler in handlers:
            handler(record)

    return each


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
    tell = _handlers[kind]
    if tell is not None:
        thread = place.here.thread
        tell((kind, _sequence(), started, duration, thread, step, *fields))


def _define(ident: int, place: Source) -> None:
    emit("def", clock(), 0, "src", ident, f"{place.file}:{place.line}:{place.func}")


def as_dict(record: tuple[Any, ...]) -> dict[str, Any]:
    """A record with its fields named, and the schema version as `v`."""
    names = HEADER + FIELDS[record[0]]
    return {"v": SCHEMA, **dict(zip(names, record, strict=True))}


# ---- memory: allocation, category, release


class _Watch(weakref.ref[Any]):
    """A weak reference that notes when an array that owns memory is gone."""

    __slots__ = ("key",)

    key: int


# Memory that listeners know: id, bytes, device, category, and the watch. The key is the
# `id` of the array, which another array may have once this one is gone, so `drain` must
# come before a look-up.
_live: dict[int, tuple[int, int, str, str, _Watch]] = {}
_gone: deque[_Watch] = deque()
_went = _gone.append  # called by the watches, on any thread


def announce_alloc(t: Any, category: str, src: int, now: int) -> int:
    """Announce a tensor's memory, if it is new to listeners; returns its bytes."""
    storage, array = t._storage, t._data
    if storage is None and type(array) is ndarray and array.base is None:
        return _emit_alloc(array, t._device._text, category, None, src, now)
    storage = t.untyped_storage()
    array = storage.array
    if id(array) in _live:
        return 0
    category = storage.category or category
    return _emit_alloc(array, t._device._text, category, storage, src, now)


def _emit_alloc(
    array: Any, device: str, category: str, storage: Any, src: int, now: int
) -> int:
    nbytes: int = array.nbytes
    tell = _handlers["alloc"]
    if tell is None:
        return nbytes
    sid = _numbers()
    booked = device != "cpu" and storage is not None and type(array) is ndarray
    watch = _Watch(storage if booked else array, _went)  # a simulated device's storage
    watch.key = key = id(array)
    _live[key] = sid, nbytes, device, category, watch
    rounded = nbytes if storage is None or device == "cpu" else storage.rounded
    tell(
        ("alloc", _sequence(), now, 0, place.here.thread, step,
         sid, nbytes, rounded, device, category, src)
    )  # fmt: skip
    return nbytes


def announce_gradient_alloc(g: Any, device: Any) -> None:
    """Announce the memory of a gradient, unless listeners know it."""
    if type(g) is ndarray:
        if device._text != "cpu":  # a simulated device's books know storages alone
            return
    elif not type(g).__module__.startswith("cupy"):
        return
    now = clock()
    if _gone:
        drain(now)
    while g.base is not None and hasattr(g.base, "dtype"):
        g = g.base
    if id(g) not in _live:
        _emit_alloc(g, device._text, "gradient", None, -1, now)


def recategorise(t: Any, category: str) -> None:
    """Record that a tensor is a parameter, a gradient ..."""
    if _gone:
        drain()
    storage = t.untyped_storage()
    storage.category = category
    key = id(storage.array)
    known = _live.get(key)
    if known is None:
        announce_alloc(t, category, -1, clock())
    elif known[3] != category:
        sid, nbytes, device, _, watch = known
        _live[key] = sid, nbytes, device, category, watch
        emit("cat", clock(), 0, sid, category)


def live_allocations() -> list[tuple[Any, ...]]:
    """An `alloc` record for each piece of memory that listeners know."""
    return [
        ("alloc", 0, clock(), 0, place.here.thread, step, sid, nbytes, nbytes, device,
         category, -1)
        for sid, nbytes, device, category, _ in list(_live.values())
    ]  # fmt: skip


def drain(now: int = 0) -> None:
    """Emit `free` for memory released since the last record."""
    now, thread, tell = now or clock(), place.here.thread, _handlers["free"]
    while _gone:
        try:
            gone = _gone.popleft()
        except IndexError:  # another thread has taken it
            return
        known = _live.get(gone.key)
        if known is None or known[4] is not gone:  # nobody listened for a while
            continue
        sid, nbytes, device, category, _ = known
        del _live[gone.key]
        if tell is not None:
            tell(
                ("free", _sequence(), now, 0, thread, step,
                 sid, nbytes, device, category)
            )  # fmt: skip


# ---- ops, nodes, modules, marks


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
_models: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
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


# tensors that ops were given and no op had made: tensor id -> (shape, dtype, device)
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
    """Dispatch reports one op that has run."""
    now = clock()
    if _gone:
        drain(now)
    out, here, src = outputs[0], place.here, caller(_define)
    recorded = out._grad_fn is op
    if recorded and here.path:
        op.module_path = here.path
    tracked = _handlers["alloc"] is not None
    ins, changed = _NONE, False
    for t in inputs:
        try:
            ident = t._tid
        except AttributeError:  # a number or an array
            continue
        storage = t._storage
        if storage is not None and storage.version:
            changed = True
        if tracked and id(t._data if storage is None else storage.array) not in _live:
            announce_alloc(t, "other", src, now)
        if t._grad_fn is None and ident not in described:
            _describe(t)
        ins += (ident or t._tid,)
    versions = _versions(inputs) if changed else _NONE
    category, data = "activation" if recorded else "other", out._data
    if len(outputs) > 1:
        outs, nbytes = _announce_results(outputs, category, src, now)
    else:
        outs, nbytes = (out._tid or tid(out),), 0
        storage = out._storage
        if id(data if storage is None else storage.array) not in _live:
            nbytes = announce_alloc(out, category, src, now)
    tell = _handlers["op"]
    if tell is not None:
        name = dtype_names.get(data.dtype) or _name_dtype(data.dtype)
        # The node's own tuple, where it has one, is no more work for the collector.
        shape = op.out_shape if recorded and len(outputs) == 1 else data.shape
        tell(
            ("op", _sequence(), started, now - started, here.thread, step,
             op.public, type(op).__name__, here.phase, ins, versions, outs,
             op.seq if recorded else 0, src, here.call, shape, name,
             out._device._text, nbytes, op.describe() if level >= 2 else "",
             op.is_view, "")
        )  # fmt: skip
    if level >= 2:
        _summarise(op, inputs, outputs)


def _versions(inputs: Iterable[Any]) -> tuple[int, ...]:
    return tuple(t._version for t in inputs if hasattr(t, "_tid"))


def _announce_results(
    outputs: tuple[Any, ...], category: str, src: int, now: int
) -> tuple[tuple[int, ...], int]:
    """Ids of an op's results, and how many new bytes they take."""
    outs, nbytes = _NONE, 0
    for t in outputs:
        storage = t._storage
        if id(t._data if storage is None else storage.array) not in _live:
            nbytes += announce_alloc(t, category, src, now)
        outs += (t._tid or tid(t),)
    return outs, nbytes


def _summarise(op: Any, inputs: Iterable[Any], outputs: tuple[Any, ...]) -> None:
    """Emit statistics of an op's results, and of the leaves it was given."""
    given = [t for t in inputs if hasattr(t, "_tid") and t._grad_fn is None]
    for t in (*given, *outputs):
        statistics("value", t._tid, t._data)
    if level >= 3:
        memory = None if op.is_view else outputs[0]._storage
        kept = [t for t in given if memory is None or t._storage is not memory]
        for t in (*kept, *outputs):  # the others are overwritten by now
            announce_range("value", t._tid, 0, t._data)


def announce_error(op: Any, inputs: Iterable[Any], started: int, error: str) -> None:
    """Dispatch reports an op that failed, before the exception goes on."""
    given = [t for t in inputs if hasattr(t, "_tid")]
    for t in given:
        if t._grad_fn is None and t._tid not in described:
            _describe(t)
    ins, here = tuple(map(tid, given)), place.here
    emit(
        "op", started, clock() - started, op.public, type(op).__name__, here.phase,
        ins, (), (), 0, caller(_define), here.call, (), "", "", 0, op.describe(),
        False, error,
    )  # fmt: skip


def announce_bwd(
    task: Any, node: Any, gradient: Any, started: int, results: Any = None
) -> None:
    """The engine reports one node, or leaf, whose backward has run.

    Args:
        task: the backward pass.
        node: an op or a leaf.
        gradient: what has arrived there.
        started: when its backward began.
        results: what it has sent on, one for each of its operands.
    """
    now = clock()
    if _gone:
        drain(now)
    order = task.visited
    task.visited = order + 1
    g = gradient if type(gradient) is ndarray else _array_of(gradient)
    tell = _handlers["bwd"]
    if tell is not None:
        if node.is_op:
            name, ident, target = node.name(), node.seq, 0
        else:
            name, ident, target = "AccumulateGrad", 0, node._tid or tid(node)
        if g is gradient and ident:
            shape = node.out_shape  # one more tuple is work for the collector, too
        else:
            shape = _NONE if g is None else g.shape
        tell(
            ("bwd", _sequence(), started, now - started, place.here.thread, step,
             name, ident, target, shape, 0 if g is None else g.nbytes, order)
        )  # fmt: skip
    if level >= 2 and g is not None:
        if node.is_op:
            statistics("node_grad", node.seq, g)
        else:
            statistics("grad", tid(node), g)
        if level >= 3:
            _announce_gradient_ranges(node, g, results)


def _announce_gradient_ranges(node: Any, arrived: Any, results: Any) -> None:
    """The ranges of what has arrived at a node, and of what it has sent on."""
    if not node.is_op:
        announce_range("grad", tid(node), 0, arrived)
        return
    announce_range("node_grad", node.seq, 0, arrived)
    sent = results if type(results) in (tuple, list) else (results,)
    for edge, g in zip(node.edges, sent, strict=False):
        if edge is not None and g is not None:
            what, ident = ("node_grad", edge.seq) if edge.is_op else ("grad", tid(edge))
            announce_range(what, ident, node.seq, getattr(g, "_data", g))


def _array_of(gradient: Any) -> Any:
    """The first of several gradients, or that of a tensor, as an array."""
    g = gradient[0] if type(gradient) is list else gradient
    return getattr(g, "_data", g)


SAMPLE: Final = 4096


def statistics(what: str, ident: int, array: Any) -> None:
    """Emit a `stat` record from an evenly strided sample of at most 4096 elements."""
    array = getattr(array, "values", array)  # of a sparse one, what it stores
    numel = int(array.size)
    if numel == 0 or _handlers["stat"] is None:
        return
    stride = max(1, -(-numel // SAMPLE))
    flat = array.reshape(-1)[::stride]
    sample = np.asarray(flat.get() if hasattr(flat, "get") else flat)
    sample = abs(sample) if sample.dtype.kind in "cW" else sample.astype(np.float64)
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


def announce_range(what: str, ident: int, source: int, array: Any) -> None:
    """Emit a `range` record of all elements; integers, which are finite, have none."""
    array = getattr(array, "values", array)  # of a sparse one, what it stores
    if _handlers["range"] is None or array.size == 0 or array.dtype.kind in "iub":
        return
    array = array.get() if hasattr(array, "get") else array
    if array.dtype.kind in "cW":
        array = abs(array)
    elif array.dtype.kind != "f":
        array = array.astype(np.float32)
    low, high, bad = float(array.min()), float(array.max()), (0, 0, 0)
    if not (np.isfinite(low) and np.isfinite(high)):  # nan goes through both
        finite = array[np.isfinite(array)]
        ends = (finite.min(), finite.max()) if finite.size else (np.nan, np.nan)
        low, high = map(float, ends)
        found = (np.isnan(array), np.isposinf(array), np.isneginf(array))
        bad = tuple(int(np.count_nonzero(x)) for x in found)  # type: ignore[assignment]
    emit("range", clock(), 0, what, ident, source, low, high, *bad, int(array.size))


def announce_read(output: Any, read: Any) -> None:
    """Report a tensor that an op has read though it is none of its inputs."""
    if read._grad_fn is None and tid(read) not in described:
        _describe(read)
    now = clock()
    if _handlers["alloc"] is not None:
        announce_alloc(read, "other", -1, now)
    emit("read", now, 0, tid(output), (tid(read),))
    if level >= 2 and read._grad_fn is None:
        statistics("value", tid(read), read._data)
        if level >= 3:
            announce_range("value", tid(read), 0, read._data)


def announce_roots(roots: Any) -> None:
    """Report where a backward pass begins, unless one root is no single real number."""
    tensors = roots if isinstance(roots, (list, tuple)) else [roots]
    for t in tensors:
        known = hasattr(t, "_tid") and t.device.type != "meta"
        if not (known and t.numel() == 1 and t.is_floating_point()):
            return
    emit("root", clock(), 0, float(sum(t.item() for t in tensors)))


def announce_optimizer(cls: str, parameters: Iterable[Any]) -> None:
    """Report that an optimizer has updated these parameters."""
    emit("optim", clock(), 0, cls, tuple(map(tid, parameters)))


def wants(kind: str) -> bool:
    """Whether anybody listens to a kind of records.

    Example:
        >>> wants("xfer")
        False
    """
    return _handlers[kind] is not None


def enter_module(module: Any) -> None:
    """`Module.__call__` reports its start; the outermost call names the modules."""
    here = place.here
    if not here.calls:
        here.paths = {id(m): path for path, m in module.named_modules()}
        here.model = _models.get(module) or _models.setdefault(module, _numbers())
        for name, parameter in module.named_parameters():
            names[tid(parameter)] = name
            recategorise(parameter, "parameter")
    parent, call = here.call, _numbers()
    here.calls.append((parent, here.path))
    kind = type(module).__name__
    path = here.paths.get(id(module), kind)
    here.call, here.path = call, path
    emit(
        "mod", clock(), 0, "enter", call, parent, path, kind, module.training,
        here.model,
    )  # fmt: skip


def leave_module(module: Any) -> None:
    """`Module.__call__` reports its end, also by an exception."""
    here = place.here
    if not here.calls:  # watching began inside this call
        return
    call, path, kind = here.call, here.path, type(module).__name__
    here.call, here.path = here.calls.pop()
    emit(
        "mod", clock(), 0, "exit", call, here.call, path, kind, module.training,
        here.model,
    )  # fmt: skip


def mark(name: str, what: str = "point") -> None:
    """Put a mark into the stream: "begin", "end" or "point" of something named.

    Example:
        >>> import edutorch as torch
        >>> torch.events.mark("epoch 1", "begin")
    """
    emit("mark", clock(), 0, name, what)


def transfer(source: str, target: str, nbytes: int, how: str = "copy") -> None:
    """Report bytes copied from one device to another."""
    emit("xfer", clock(), 0, source, target, nbytes, how)


def next_step() -> None:
    """A training step has ended; `optimizer.step()` says so."""
    global step
    if active:
        drain()
    emit("mark", clock(), 0, "step", "end")
    step += 1
