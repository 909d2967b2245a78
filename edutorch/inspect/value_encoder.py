"""Encodes recorded values as JSON of bounded size; large values are summarised."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .tensor_summary import statistics_of
from .value_store import ValueStore

__all__ = ["BUDGET", "FULL", "ValueEncoder"]

FULL = 64  # elements up to which a value is sent whole
BUDGET = 100_000  # numbers of all values together
MOST_CELLS = 1024  # of the heat map of a large value
LEAST_CELLS = 16
DIGITS = 6
LEAST = 1e-16  # numbers from this to its inverse are rounded as one array


class ValueEncoder:
    """Collects the values that a page needs, each once, and encodes them as JSON.

    Args:
        store: the recorded values.
        budget: how many numbers are sent at most.

    Example:
        >>> store = ValueStore()
        >>> sent = ValueEncoder(store)
        >>> sent.index_of(store.keep(np.array([1.0, 2.5])))
        0
        >>> sent.data()[0]["cells"]
        [1.0, 2.5]
    """

    def __init__(self, store: ValueStore, budget: int = BUDGET) -> None:
        self.store = store
        self.budget = budget
        self._places: dict[int, int] = {}
        self._computed: set[int] = set()
        self._arrays: list[np.ndarray | tuple[tuple[int, ...], str]] = []

    def index_of(self, number: int) -> int:
        """The index of a recorded value in `data()`; -1 if there is none."""
        if number not in self._places:
            known = self.store.get(number)
            found = self.store.dropped(number) if known is None else known
            if found is None:
                return -1
            self._places[number] = len(self._arrays)
            self._arrays.append(found)
        return self._places[number]

    def add_computed(self, array: Any) -> int:
        """The index of an array computed from recorded values."""
        self._arrays.append(np.asarray(array))
        self._computed.add(len(self._arrays) - 1)
        return len(self._arrays) - 1

    def data(self) -> list[dict[str, Any]]:
        """All values, JSON-ready; computed ones have no dtype."""
        arrays = [a for a in self._arrays if isinstance(a, np.ndarray)]
        large = sum(a.size > FULL for a in arrays)
        left = self.budget - sum(a.size for a in arrays if a.size <= FULL)
        cells = min(MOST_CELLS, max(LEAST_CELLS, left // max(1, large)))
        found = []
        room = self.budget
        for array in self._arrays:
            if not isinstance(array, np.ndarray):
                found.append(_without_cells(*array, "dropped"))
                continue
            value = _with_cells(array, cells) if room > 0 else _without_cells(
                array.shape, str(array.dtype), "not sent"
            )  # fmt: skip
            if len(found) in self._computed:
                value["dtype"] = ""
            room -= len(value["cells"])
            found.append(value)
        return found


def _without_cells(shape: tuple[int, ...], dtype: str, why: str) -> dict[str, Any]:
    return {
        "shape": list(shape), "dtype": dtype, "note": why, "steps": [1, 1],
        "shown": [0, 0], "cells": [], "stats": None,
    }  # fmt: skip


def _with_cells(array: np.ndarray, cells: int) -> dict[str, Any]:
    """All elements as rows of the last dimension, or every k-th row and column."""
    shape, dtype, note = array.shape, str(array.dtype), ""
    if array.dtype.kind == "c":
        array, note = np.abs(array), "absolute values"
    columns = shape[-1] if shape else 1
    plane = array.reshape(-1, max(columns, 1))  # (rows, columns)
    steps = [1, 1]
    if array.size > FULL:
        steps = _steps(*plane.shape, cells)
        plane = plane[:: steps[0], :: steps[1]]
    return {
        "shape": list(shape),
        "dtype": dtype,
        "note": note,
        "steps": steps,
        "shown": list(plane.shape) if array.size else [0, 0],
        "cells": _cells(plane.ravel()),
        "stats": _statistics(array) if array.size > FULL else None,
    }


def _steps(rows: int, columns: int, cells: int) -> list[int]:
    """The strides in rows and columns that leave at most `cells` elements."""
    side = max(1, math.isqrt(cells))
    wide = max(side, cells // max(1, rows))
    tall = max(side, cells // max(1, min(columns, wide)))
    return [max(1, -(-rows // tall)), max(1, -(-columns // wide))]


def _cells(values: np.ndarray) -> list[Any]:
    """Numbers with six digits; nan and infinities as strings."""
    if values.dtype.kind != "f":
        return [_cell(x) for x in values.tolist()]
    x = values.astype(np.float64)
    size = np.abs(x)
    plain = (size > LEAST) & (size < 1 / LEAST)  # so that a power of ten is exact
    digits = DIGITS - 1 - np.floor(np.log10(size, where=plain, out=np.zeros_like(x)))
    up, down = 10.0 ** np.maximum(digits, 0), 10.0 ** np.maximum(-digits, 0)
    found: list[Any] = (np.rint(x * up / down) / up * down).tolist()
    for i in np.flatnonzero(~plain).tolist():
        found[i] = _cell(float(x[i]))
    return found


def _cell(x: Any) -> Any:
    if isinstance(x, float):
        return float(f"{x:.{DIGITS}g}") if math.isfinite(x) else str(x)
    return int(x)


def _statistics(array: np.ndarray) -> dict[str, Any]:
    found = statistics_of(array)
    names = ("min", "max", "mean", "std", "nan", "inf")
    return {name: found[name] for name in names}
