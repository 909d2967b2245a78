"""Finds tensors created or freed while nothing was recorded, to keep totals correct."""

from __future__ import annotations

import gc
import sys
import weakref
from typing import Any, Final

import numpy as np

from .. import events, memory_events
from ..autograd.dispatch import next_sequence
from ..autograd.node import Op
from ..memory_events import UNWATCHED, live
from ..optim.optimizer import label_memory
from ..optim.step_counter import counter
from ..tensor.tensor import Tensor
from .event_fields import (
    ALLOC_CATEGORY,
    ALLOC_DEVICE,
    ALLOC_NBYTES,
    ALLOC_ROLE,
    ALLOC_TENSOR,
    STORAGE,
)

__all__ = ["MissedAllocations", "announce_held"]

Record = tuple[Any, ...]
BY_AGE: Final = sys.version_info < (3, 14)  # newer collectors have other generations
BODY: Final = len(events.HEADER)


class MissedAllocations:
    """Allocations known when a period without recording began, and the changes since.

    Known memory is followed by weak references. New memory is found by a search
    through the tensors and graph nodes that Python's garbage collector tracks, if
    possible only through its young generations.

    Example:
        >>> import edutorch as torch
        >>> missed = MissedAllocations()
        >>> missed.note_existing()
        >>> with torch.inspect.MemoryRecorder() as memory:
        ...     missed.begin()
        ...     kept = torch.full((100,), 1.0)
        ...     missed.announce_new()
        ...     memory.series()["now"]
        400
    """

    def __init__(self) -> None:
        self._before: dict[int, Record] = {}
        self._existing: dict[int, weakref.ref[Any]] = {}
        self._promotions = -1
        self._sequence = 0

    def note_existing(self) -> None:
        """Remember the tensors unknown to listeners, so that none counts as new."""
        memory_events.drain()
        found = (one for one in gc.get_objects() if _is_tensor(type(one)))
        self._existing = {id(t): weakref.ref(t) for t in found if not _known(t)}

    def begin(self) -> None:
        """Begin a period without recording."""
        memory_events.drain()
        self._before = _known_allocations()
        self._sequence = next_sequence()
        self._promotions = _promotions()

    def on_gpu(self) -> bool:
        """Whether memory of a device other than the CPU was known at the beginning."""
        devices = {record[ALLOC_DEVICE] for record in self._before.values()}
        return not devices <= {"cpu", "meta"}

    def changes(self) -> list[Record]:
        """Records of the changes to known memory; those of freed memory come first."""
        memory_events.drain()
        before, now = self._before, _known_allocations()
        gone = [_freed(before[key]) for key in before.keys() - now.keys()]
        both = sorted(before.keys() & now.keys())
        recategorised = [
            _recategorised(now[key]) for key in both if now[key] is not before[key]
        ]
        added = sorted(now.keys() - before.keys())
        new = [_record("alloc", *now[key][BODY:]) for key in added]
        return gone + recategorised + new

    def announce_new(self) -> None:
        """Announce the allocations made since the beginning that are still alive."""
        for optimizer in counter.optimizers():
            announce_held(optimizer)
        for one in self._candidates():
            try:
                if _is_tensor(type(one)):
                    self._tensor(one)
                elif one.seq > self._sequence:
                    self._node(one)
            except AttributeError:  # it was not recorded, or is still being made
                continue

    def _candidates(self) -> list[Any]:
        """Tensors and nodes among the objects that may have been created since."""
        if BY_AGE and self._promotions == _promotions():
            objects = gc.get_objects(generation=0) + gc.get_objects(generation=1)
        else:
            objects = gc.get_objects()
        kinds: dict[type, bool] = {}
        wanted = []
        for one in objects:
            kind = type(one)
            found = kinds.get(kind)
            if found is None:
                found = kinds[kind] = _is_tensor(kind) or issubclass(kind, Op)
            if found:
                wanted.append(one)
        return wanted

    def _tensor(self, t: Any) -> None:
        node = t._grad_fn
        if t._grad is not None and node is None and not self._existed(t._grad):
            memory_events.recategorise(t._grad, "gradient", t, "grad")
        if _known(t) or self._existed(t):
            return
        now = events.clock()
        if node is None:
            memory_events.announce_alloc(t, "other", UNWATCHED, now)
        elif node.seq > self._sequence:
            memory_events.announce_alloc(t, "activation", UNWATCHED, now, node.public)

    def _existed(self, t: Any) -> bool:
        old = self._existing.get(id(t))
        return old is not None and old() is t

    def _node(self, node: Any) -> None:
        """Announce a node recorded in the meantime, and the arrays it saves."""
        for watcher in events.node_watchers:
            watcher(node, UNWATCHED)
        inputs = node.inputs if type(node.inputs) is tuple else ()
        for array, edge in zip(inputs, node.edges, strict=False):
            category = "other" if edge is None else "activation"
            _announce(array, node, category)
        for array in _arguments(node):
            _announce(array, node, "other")
        _announce(node.output, node, "activation", node.public)


def _is_tensor(kind: type) -> bool:
    return issubclass(kind, Tensor)


def _known(t: Any) -> bool:
    """Whether listeners know a tensor's memory."""
    storage, array = t._storage, t._data
    if storage is None and getattr(array, "base", None) is not None:
        storage = t.untyped_storage()
    return id(array if storage is None else storage.array) in live


def _announce(array: Any, node: Any, category: str, op: str = "") -> None:
    if type(array) is np.ndarray:
        memory_events.announce_array(array, node, category, op)


def _arguments(node: Any) -> list[Any]:
    """The arrays among a node's arguments: labels, indices, masks.

    Values that the op computed itself (`saved`) are internal and not counted.
    """
    slots: list[str] = []
    for cls in type(node).__mro__:
        if cls is Op:
            break
        slots += cls.__dict__.get("__slots__", ())
    own = getattr(node, "__dict__", {})
    return [getattr(node, name, None) for name in slots] + list(own.values())


def announce_held(optimizer: Any) -> None:
    """Announce the parameters, the gradients and the state of an optimizer.

    Example:
        >>> import edutorch as torch
        >>> model = torch.nn.Linear(100, 10, bias=False)
        >>> adam = torch.optim.Adam(model.parameters())
        >>> model(torch.ones(1, 100)).sum().backward()
        >>> adam.step()
        >>> with torch.inspect.MemoryRecorder() as memory:
        ...     announce_held(adam)
        ...     memory.series()["bytes"][-1]
        [4000, 4000, 0, 8004, 0]
    """
    for group in optimizer.param_groups:
        memory_events.label_all((("", p) for p in group["params"]), "parameter")
        for parameter in group["params"]:
            if parameter._grad is not None:
                memory_events.recategorise(
                    parameter._grad, "gradient", parameter, "grad"
                )
    label_memory(optimizer)


def _promotions() -> int:
    """How often the garbage collector has promoted young objects."""
    return sum(int(of["collections"]) for of in gc.get_stats()[1:])


# ---- records


def _known_allocations() -> dict[int, Record]:
    """The `alloc` records of the live memory that listeners know, by storage."""
    records = [watch.record for watch in list(live.values())]
    return {record[STORAGE]: record for record in records}


def _record(kind: str, *fields: Any) -> Record:
    now, thread = events.clock(), events.thread_local.state.thread
    return (kind, events.next_number(), now, 0, thread, events.step, *fields)


def _freed(record: Record) -> Record:
    about = record[STORAGE], record[ALLOC_NBYTES], record[ALLOC_DEVICE]
    return _record("free", *about, record[ALLOC_CATEGORY])


def _recategorised(record: Record) -> Record:
    owner = record[ALLOC_TENSOR], record[ALLOC_ROLE]
    return _record("cat", record[STORAGE], record[ALLOC_CATEGORY], *owner)
