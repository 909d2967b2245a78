"""What the views need to know of the notebook: when cells begin and end."""

from __future__ import annotations

import os
import sys
import threading
import weakref
from time import monotonic
from typing import Any, Protocol

__all__ = ["Cells", "cells"]

REST = 1.0  # seconds without a running cell


class Listener(Protocol):
    """What is told about cells."""

    def cell_began(self) -> None:
        """A cell starts to run."""

    def cell_ended(self) -> None:
        """A cell has run, or failed."""

    def cell_rested(self) -> None:
        """No cell has run for a while; called from another thread."""


class Cells:
    """Tells listeners when a cell of the notebook begins and ends.

    Outside IPython nothing ever happens.
    """

    def __init__(self) -> None:
        self._listeners: weakref.WeakSet[Any] = weakref.WeakSet()
        self._shell: Any = None
        self.running = False
        self._since = 0.0  # when the newest cell began
        self._rest: threading.Timer | None = None

    def listen(self, listener: Listener) -> None:
        """Tell this listener, which is held weakly, from now on."""
        self._listeners.add(listener)
        shell = current_shell()
        if shell is None or shell is self._shell:
            return
        self._shell = shell
        self.running = True  # a cell is creating the listener
        self._since = monotonic()
        shell.events.register("pre_run_cell", self._began)
        shell.events.register("post_run_cell", self._ended)

    def count(self) -> int:
        """The number of the cell that is running, 0 outside notebooks."""
        shell = current_shell()
        return 0 if shell is None else int(shell.execution_count)

    @property
    def served(self) -> bool:
        """Whether a Jupyter server runs this notebook for a reader.

        Otherwise it is executed unseen, as for a book.
        """
        return "JPY_SESSION_NAME" in os.environ

    @property
    def lasted(self) -> float:
        """Seconds since the newest cell began."""
        return monotonic() - self._since

    def _began(self, info: Any = None) -> None:
        self.running = True
        self._since = monotonic()
        self._stop_rest()
        for listener in list(self._listeners):
            listener.cell_began()

    def _ended(self, result: Any = None) -> None:
        self.running = False
        for listener in list(self._listeners):
            listener.cell_ended()
        self._stop_rest()  # a cell within a cell, as of %%capture, began one too
        if self.served:
            self._rest = threading.Timer(REST, self._rested)
            self._rest.daemon = True
            self._rest.start()

    def _stop_rest(self) -> None:
        if self._rest is not None:
            self._rest.cancel()

    def _rested(self) -> None:
        for listener in list(self._listeners):
            if self.running:
                return
            listener.cell_rested()


def current_shell() -> Any:
    """IPython's shell if this runs in one, else None."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


cells = Cells()
