"""Records of memory: `alloc`, `free`, and `cat` where its category changes.

What listeners know of is held by weak references to the arrays that own it.
"""

from __future__ import annotations

import weakref
from collections import deque
from typing import Any

import numpy as np

from . import events
from .events import clock, emit, handlers, next_id, next_number, place

__all__ = [
    "announce_alloc",
    "announce_gradient_alloc",
    "drain",
    "freed",
    "live",
    "live_allocations",
    "live_array",
    "recategorise",
]

ndarray = np.ndarray


class _Watch(weakref.ref[Any]):
    """A weak reference that notes when an array that owns memory is gone."""

    __slots__ = ("key",)

    key: int


# Memory that listeners know: id, bytes, device, category, and the watch. The key is the
# `id` of the array, which another array may have once this one is gone, so `drain` must
# come before a look-up.
live: dict[int, tuple[int, int, str, str, _Watch]] = {}
freed: deque[_Watch] = deque()
_note_freed = freed.append  # called by the watches, on any thread


def announce_alloc(t: Any, category: str, src: int, now: int) -> int:
    """Announce a tensor's memory, if it is new to listeners; returns its bytes."""
    storage, array = t._storage, t._data
    if storage is None and type(array) is ndarray and array.base is None:
        return _emit_alloc(array, t._device._text, category, None, src, now)
    storage = t.untyped_storage()
    array = storage.array
    if id(array) in live:
        return 0
    category = storage.category or category
    return _emit_alloc(array, t._device._text, category, storage, src, now)


def _emit_alloc(
    array: Any, device: str, category: str, storage: Any, src: int, now: int
) -> int:
    nbytes: int = array.nbytes
    handler = handlers["alloc"]
    if handler is None:
        return nbytes
    sid = next_id()
    # A simulated device releases memory when its storage goes.
    simulated = device != "cpu" and storage is not None and type(array) is ndarray
    watch = _Watch(storage if simulated else array, _note_freed)
    watch.key = key = id(array)
    live[key] = sid, nbytes, device, category, watch
    rounded = nbytes if storage is None or device == "cpu" else storage.rounded
    handler(
        ("alloc", next_number(), now, 0, place.here.thread, events.step,
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
    if freed:
        drain(now)
    while g.base is not None and hasattr(g.base, "dtype"):
        g = g.base
    if id(g) not in live:
        _emit_alloc(g, device._text, "gradient", None, -1, now)


def recategorise(t: Any, category: str) -> None:
    """Record that a tensor is a parameter, a gradient ..."""
    if freed:
        drain()
    storage = t._storage or t.untyped_storage()
    key = id(storage.array)
    known = live.get(key)
    if known is not None and known[3] == category == storage.category:
        return
    storage.category = category
    if known is None:
        announce_alloc(t, category, -1, clock())
    elif known[3] != category:
        sid, nbytes, device, _, watch = known
        live[key] = sid, nbytes, device, category, watch
        emit("cat", clock(), 0, sid, category)


def live_allocations() -> list[tuple[Any, ...]]:
    """An `alloc` record for each piece of memory that listeners know."""
    return [
        ("alloc", 0, clock(), 0, place.here.thread, events.step,
         sid, nbytes, nbytes, device, category, -1)
        for sid, nbytes, device, category, _ in list(live.values())
    ]  # fmt: skip


def live_array(storage: int) -> Any:
    """The memory that an `alloc` record has named, or None once it is gone."""
    for sid, *_, watch in list(live.values()):
        if sid == storage:
            return watch()
    return None


def drain(now: int = 0) -> None:
    """Emit `free` for memory released since the last record."""
    now, thread, handler = now or clock(), place.here.thread, handlers["free"]
    while freed:
        try:
            gone = freed.popleft()
        except IndexError:  # another thread has taken it
            return
        known = live.get(gone.key)
        if known is None or known[4] is not gone:  # nobody listened for a while
            continue
        sid, nbytes, device, category, _ = known
        del live[gone.key]
        if handler is not None:
            handler(
                ("free", next_number(), now, 0, thread, events.step,
                 sid, nbytes, device, category)
            )  # fmt: skip


def _forget() -> None:
    """Nothing is known any more when nobody listens to allocations."""
    if handlers["alloc"] is None:
        live.clear()
        freed.clear()


events.on_change.append(_forget)
events.on_step_end.append(drain)
