"""Allocations as rows for a view: the largest individually, the others as sums.

A tensor without its own row is included in the sum for its device, category, module and
line, so that all totals are complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import nlargest
from typing import Any

from .. import events, module_events
from ..memory_events import UNWATCHED
from ..module_events import name_of
from .allocation_history import Allocation, Lifetime, Moment
from .assigned_names import assigned_name
from .event_fields import (
    ALLOC_DTYPE,
    ALLOC_MODEL,
    ALLOC_OP,
    ALLOC_PATH,
    ALLOC_SHAPE,
    ALLOC_SRC,
)
from .memory import CATEGORIES
from .model_names import number_models
from .source_lines import called_at

__all__ = ["rows_of"]

ALONE = 250  # tensors with a row of their own
SUMS = 250  # sums of the others
OUTSIDE = "outside modules"
BACKWARD = "made in the backward pass"
UNSEEN = "data and buffers, made by no recorded operation"
PARAMETERS = "parameters, made by no recorded operation"
STATE = "state of optimizers"
SEVERAL = "several, cannot be distinguished"
NOT_WATCHED = "made in a step that was not watched"

Place = tuple[int, str]  # the number of a model, and the path of a module in it
_OUTSIDE: Place = (0, "")
_SEVERAL: Place = (-1, "")
# in place of the number of a line
_UNSEEN, _BACKWARD, _MANY, _PARAMETERS, _STATE = -1, -2, -4, -5, -6
# what is not an op's result, and has no name: of no called module, or of a replica
_UNNAMED = {
    "parameter": "a parameter",
    "gradient": "a gradient",
    "optimizer": "optimizer state",
}
_WORDS = {
    _UNSEEN: UNSEEN, _BACKWARD: BACKWARD, _MANY: SEVERAL, UNWATCHED: NOT_WATCHED,
    _PARAMETERS: PARAMETERS, _STATE: STATE,
}  # fmt: skip
_UNSEEN_BY_CATEGORY = {
    "parameter": _PARAMETERS, "optimizer": _STATE, "gradient": _BACKWARD,
}  # fmt: skip


class _Row:
    """Bytes and tensors of one row at each moment."""

    __slots__ = ("bytes", "counts", "key", "most", "of")

    def __init__(self, key: tuple[str, int, Place, int], moments: int) -> None:
        self.key = key
        self.of: Allocation | None = None  # the tensor, if the row is one
        self.bytes = [0] * moments
        self.counts = [0] * moments
        self.most = 0

    def add(self, other: _Row) -> None:
        self.bytes = [a + b for a, b in zip(self.bytes, other.bytes, strict=True)]
        self.counts = [a + b for a, b in zip(self.counts, other.counts, strict=True)]
        self.most = max(self.most, *self.bytes)


def rows_of(
    lifetimes: list[Lifetime], moments: list[Moment], devices: list[str]
) -> dict[str, Any]:
    """The `rows`, `modules` and `lines` of a view's data.

    Args:
        lifetimes, moments: of `AllocationHistory.snapshot`.
        devices: the names that rows refer to by their place.

    Example:
        >>> rows_of([], [], ["cpu"])
        {'rows': [], 'modules': [], 'lines': []}
    """
    times = {d: [moment.on(d) for moment in moments] for d in devices}
    every = _merge_consecutive(
        row for lifetime in lifetimes for row in _rows(lifetime, times)
    )
    alone = nlargest(ALONE, every, key=lambda row: row.most)
    chosen = set(map(id, alone))
    rest = [row for row in every if id(row) not in chosen]
    rows = alone + _sums(rest)
    modules = _Table(_module_labels(rows))
    lines = _Table(_line)
    return {
        "rows": [_data(row, devices, modules, lines) for row in rows],
        "modules": modules.entries,
        "lines": lines.entries,
    }


def _rows(lifetime: Lifetime, times: dict[str, list[int]]) -> list[_Row]:
    """One row, or one for each category that the allocation had at the moments."""
    allocation = lifetime.allocation
    at = times[allocation.device]
    columns = [lifetime.column_at(t) for t in at]
    found: dict[int, _Row] = {}
    for i, column in enumerate(columns):
        if column is None:
            continue
        row = found.get(column)
        if row is None:
            line = _line_of(allocation, CATEGORIES[column])
            key = allocation.device, column, _place(allocation), line
            row = found[column] = _Row(key, len(at))
            row.of, row.most = allocation, allocation.nbytes
        row.bytes[i], row.counts[i] = allocation.nbytes, 1
    return list(found.values())


def _merge_consecutive(rows: Iterable[_Row]) -> list[_Row]:
    """Merge tensors that succeed one another, such as the loss of each step.

    Rows are merged if they agree in everything shown, including bytes, and are never
    held at the same moment.
    """
    kept: list[_Row] = []
    open_rows: dict[Any, dict[int, list[_Row]]] = {}  # by the moments they are held at
    for row in rows:
        similar = open_rows.setdefault(_merge_key(row), {})
        held = sum(1 << i for i, count in enumerate(row.counts) if count)
        free = next(
            (mask for mask in similar if not mask & held and similar[mask]), None
        )
        if free is None:
            kept.append(row)
        else:
            held |= free
            earlier = similar[free].pop()
            earlier.add(row)
            row = earlier
        similar.setdefault(held, []).append(row)
    return kept


def _merge_key(row: _Row) -> Any:
    allocation: Any = row.of
    record, tensor = allocation.record, allocation.tensor
    named = allocation.role or name_of(tensor)
    about = (
        record[ALLOC_OP],
        record[ALLOC_SHAPE],
        record[ALLOC_DTYPE],
        record[ALLOC_SRC],
    )
    return row.key, row.most, allocation.role, tensor if named else 0, about


def _sums(rows: list[_Row]) -> list[_Row]:
    """Rows summed by device, category, module and line; more coarsely if too many."""
    coarser: list[Callable[[Any], Any]] = [
        lambda key: key,
        lambda key: (*key[:3], _MANY),
        lambda key: (*key[:2], _SEVERAL, _MANY),
    ]
    kept: list[_Row] = []
    for level in coarser:
        sums: dict[Any, _Row] = {}
        for row in rows:
            key = level(row.key)
            total = sums.get(key)
            if total is None:
                total = sums[key] = _Row(key, len(row.bytes))
            total.add(row)
        room = SUMS - len(kept)
        if len(sums) <= room or level is coarser[-1]:
            return kept + list(sums.values())
        large = nlargest(room // 2, sums.values(), key=lambda row: row.most)
        kept += large
        done = {row.key for row in large}
        rows = [row for key, row in sums.items() if key not in done]
    return kept


# ---- the owner of memory


def _place(allocation: Allocation) -> Place:
    """The module that owns the memory: a parameter's, or the one that allocated it."""
    tensor = allocation.tensor
    if name := name_of(tensor):
        is_parameter = tensor in events.names
        homes = events.homes.get(tensor, 0), events.buffers.get(tensor, (0,))[0]
        model = homes[0] if is_parameter else homes[1]
        if not model:  # a view named it, and no module has been called yet
            return _OUTSIDE
        return model, name.rpartition(".")[0]
    record = allocation.record
    made = record[ALLOC_OP] or allocation.role == "node_grad"
    if not made or not record[ALLOC_MODEL]:
        return _OUTSIDE
    return record[ALLOC_MODEL], record[ALLOC_PATH]


def _line_of(allocation: Allocation, category: str) -> int:
    """The line that made the memory, or a code for what has no line."""
    record = allocation.record
    if allocation.role in ("grad", "node_grad") and not record[ALLOC_OP]:
        return _BACKWARD
    src = record[ALLOC_SRC]
    if src == UNWATCHED:
        return UNWATCHED
    if record[ALLOC_OP] and src >= 0:
        return src
    return _UNSEEN_BY_CATEGORY.get(category, _UNSEEN)


def _name(allocation: Allocation) -> str:
    """The name of a tensor: "0.weight", "gradient of 0.weight", "h = relu"."""
    record, role = allocation.record, allocation.role
    if role == "node_grad":
        return "gradient of a result"
    name = name_of(allocation.tensor)
    if role:
        what = "gradient" if role == "grad" else role
        return f"{what} of {name or 'a tensor'}"
    if name:
        return name
    op = record[ALLOC_OP]
    if not op:
        unknown = "a tensor" if record[ALLOC_SRC] == UNWATCHED else "input"
        return _UNNAMED.get(CATEGORIES[allocation.column], unknown)
    place = called_at(record[ALLOC_SRC])
    variable = assigned_name(place["text"], op) if place else ""
    return f"{variable} = {op}" if variable else op


# ---- as JSON


class _Table:
    """Entries that rows refer to by index."""

    def __init__(self, describe: Callable[[Any], Any]) -> None:
        self.entries: list[Any] = []
        self._describe = describe
        self._places: dict[Any, int] = {}

    def place(self, key: Any) -> int:
        """The index of the entry with a key, which is added if it is new."""
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = len(self.entries)
            self.entries.append(self._describe(key))
        return found


def _module_labels(rows: list[_Row]) -> Callable[[Place], dict[str, str]]:
    """Labels of modules; models of the same class are numbered."""
    numbers = sorted({row.key[2][0] for row in rows if row.key[2][0] > 0})
    classes = {n: module_events.classes.get(n, "a model") for n in numbers}
    labels = {0: OUTSIDE, -1: SEVERAL} | number_models(classes)
    return lambda place: {"model": labels[place[0]], "path": place[1]}


def _line(src: int) -> dict[str, Any]:
    found = called_at(src) if src >= 0 else None
    return found or {"file": "", "line": 0, "func": "", "text": _WORDS.get(src, UNSEEN)}


def _data(
    row: _Row, devices: list[str], modules: _Table, lines: _Table
) -> dict[str, Any]:
    device, column, place, line = row.key
    about: dict[str, Any] = {"name": "", "shape": None, "dtype": ""}
    if row.of is not None:
        record = row.of.record
        shape, dtype = list(map(int, record[ALLOC_SHAPE])), record[ALLOC_DTYPE]
        about = {"name": _name(row.of), "shape": shape, "dtype": dtype}
    return about | {
        "device": devices.index(device),
        "category": column,
        "module": modules.place(place),
        "line": lines.place(line),
        "counts": row.counts,
        "bytes": row.bytes,
    }
