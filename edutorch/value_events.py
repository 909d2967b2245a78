"""Records of values: sampled statistics at level 2, exact ranges at level 3."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from . import events
from .events import clock, emit, handlers, tensor_id

__all__ = [
    "announce_gradients",
    "announce_range",
    "announce_value",
    "announce_values",
    "statistics",
]


def announce_value(t: Any) -> None:
    """Emit what listeners want to know of a tensor's value."""
    statistics("value", tensor_id(t), t._data)
    if events.level >= 3:
        announce_range("value", t._tensor_id, 0, t._data)


def announce_values(op: Any, inputs: Iterable[Any], outputs: tuple[Any, ...]) -> None:
    """Describe the results of an op, and the leaves it was given."""
    leaves = [t for t in inputs if hasattr(t, "_tensor_id") and t._grad_fn is None]
    for t in (*leaves, *outputs):
        statistics("value", t._tensor_id, t._data)
    if events.level >= 3:
        written = None if op.is_view else outputs[0]._storage
        intact = [t for t in leaves if written is None or t._storage is not written]
        for t in (*intact, *outputs):
            announce_range("value", t._tensor_id, 0, t._data)


def announce_gradients(node: Any, arrived: Any, results: Any) -> None:
    """Describe the gradient that has arrived at a node, and those it has sent on."""
    what, ident = _gradient_of(node)
    statistics(what, ident, arrived)
    if events.level < 3:
        return
    announce_range(what, ident, 0, arrived)
    if node.is_op:
        sent = results if type(results) in (tuple, list) else (results,)
        for edge, g in zip(node.edges, sent, strict=False):
            if edge is not None and g is not None:
                announce_range(*_gradient_of(edge), node.seq, getattr(g, "_data", g))


def _gradient_of(node: Any) -> tuple[str, int]:
    """What records call the gradient for an op or a leaf."""
    return ("node_grad", node.seq) if node.is_op else ("grad", tensor_id(node))


SAMPLE: Final = 4096


def statistics(what: str, ident: int, array: Any) -> None:
    """Emit a `stat` record from an evenly strided sample of at most 4096 elements."""
    array = None if handlers["stat"] is None else _numbers(array)
    if array is None or array.size == 0:
        return
    numel = int(array.size)
    flat = array.reshape(-1)
    if numel > SAMPLE:
        flat = flat[:: -(-numel // SAMPLE)]
    if type(flat) is not np.ndarray:
        flat = np.asarray(flat.get() if hasattr(flat, "get") else flat)
    sample = (abs(flat) if flat.dtype.kind in "cW" else flat).astype(np.float64)
    size = sample.size
    low, high = float(_least(sample)), float(_greatest(sample))
    finite, n = sample, size
    if not math.isfinite(low + high):  # nan goes through both
        finite = sample[np.isfinite(sample)]
        n = finite.size
        ends = (finite.min(), finite.max()) if n else (math.nan, math.nan)
        low, high = map(float, ends)
    zeros = size - int(np.count_nonzero(sample)) if not (low > 0 or high < 0) else 0
    mean, std, squares = _moments(finite)
    norm = math.sqrt(squares * (numel / size))
    emit(
        "stat", clock(), 0, what, ident, low, high, mean, std, norm,
        zeros, size - n, size, numel,
    )  # fmt: skip


_least, _greatest, _sum = np.minimum.reduce, np.maximum.reduce, np.add.reduce
NARROW: Final = 1e-4  # a share of the squares below which a difference is not exact


def _moments(finite: Any) -> tuple[float, float, float]:
    """Mean, standard deviation and sum of squares, in as few passes as are exact."""
    n = finite.size
    if not n:
        return math.nan, math.nan, 0.0
    mean, squares = float(_sum(finite)) / n, float(finite.dot(finite))
    variance = squares / n - mean * mean
    if not variance > NARROW * squares / n:  # digits cancel
        apart = finite - mean
        variance = float(apart.dot(apart)) / n
    return mean, math.sqrt(variance), squares


def _numbers(array: Any) -> Any:
    """What there is to read: a sparse array's stored values, all samples of a `vmap`.

    Reading one sample, of which there are no values, would make `vmap` run another way.
    """
    if getattr(type(array), "stands_for_batch", False):
        return None if array.batch is None else _numbers(array.batch[0]._data)
    return getattr(array, "values", array)


def announce_range(what: str, ident: int, source: int, array: Any) -> None:
    """Emit a `range` record of all elements; integers, which are finite, have none."""
    array = None if handlers["range"] is None else _numbers(array)
    if array is None or array.size == 0 or array.dtype.kind in "iub":
        return
    array = array.get() if hasattr(array, "get") else array
    if array.dtype.kind in "cW":
        array = abs(array)
    elif array.dtype.kind != "f":
        array = array.astype(np.float32)
    low, high = float(array.min()), float(array.max())
    bad: tuple[int, ...] = (0, 0, 0)
    if not (np.isfinite(low) and np.isfinite(high)):  # nan goes through both
        finite = array[np.isfinite(array)]
        ends = (finite.min(), finite.max()) if finite.size else (np.nan, np.nan)
        low, high = map(float, ends)
        found = (np.isnan(array), np.isposinf(array), np.isneginf(array))
        bad = tuple(int(np.count_nonzero(x)) for x in found)
    emit("range", clock(), 0, what, ident, source, low, high, *bad, int(array.size))
