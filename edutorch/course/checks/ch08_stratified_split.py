"""A stratified split, with known mistakes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from edutorch.course.random_cases import Draw

__all__ = ["SPLIT_MISTAKES", "SPLIT_SHOWN", "fresh_split", "split"]

Parts = tuple[list[int], list[int]]
LETTERS = [0, 0, 0, 0, 1, 1]
SPLIT_SHOWN = (
    (LETTERS, [5, 3, 0, 4, 2, 1], 0.5),
    (LETTERS, [0, 1, 2, 3, 4, 5], 0.0),
    (LETTERS, [2, 4, 1, 5, 3, 0], 1.0),
    ([7, 3, 7, 7, 3, 7, 7, 3], [6, 1, 0, 7, 5, 3, 2, 4], 0.4),
    ([2, 2, 2, 9], [3, 1, 0, 2], 0.3),
    ([5] * 10, [9, 2, 7, 4, 1, 8, 3, 6, 5, 0], 0.2),
)


def fresh_split(draw: Draw) -> tuple[list[int], list[int], float]:
    """Random labels, order and fraction; no class size is rounded at a half."""
    sizes = {7 * k + 2: draw.size(3, 14) for k in range(draw.size(2, 5))}
    labels = _shuffled([k for k, n in sizes.items() for _ in range(n)], draw)
    share = draw.choice((0.22, 0.31, 0.39, 0.61, 0.78))
    return labels, _shuffled(list(range(len(labels))), draw), share


def _shuffled(values: list[int], draw: Draw) -> list[int]:
    left = list(values)
    return [left.pop(draw.size(0, len(left) - 1)) for _ in values]


def split(
    labels: Sequence[int],
    order: Sequence[int],
    share: float,
    *,
    counted: Callable[[float], int] = round,
    ordered: bool = True,
    last: bool = False,
    average: bool = False,
) -> Parts:
    """Training and test indices; keyword arguments make known mistakes.

    Args:
        labels: a class for each sample.
        order: all indices, shuffled.
        share: of every class, for the test.
        counted: makes a whole number of the share of a class.
        ordered: go through the indices in this order, not from 0 on.
        last: the last of every class are for the test, not the first.
        average: every class gives as many as one of average size.
    """
    members: dict[int, list[int]] = {}
    for i in order if ordered else range(len(order)):
        members.setdefault(labels[i], []).append(i)
    test: set[int] = set()
    for indices in members.values():
        size = len(labels) / len(members) if average else len(indices)
        count = min(counted(share * size), len(indices))
        test.update(indices[len(indices) - count :] if last else indices[:count])
    return [i for i in order if i not in test], [i for i in order if i in test]


def _plain(labels: Sequence[int], order: Sequence[int], share: float) -> Parts:
    count = round(share * len(labels))
    return list(order[count:]), list(order[:count])


def _paired(labels: Sequence[int], order: Sequence[int], share: float) -> Parts:
    """A mistake: zip(order, labels), as if labels were in this order."""
    given = dict(zip(order, labels, strict=True))
    return split([given[i] for i in range(len(order))], order, share)


def _grouped(labels: Sequence[int], order: Sequence[int], share: float) -> Parts:
    """A mistake: class after class, in order of appearance."""
    return _by(dict.fromkeys(labels[i] for i in order), labels, order, share)


def _by_set(labels: Sequence[int], order: Sequence[int], share: float) -> Parts:
    """A mistake: class after class, in the order of a set."""
    return _by(set(labels), labels, order, share)


def _by_labels(labels: Sequence[int], order: Sequence[int], share: float) -> Parts:
    """A mistake: class after class, in the order of the labels."""
    return _by(dict.fromkeys(labels), labels, order, share)


def _by(
    classes: Iterable[int], labels: Sequence[int], order: Sequence[int], share: float
) -> Parts:
    """The right indices, class after class."""
    train, test = split(labels, order, share)
    found = list(classes)
    both = [
        [i for k in found for i in part if labels[i] == k] for part in (train, test)
    ]
    return both[0], both[1]


def _from_zero(labels: Sequence[int], order: Sequence[int], share: float) -> Parts:
    """A mistake: only classes 0, 1, 2, ... are split; others stay in training."""
    test = set(split(labels, order, share)[1])
    test = {i for i in test if labels[i] < len(set(labels))}
    return [i for i in order if i not in test], [i for i in order if i in test]


def _by_class(labels: Sequence[int], order: Sequence[int], share: float) -> Parts:
    """A mistake: class after class, by increasing label."""
    train, test = split(labels, order, share)
    return (
        sorted(train, key=lambda i: labels[i]),
        sorted(test, key=lambda i: labels[i]),
    )


def _sorted(labels: Sequence[int], order: Sequence[int], share: float) -> Parts:
    train, test = split(labels, order, share)
    return sorted(train), sorted(test)


def _with(**settings: Any) -> Callable[..., Parts]:
    return lambda labels, order, share: split(labels, order, share, **settings)


SPLIT_MISTAKES: dict[str, Callable[..., Any]] = {
    "int rounds down: round gives the nearest whole number": _with(counted=int),
    "ceil rounds up: round gives the nearest whole number": _with(counted=math.ceil),
    "at least one sample of each class was taken: round may give 0": _with(
        counted=lambda share: max(1, round(share))
    ),
    "one too many from every class": _with(counted=lambda share: round(share) + 1),
    "the order was ignored: go through order, not from index 0 on": _with(
        ordered=False
    ),
    "the first of every class in this order are for the test, not the last": _with(
        last=True
    ),
    "take the share of every class, not of a class of average size": _with(
        average=True
    ),
    "the classes were ignored: take the share from each class separately": _plain,
    "labels[i] is the label of index i: labels are not sorted by order": _paired,
    "both lists keep the order; these go class by class": _grouped,
    "both lists keep the order; these go class by class, as set(labels) does": _by_set,
    "both lists keep the order; these go class by class, as in labels": _by_labels,
    "both lists keep the order; these are sorted by class": _by_class,
    "both lists keep the order; these are sorted": _sorted,
    "training comes first, then the test": (
        lambda labels, order, share: split(labels, order, share)[::-1]
    ),
    "classes may have any numbers: set(labels), not 0, 1, 2, ...": _from_zero,
    "share is the share of the test, not of training": (
        lambda labels, order, share: split(labels, order, 1 - share)
    ),
    "these are labels: indices are wanted": (
        lambda labels, order, share: tuple(
            [labels[i] for i in part] for part in split(labels, order, share)
        )
    ),
    "these are positions in order, not the indices found there": (
        lambda labels, order, share: tuple(
            [list(order).index(i) for i in part] for part in split(labels, order, share)
        )
    ),
    "training holds all indices: those of the test must not be in it": (
        lambda labels, order, share: (list(order), split(labels, order, share)[1])
    ),
}
