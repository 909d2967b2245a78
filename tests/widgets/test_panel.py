"""Views beside the notebook."""

from __future__ import annotations

import pytest

from edutorch.widgets import GraphView, MemoryView, panel


def test_panel_when_given_views_docks_and_shows_them(capsys):
    with GraphView() as graph, MemoryView("cpu") as memory:
        panel(graph, memory)
        assert graph.docked
        assert memory.docked
    shown = capsys.readouterr().out
    assert shown.index("Graph") < shown.index("Memory")


def test_panel_when_given_something_else_shows_nothing(capsys):
    with GraphView() as graph:
        with pytest.raises(TypeError, match=r"panel\(\): expected views, got int"):
            panel(graph, 3)
        assert not graph.docked
    assert capsys.readouterr().out == ""


def test_compact_when_called_returns_the_view():
    with MemoryView("cpu") as view:
        assert view.compact() is view
        assert view.dock() is view
        assert (view.compacted, view.docked) == (True, True)
        view.compact(False).dock(False)
        assert (view.compacted, view.docked) == (False, False)


def test_page_when_the_view_was_a_strip_shows_it_whole():
    with MemoryView("cpu") as view:
        assert not {"compacted", "docked"} & set(view.compact().page_state())
