"""Entries that are not finite, the one to blame, and the path between."""

from __future__ import annotations

import pytest

from edutorch.inspect.nonfinite_graph import (
    Entry,
    Range,
    earliest_source,
    shortest_path,
)

NAN, INFINITE = Range(0, 1, 1, 0, 0, 4), Range(0, 1, 0, 1, 0, 4)


def entries(*parents, results=None):
    made = [Entry("op", f"op{i}", NAN, 0) for i in range(len(parents))]
    for entry, before in zip(made, parents, strict=True):
        entry.parents = list(before)
    for i, result in (results or {}).items():
        made[i].result = result
    return made


def test_path_is_the_shortest():
    diamond = entries([], [0], [1], [0, 2], [3])
    assert shortest_path(diamond, 0, 4) == [0, 3, 4]


def test_path_when_there_is_none_raises():
    with pytest.raises(ValueError, match="was not computed from"):
        shortest_path(entries([], []), 0, 1)


def test_oldest_source_is_blamed():
    made = entries([], [], [0, 1])
    assert earliest_source(made, 2) == 0


def test_written_infinity_is_not_blamed_for_the_nan_made_of_it():
    made = entries([], [0], [1], results={0: INFINITE})
    made[0].written = True
    assert earliest_source(made, 2) == 1


def test_written_infinity_that_stays_one_is_blamed():
    made = entries([], [0], results={0: INFINITE, 1: INFINITE})
    made[0].written = True
    assert earliest_source(made, 1) == 0


def test_overflow_is_blamed_before_a_written_infinity():
    made = entries([], [], [0, 1], results={0: INFINITE, 1: INFINITE})
    made[0].written = True
    assert earliest_source(made, 2) == 1
