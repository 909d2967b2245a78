"""Padding sequences of different lengths to one batch, with known mistakes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from edutorch.course.random_cases import Draw
from edutorch.ops.create import tensor

__all__ = ["PADDING_MISTAKES", "PADDING_SHOWN", "fresh_samples", "padded"]

Sample = tuple[Any, int]


def _samples(*pairs: tuple[list[int], int]) -> tuple[list[Sample]]:
    return ([(tensor(np.array(row, dtype=np.int64)), label) for row, label in pairs],)


PADDING_SHOWN = (
    _samples(([5, 6], 1), ([7, 8, 9], 0)),
    _samples(([4, 2, 8], 3)),
    _samples(([1], 0), ([2], 1), ([3], 2)),
    _samples(([9, 8, 7, 6], 2), ([], 1), ([5], 4)),
    _samples(([], 3), ([], 1)),
    _samples(([3, 3], 5), ([1, 2, 3, 4, 5], 5), ([2, 7], 0), ([6], 9)),
)


def fresh_samples(draw: Draw) -> tuple[list[Sample]]:
    """Random samples."""
    rows = [[draw.size(1, 50) for _ in range(draw.size(1, 9))] for _ in range(5)]
    return _samples(*((row, draw.size(0, 9)) for row in rows))


def padded(
    samples: Sequence[Sample],
    *,
    filler: int = 0,
    front: bool = False,
    width: Callable[[list[int]], int] = max,
    repeat: bool = False,
) -> tuple[Any, Any, Any]:
    """Padded sequences, lengths, labels; keyword arguments make known mistakes.

    Args:
        samples: sequences with their labels.
        filler: the value after the end of a sequence.
        front: the padding comes first, the sequence at the end of its row.
        width: of all rows, from the lengths.
        repeat: a sequence continues with its last number.
    """
    rows = [np.array(sequence.tolist(), dtype=np.int64) for sequence, _ in samples]
    wide = width([len(row) for row in rows])
    table = np.full((len(rows), wide), filler, dtype=np.int64)
    for line, given in zip(table, rows, strict=True):
        row = given[:wide]
        line[wide - len(row) if front else 0 :][: len(row)] = row
        if repeat and len(row):
            line[len(row) :] = row[-1]
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    labels = np.array([label for _, label in samples], dtype=np.int64)
    return tensor(table), tensor(lengths), tensor(labels)


def _with(**settings: Any) -> Callable[..., Any]:
    return lambda samples: padded(samples, **settings)


def _sorted(samples: Sequence[Sample]) -> tuple[Any, Any, Any]:
    return padded(sorted(samples, key=lambda sample: -len(sample[0])))


def _shortest_first(samples: Sequence[Sample]) -> tuple[Any, Any, Any]:
    return padded(sorted(samples, key=lambda sample: len(sample[0])))


def _changed(change: Callable[[Any, Any, Any], tuple[Any, Any, Any]]) -> Any:
    return lambda samples: change(*padded(samples))


def _full(rows: Any, lengths: Any, labels: Any) -> tuple[Any, Any, Any]:
    return rows, lengths * 0 + rows.shape[1], labels


PADDING_MISTAKES: dict[str, Callable[..., Any]] = {
    "the filler is 0, not -1": _with(filler=-1),
    "the filler is 0, not 1": _with(filler=1),
    "the zeros come after the sequence, not before it": _with(front=True),
    "sequences were cut to the shortest: nothing may be lost": _with(width=min),
    "a column too many: the longest sequence needs no filler": _with(
        width=lambda lengths: max(lengths) + 1
    ),
    "the first sequence need not be the longest": _with(width=lambda n: n[0]),
    "the last sequence need not be the longest": _with(width=lambda n: n[-1]),
    "the last number was repeated: the filler is 0": _with(repeat=True),
    "the samples were sorted: a batch keeps their order": _sorted,
    "the samples were sorted, shortest first: a batch keeps their order": (
        _shortest_first
    ),
    "one row per sample: this is transposed": _changed(lambda x, n, y: (x.T, n, y)),
    "lengths are those before padding": _changed(_full),
    "lengths are those of the sequences, not the count of fillers": _changed(
        lambda x, n, y: (x, x.shape[1] - n, y)
    ),
    "lengths count from 1: these are the last indices": _changed(
        lambda x, n, y: (x, n - 1, y)
    ),
    "lengths come second, labels third": _changed(lambda x, n, y: (x, y, n)),
    "labels have one element per sample: (n,)": _changed(
        lambda x, n, y: (x, n, y.reshape(-1, 1))
    ),
    "lengths have one element per sample: (n,)": _changed(
        lambda x, n, y: (x, n.reshape(-1, 1), y)
    ),
}
