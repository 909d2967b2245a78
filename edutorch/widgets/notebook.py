"""Notebook events that views react to: the start and end of cells."""

from __future__ import annotations

import atexit
import os
import sys
import threading
import weakref
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from .. import events

__all__ = ["Cells", "cells"]

IDLE_AFTER = 1.0  # seconds without a running cell
PATIENCE = 2.0  # seconds to wait for the last messages at the end of the process


class Listener(Protocol):
    """An object that reacts to cells."""

    def cell_began(self) -> None:
        """Handle the start of a cell."""

    def cell_ended(self) -> None:
        """Handle the end of a cell, failed or not."""

    def kernel_idle(self) -> None:
        """Handle a period without running cells; called from another thread."""


class Cells:
    """Tells listeners when a cell of the notebook starts and ends.

    Outside IPython nothing ever happens.

    Attributes:
        show_error: called with a cell's exception, below the traceback.
        running: whether a cell runs.
        error: what the cell that has just ended raised; only while listeners are told.
        finished: whether the process ends, so that nothing more is written.
    """

    def __init__(self) -> None:
        self._listeners: weakref.WeakSet[Any] = weakref.WeakSet()
        self._shell: Any = None
        self.show_error: Callable[[BaseException], None] | None = None
        self.running = False
        self.error: BaseException | None = None
        self.finished = False
        self._since = 0.0  # when the newest cell began
        self._idle_timer: threading.Timer | None = None

    def listen(self, listener: Listener) -> None:
        """Add a listener, which is held weakly."""
        self._listeners.add(listener)
        self.attach()

    def attach(self) -> None:
        """Register with IPython, if this is a notebook."""
        shell = current_shell()
        if shell is None or shell is self._shell:
            return
        self._shell = shell
        self.running = True  # the listener is created by a running cell
        self._since = monotonic()
        shell.events.register("pre_run_cell", self._began)
        shell.events.register("post_run_cell", self._ended)

    def count(self) -> int:
        """The number of the cell that is running, 0 outside notebooks."""
        shell = current_shell()
        return 0 if shell is None else int(shell.execution_count)

    @property
    def has_reader(self) -> bool:
        """Whether a Jupyter server runs this notebook for a user.

        Otherwise it is executed in batch, as for a book.
        """
        return "JPY_SESSION_NAME" in os.environ

    @property
    def hides_stills(self) -> bool:
        """Whether the page hides the still picture that follows a live view.

        JupyterLab's and Notebook's pages do, and VS Code's if the kernel runs on a
        Jupyter server; Colab's is made otherwise, and a kernel that VS Code starts has
        not been tested.
        """
        elsewhere = any(name.startswith(("VSCODE_", "COLAB_")) for name in os.environ)
        return not elsewhere

    @property
    def elapsed(self) -> float:
        """The seconds since the latest cell began."""
        return monotonic() - self._since

    def _began(self, info: Any = None) -> None:
        self.running = True
        self._since = monotonic()
        events.control("idle", "end")
        self._cancel_idle_timer()
        for listener in list(self._listeners):
            listener.cell_began()

    def _ended(self, result: Any = None) -> None:
        self.running = False
        events.control(
            "idle", "begin"
        )  # the time in which views are written does not count
        error = getattr(result, "error_in_exec", None)
        if error is not None and self.show_error is not None:
            self.show_error(error)
        self.error = error
        try:
            for listener in list(self._listeners):
                listener.cell_ended()
        finally:
            self.error = None  # its traceback holds tensors
        self._cancel_idle_timer()  # started by a nested cell, as of %%capture
        if self.has_reader:
            self._idle_timer = threading.Timer(IDLE_AFTER, self._became_idle)
            self._idle_timer.daemon = True
            self._idle_timer.start()

    def finish(self) -> None:
        """Write nothing more; see `Refresher.finish`."""
        self.finished = True
        self._cancel_idle_timer()
        if self._idle_timer is not None and self._idle_timer.is_alive():
            self._idle_timer.join(PATIENCE)

    def _cancel_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()

    def _became_idle(self) -> None:
        for listener in list(self._listeners):
            if self.running or self.finished:
                return
            listener.kernel_idle()


def current_shell() -> Any:
    """IPython's shell, or None outside IPython."""
    ipython = sys.modules.get("IPython")
    return None if ipython is None else ipython.get_ipython()


cells = Cells()
atexit.register(cells.finish)
