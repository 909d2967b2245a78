"""Tables of the latest steps."""

from __future__ import annotations

from edutorch.inspect import rotating_table
from edutorch.inspect.rotating_table import RotatingTable


def test_entry_that_is_set_again_stays():
    table = RotatingTable()
    for turn in range(5):
        table[1] = turn
        table.rotate()
    assert table.get(1) == 4
    assert len(table) == 1


def test_entry_is_gone_after_two_turns():
    table = RotatingTable()
    table[1] = "a"
    table.rotate()
    assert table.get(1, "none") == "a"
    table.rotate()
    assert table.get(1, "none") == "none"


def test_many_entries_without_a_turn_are_bounded(monkeypatch):
    monkeypatch.setattr(rotating_table, "MOST", 10)
    table = RotatingTable()
    for key in range(1000):
        table[key] = key
        assert len(table) <= 20
    assert table.get(999) == 999 and table.get(990 - 15) is None
