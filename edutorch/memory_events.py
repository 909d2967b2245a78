"""Records of memory: `alloc`, `free`, and `cat` when its category changes.

Recorded memory is tracked by weak references to the arrays that own it.
"""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from . import events
from .events import clock, emit, handlers, next_id, next_number, place, tid

__all__ = [
    "UNWATCHED",
    "announce_alloc",
    "announce_array",
    "announce_gradient_alloc",
    "drain",
    "dtype_names",
    "freed",
    "label_all",
    "live",
    "live_allocations",
    "live_array",
    "name_dtype",
    "recategorise",
]

ndarray = np.ndarray


class _Watch(weakref.ref[Any]):
    """A weak reference that notes when an array that owns memory is gone."""

    __slots__ = ("key", "record")

    key: int
    record: tuple[Any, ...]  # the `alloc` record, as far as it is known by now


# Memory that listeners know. The key is the `id` of the array, which another array may
# have once this one is gone, so `drain` must come before a look-up.
live: dict[int, _Watch] = {}
freed: deque[_Watch] = deque()
_note_freed = freed.append  # called by the watches, on any thread
UNWATCHED: Final = -3  # in place of a line: made in a step that was not watched
_STORAGE: Final = len(events.HEADER)  # where a record's own fields begin
_NBYTES: Final = _STORAGE + events.FIELDS["alloc"].index("nbytes")
_DEVICE: Final = _STORAGE + events.FIELDS["alloc"].index("device")
_CATEGORY: Final = _STORAGE + events.FIELDS["alloc"].index("category")
_TENSOR: Final = _STORAGE + events.FIELDS["alloc"].index("tensor")
_ROLE: Final = _TENSOR + 1

dtype_names: dict[Any, str] = {}  # the text of a NumPy dtype takes 2 us


def name_dtype(dtype: Any) -> str:
    """The text of a dtype, for the table."""
    name = dtype_names[dtype] = str(dtype)
    return name


def announce_alloc(
    t: Any,
    category: str,
    src: int,
    now: int,
    op: str = "",
    shape: Any = None,
    dtype: str = "",
    tensor: int = 0,
    role: str = "",
) -> int:
    """Announce a tensor's memory, if it is new to listeners; returns its bytes.

    `op` and what follows are as in the record, and by default the tensor's own.
    """
    storage, array = t._storage, t._data
    if storage is not None or type(array) is not ndarray or array.base is not None:
        storage = t.untyped_storage()
        owner = storage.array
        if id(owner) in live:
            return 0
        category = storage.category or category
    else:
        owner = array
    nbytes: int = owner.nbytes
    if handlers["alloc"] is None:
        return nbytes
    held, rounded, device = owner, nbytes, t._device._text
    if device != "cpu" and storage is not None:
        held, rounded = _on_device(storage)
    here, tensor = place.here, tensor or t._tid or tid(t)
    record = (
        "alloc", next_number(), now, 0, here.thread, events.step,
        next_id(), nbytes, rounded, device, category, src,
        op, tensor, role, here.model if here.call else 0, here.path,
        array.shape if shape is None else shape,
        dtype or dtype_names.get(array.dtype) or name_dtype(array.dtype),
    )  # fmt: skip
    _emit_alloc(owner, held, record)
    return nbytes


def _on_device(storage: Any) -> tuple[Any, int]:
    """What holds memory outside the CPU, and the bytes that were set aside for it."""
    array = storage.array
    # a simulated device releases memory when the storage goes
    return storage if type(array) is ndarray else array, storage.rounded


def _emit_alloc(owner: Any, held: Any, record: tuple[Any, ...]) -> None:
    """Send the record of an array's memory, which is freed when `held` is gone."""
    watch = _Watch(held, _note_freed)
    watch.key = key = id(owner)
    watch.record = record
    live[key] = watch
    handler = handlers["alloc"]
    if handler is not None:
        handler(record)


def announce_gradient_alloc(g: Any, target: Any) -> None:
    """Announce the memory of a gradient, unless listeners know it.

    Args:
        g: an array.
        target: the op or the leaf whose gradient it is, or is to become.
    """
    if handlers["alloc"] is None:
        return
    is_op = target.is_op
    device = (target.device if is_op else target._device)._text
    if type(g) is ndarray:
        if device != "cpu":  # a simulated device counts storages alone
            return
    elif not type(g).__module__.startswith("cupy"):
        return
    now, thread = clock(), place.here.thread
    if freed:
        drain(now, thread)
    while (base := g.base) is not None and hasattr(base, "dtype"):
        g = base
    if id(g) in live:
        return
    if is_op:
        tensor, role, path = 0, "node_grad", target.module_path
        model = getattr(target, "module_model", 0)
    else:
        tensor, role, model, path = target._tid or tid(target), "grad", 0, ""
    nbytes = g.nbytes
    record = (
        "alloc", next_number(), now, 0, thread, events.step,
        next_id(), nbytes, nbytes, device, "gradient", -1,
        "", tensor, role, model, path, g.shape,
        dtype_names.get(g.dtype) or name_dtype(g.dtype),
    )  # fmt: skip
    _emit_alloc(g, g, record)


def announce_array(array: Any, node: Any, category: str, op: str = "") -> None:
    """Announce memory that only a graph node holds, unless listeners know it.

    Args:
        array: of the CPU, saved for backward.
        node: which holds it.
        category: what its bytes are for.
        op: what made it, "" if that is not known.
    """
    while type(array.base) is ndarray:
        array = array.base
    if id(array) in live:
        return
    if handlers["alloc"] is None:
        return
    nbytes = array.nbytes
    record = (
        "alloc", next_number(), clock(), 0, place.here.thread, events.step,
        next_id(), nbytes, nbytes, node.device._text, category, UNWATCHED,
        op, 0, "", 0, "", array.shape,
        dtype_names.get(array.dtype) or name_dtype(array.dtype),
    )  # fmt: skip
    _emit_alloc(array, array, record)


def recategorise(t: Any, category: str, owner: Any = None, role: str = "") -> None:
    """Record that a tensor is a parameter, a gradient ...

    Args:
        t: the tensor.
        category: what its bytes are for.
        owner: the parameter whose gradient or optimizer's state it is.
        role: "grad", or what the optimizer calls it.
    """
    if freed:
        drain()
    storage = t._storage
    tensor = 0 if owner is None else owner._tid or tid(owner)
    watch = live.get(id(t._data if storage is None else storage.array))
    if watch is not None:  # as a rule it has been told, in each step
        record = watch.record
        if record[_CATEGORY] == category and tensor in (0, record[_TENSOR]):
            if storage is None:
                if tensor and record[_ROLE] == role:
                    return
            elif storage.category == category:
                return
    if storage is not None or category != "gradient" or not _owns_memory(t):
        storage = t.untyped_storage() if storage is None else storage
        watch = live.get(id(storage.array))
        storage.category = category
    if watch is None:
        announce_alloc(t, category, -1, clock(), tensor=tensor, role=role)
    else:
        _describe_again(watch, category, tensor or t._tid or tid(t), role)


def _owns_memory(t: Any) -> bool:
    """Whether a tensor's array is all of its memory, on the CPU."""
    array = t._data
    return type(array) is ndarray and array.base is None and t._device._text == "cpu"


def _describe_again(watch: _Watch, category: str, tensor: int, role: str) -> None:
    """Correct the record of known memory, and report that, if it says otherwise."""
    record = watch.record
    if (
        record[_CATEGORY] == category
        and record[_TENSOR] == tensor
        and record[_ROLE] == role
    ):
        return
    watch.record = (
        *record[:_CATEGORY], category, *record[_CATEGORY + 1 : _TENSOR], tensor, role,
        *record[_TENSOR + 2 :],
    )  # fmt: skip
    emit("cat", clock(), 0, record[_STORAGE], category, tensor, role)


def label_all(
    named: Iterable[tuple[Any, Any]], category: str, owner: Any = None
) -> None:
    """Call `recategorise` for each tensor that listeners do not know as such by now.

    Args:
        named: names and values, of which some are tensors; the names of other tensors
            than parameters are their roles.
        category, owner: as for `recategorise`.
    """
    if freed:
        drain()
    for name, t in named:
        try:
            storage = t._storage
        except AttributeError:  # None, or a number
            continue
        if storage is not None and storage.category == category:  # mostly
            watch = live.get(id(storage.array))
            record = () if watch is None else watch.record
            if (
                record
                and record[_CATEGORY] == category
                and (owner is None or record[_TENSOR] == owner._tid)
            ):
                continue
        role = "" if category == "parameter" else str(name)
        recategorise(t, category, owner, role)


def live_allocations() -> list[tuple[Any, ...]]:
    """An `alloc` record for each piece of memory that listeners know."""
    now, thread = clock(), place.here.thread
    return [
        ("alloc", 0, now, 0, thread, events.step, *watch.record[_STORAGE:])
        for watch in list(live.values())
    ]


def live_array(storage: int) -> Any:
    """The memory that an `alloc` record has named, or None once it is gone."""
    for watch in list(live.values()):
        if watch.record[_STORAGE] == storage:
            return watch()
    return None


def drain(now: int = 0, thread: int = 0) -> None:
    """Emit `free` for memory released since the last record, on this thread."""
    now, thread = now or clock(), thread or place.here.thread
    known, take, step, handler = live, freed.popleft, events.step, handlers["free"]
    while freed:
        try:
            gone = take()
        except IndexError:  # another thread has taken it
            return
        key = gone.key
        if known.get(key) is not gone:  # there were no listeners for a while
            continue
        del known[key]
        if handler is not None:
            record = gone.record
            handler(
                ("free", next_number(), now, 0, thread, step,
                 record[_STORAGE], record[_NBYTES], record[_DEVICE], record[_CATEGORY])
            )  # fmt: skip


def _forget() -> None:
    """Forget everything if no listener to allocations is left, active or paused."""
    if handlers["alloc"] is None and not events.paused:
        live.clear()
        freed.clear()


events.on_change.append(_forget)
events.before_mark.append(drain)
