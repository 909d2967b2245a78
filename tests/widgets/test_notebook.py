"""Cells begin and end."""

from __future__ import annotations

import threading

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

    def cell_rested(self):
        self.rested.set()


def test_cells_when_outside_ipython_stay_quiet():
    cells, listener = Cells(), Listener()
    cells.listen(listener)
    assert cells.count() == 0
    assert not cells.running


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


def test_cells_when_none_has_run_for_a_while_tell_so(monkeypatch):
    shell = Shell()
    monkeypatch.setenv("JPY_SESSION_NAME", "chapter.ipynb")
    monkeypatch.setattr(notebook, "current_shell", lambda: shell)
    monkeypatch.setattr(notebook, "REST", 0.05)
    cells, listener = Cells(), Listener()
    cells.listen(listener)
    shell.hooks["post_run_cell"][0](None)
    shell.hooks["pre_run_cell"][0](None)
    assert not listener.rested.wait(0.15)  # the next cell came at once
    shell.hooks["post_run_cell"][0](None)
    assert listener.rested.wait(5)
