"""Tables of the latest steps."""

from __future__ import annotations

from edutorch.inspect import recent
from edutorch.inspect.recent import Recent


def test_entry_that_is_set_again_stays():
    table = Recent()
    for turn in range(5):
        table[1] = turn
        table.turn()
    assert table.get(1) == 4
    assert len(table) == 1


def test_entry_is_gone_after_two_turns():
    table = Recent()
    table[1] = "a"
    table.turn()
    assert table.get(1, "none") == "a"
    table.turn()
    assert table.get(1, "none") == "none"


def test_many_entries_without_a_turn_are_bounded(monkeypatch):
    monkeypatch.setattr(recent, "MOST", 10)
    table = Recent()
    for key in range(1000):
        table[key] = key
        assert len(table) <= 20
    assert table.get(999) == 999 and table.get(990 - 15) is None
