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
from .events import clock, emit, handlers, next_id, next_number, tensor_id, thread_local

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
    tensor = tensor or t._tensor_id or tensor_id(t)
    if not dtype:
        dtype = dtype_names.get(array.dtype) or name_dtype(array.dtype)
    if shape is None:
        shape = array.shape
    if storage is not None or type(array) is not ndarray or array.base is not None:
        storage = t.untyped_storage()
        array = storage.array
        if id(array) in live:
            return 0
        category = storage.category or category
    state = thread_local.state
    return _emit_alloc(
        array, t._device._text, category, storage, src, now, state.thread,
        op, tensor, role, state.model if state.call else 0, state.path, shape, dtype,
    )  # fmt: skip


def _emit_alloc(
    array: Any,
    device: str,
    category: str,
    storage: Any,
    src: int,
    now: int,
    thread: int,
    op: str,
    tensor: int,
    role: str,
    model: int,
    path: str,
    shape: tuple[int, ...],
    dtype: str,
) -> int:
    nbytes: int = array.nbytes
    handler = handlers["alloc"]
    if handler is None:
        return nbytes
    held, rounded = array, nbytes
    if storage is not None and device != "cpu":
        rounded = storage.rounded
        if type(array) is ndarray:
            held = storage  # a simulated device releases memory when that goes
    watch = _Watch(held, _note_freed)
    watch.key = key = id(array)
    watch.record = record = (
        "alloc", next_number(), now, 0, thread, events.step,
        next_id(), nbytes, rounded, device, category, src,
        op, tensor, role, model, path, shape, dtype,
    )  # fmt: skip
    live[key] = watch
    handler(record)
    return nbytes


def announce_gradient_alloc(g: Any, target: Any) -> None:
    """Announce the memory of a gradient, unless listeners know it.

    Args:
        g: an array.
        target: the op or the leaf whose gradient it is, or is to become.
    """
    is_op = target.is_op
    device = (target.device if is_op else target._device)._text
    if type(g) is ndarray:
        if device != "cpu":  # a simulated device counts storages alone
            return
    elif not type(g).__module__.startswith("cupy"):
        return
    now = clock()
    if freed:
        drain(now)
    given = g
    while (base := g.base) is not None and hasattr(base, "dtype"):
        g = base
    if id(g) in live:
        return
    # a kernel may have computed in another shape or as integers of the same bits
    shown = given if given.nbytes == g.nbytes else g
    dtype = dtype_names.get(shown.dtype) or name_dtype(shown.dtype)
    tensor, role, model, path = 0, "node_grad", 0, ""
    if is_op:
        model, path = getattr(target, "module_model", 0), target.module_path
    else:
        tensor, role = target._tensor_id or tensor_id(target), "grad"
    _emit_alloc(
        g, device, "gradient", None, -1, now, thread_local.state.thread,
        "", tensor, role, model, path, shown.shape, dtype,
    )  # fmt: skip


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
    dtype = dtype_names.get(array.dtype) or name_dtype(array.dtype)
    _emit_alloc(
        array, node.device._text, category, None, UNWATCHED, clock(),
        thread_local.state.thread, op, 0, "", 0, "", array.shape, dtype,
    )  # fmt: skip


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
    tensor = 0 if owner is None else owner._tensor_id or tensor_id(owner)
    if storage is not None and storage.category == category:  # as a rule, in each step
        watch = live.get(id(storage.array))
        record = () if watch is None else watch.record
        if record and record[_CATEGORY] == category and tensor in (0, record[_TENSOR]):
            return
    array, device = t._data, t._device._text
    plain = type(array) is ndarray and array.base is None and device == "cpu"
    if plain and storage is None and category == "gradient":
        # its memory is the array itself
        watch = live.get(id(array))
        if watch is not None:
            _describe_again(
                watch, category, tensor or t._tensor_id or tensor_id(t), role
            )
            return
        state = thread_local.state
        dtype = dtype_names.get(array.dtype) or name_dtype(array.dtype)
        _emit_alloc(
            array, device, category, None, -1, clock(), state.thread,
            "", tensor or t._tensor_id or tensor_id(t), role,
            state.model if state.call else 0, state.path, array.shape, dtype,
        )  # fmt: skip
        return
    storage = t.untyped_storage() if storage is None else storage
    watch = live.get(id(storage.array))
    if watch is None:
        storage.category = category
        announce_alloc(t, category, -1, clock(), tensor=tensor, role=role)
        return
    storage.category = category
    _describe_again(watch, category, tensor or t._tensor_id or tensor_id(t), role)


def _describe_again(watch: _Watch, category: str, tensor: int, role: str) -> None:
    """Correct the record of known memory, and report that, if it says otherwise."""
    record = watch.record
    if (
        record[_CATEGORY] == category
        and record[_TENSOR] == tensor
        and record[_TENSOR + 1] == role
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
            than parameters and buffers are their roles.
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
                and (owner is None or record[_TENSOR] == owner._tensor_id)
            ):
                continue
        role = "" if category in ("parameter", "buffer") else str(name)
        recategorise(t, category, owner, role)


def live_allocations() -> list[tuple[Any, ...]]:
    """An `alloc` record for each piece of memory that listeners know."""
    now, thread = clock(), thread_local.state.thread
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


def drain(now: int = 0) -> None:
    """Emit `free` for memory released since the last record."""
    now, thread, handler = now or clock(), thread_local.state.thread, handlers["free"]
    known, take, step = live, freed.popleft, events.step
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
