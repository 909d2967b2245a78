"""Cells begin and end."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from edutorch.widgets import notebook
from edutorch.widgets.notebook import Cells


class Shell:
    """As much of IPython's shell as is needed."""

    execution_count = 7

    def __init__(self):
        self.hooks = {}
        self.events = self

    def register(self, name, hook):
        self.hooks.setdefault(name, []).append(hook)


class Listener:
    def __init__(self):
        self.heard = []
        self.rested = threading.Event()

    def cell_began(self):
        self.heard.append("began")

    def cell_ended(self):
        self.heard.append("ended")

    def kernel_idle(self):
        self.rested.set()


def test_cells_when_outside_ipython_stay_quiet():
    cells, listener = Cells(), Listener()
    cells.listen(listener)
    assert cells.count() == 0
    assert not cells.running


def test_error_of_a_cell_is_shown_and_no_other(monkeypatch):
    shell = Shell()
    monkeypatch.setattr(notebook, "current_shell", lambda: shell)
    cells, shown = Cells(), []
    cells.show_error = shown.append
    cells.attach()
    (ended,) = shell.hooks["post_run_cell"]
    error = ValueError("wrong")
    for error_of_cell in (None, error):
        ended(SimpleNamespace(error_in_exec=error_of_cell))
    assert shown == [error]


def test_cells_when_in_ipython_tell_every_listener_once(monkeypatch):
    shell = Shell()
    monkeypatch.setattr(notebook, "current_shell", lambda: shell)
    cells, first, second = Cells(), Listener(), Listener()
    cells.listen(first)
    cells.listen(second)
    assert cells.running  # the cell that makes the listener
    for hook in shell.hooks["post_run_cell"] + shell.hooks["pre_run_cell"]:
        hook(None)
    assert first.heard == second.heard == ["ended", "began"]
    assert cells.count() == 7


def test_cells_when_a_listener_is_gone_forget_it(monkeypatch):
    shell = Shell()
    monkeypatch.setattr(notebook, "current_shell", lambda: shell)
    cells, listener = Cells(), Listener()
    cells.listen(listener)
    heard = listener.heard
    del listener
    shell.hooks["pre_run_cell"][0](None)
    assert heard == []


@pytest.fixture
def served(monkeypatch):
    """Cells of a notebook that a Jupyter server runs, and their hooks."""
    shell = Shell()
    monkeypatch.setenv("JPY_SESSION_NAME", "chapter.ipynb")
    monkeypatch.setattr(notebook, "current_shell", lambda: shell)
    cells, listener = Cells(), Listener()
    cells.listen(listener)
    (began,), (ended,) = shell.hooks["pre_run_cell"], shell.hooks["post_run_cell"]
    return cells, listener, began, ended


def test_cells_when_none_has_run_for_a_while_tell_so(served, monkeypatch):
    _, listener, _, ended = served
    monkeypatch.setattr(notebook, "IDLE_AFTER", 0.01)
    ended(None)
    assert listener.rested.wait(30)


def test_cells_when_the_next_one_comes_at_once_are_not_idle(served, monkeypatch):
    cells, listener, began, ended = served
    monkeypatch.setattr(notebook, "IDLE_AFTER", 600.0)
    ended(None)
    first = cells._idle_timer
    began(None)
    assert first.finished.is_set()  # cancelled
    cells._became_idle()  # or it was about to tell
    assert not listener.rested.is_set()


def test_cells_when_one_ends_within_another_are_idle_once(served, monkeypatch):
    cells, _, _, ended = served
    monkeypatch.setattr(notebook, "IDLE_AFTER", 600.0)
    ended(None)
    inner = cells._idle_timer
    ended(None)
    assert inner.finished.is_set()
    cells._idle_timer.cancel()


def test_cells_when_one_began_tell_how_long_it_lasts(served, monkeypatch):
    cells, _, began, _ = served
    now = [100.0]
    monkeypatch.setattr(notebook, "monotonic", lambda: now[0])
    began(None)
    now[0] += 7
    assert cells.elapsed == 7


def test_nothing_is_written_after_the_end_of_the_process(served):
    cells, listener, _, _ = served
    cells.running = False
    cells.finish()
    cells._became_idle()  # a timer that was about to tell
    assert not listener.rested.is_set()


def test_end_of_the_process_waits_for_what_is_written_when_idle(served, monkeypatch):
    class Slow(Listener):
        def kernel_idle(self):
            begun.set()
            time.sleep(0.2)
            super().kernel_idle()

    cells, _, _, ended = served
    begun, slow = threading.Event(), Slow()
    cells.listen(slow)
    monkeypatch.setattr(notebook, "IDLE_AFTER", 0.01)
    ended(None)
    assert begun.wait(30)
    cells.finish()
    assert slow.rested.is_set()
    Cells().finish()  # where no cell has ended
