"""A thread that updates all open views a few times a second.

Training never waits for a view: recorders store records as they arrive, and this thread
sends new data as often as `UpdateSchedule` plans, which is charged to the budget of all
views.
"""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from typing import Any, Protocol

from ..inspect.step_throttle import throttle
from .notebook import PATIENCE
from .update_schedule import UpdateSchedule

__all__ = ["Refresher", "refresher"]


class Refreshable(Protocol):
    """What the refresher calls on a view."""

    def tick(self) -> int:
        """Send new data; return roughly the number of bytes sent."""


class Refresher:
    """Calls `tick()` of every registered view until none is left."""

    def __init__(self) -> None:
        self._views: list[weakref.ref[Any]] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()
        self._hurried = threading.Event()

    @property
    def running(self) -> bool:
        """Whether the thread is running."""
        thread = self._thread
        return thread is not None and thread.is_alive() and not self._stop.is_set()

    def add(self, view: Refreshable) -> None:
        """Keep a view up to date; it is held weakly."""
        with self._lock:
            self._views.append(weakref.ref(view))
            if not self.running:
                self._start()

    def remove(self, view: Refreshable) -> None:
        """Stop refreshing a view; the thread ends with the last one."""
        with self._lock:
            self._views = [r for r in self._views if r() not in (None, view)]
            if not self._views:
                self._stop.set()
                self._hurried.set()

    def hurry(self) -> None:
        """Update the views at once, because the user has stepped."""
        self._hurried.set()

    def finish(self) -> None:
        """End the thread, and wait for what it is sending.

        Called at the end of the process, before the kernel ends its own sending thread.
        Afterwards each thread would write to the socket itself, and parts of two
        messages could be interleaved.
        """
        self._stop.set()
        self._hurried.set()
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def views(self) -> list[Any]:
        """The views that are alive."""
        return [view for ref in list(self._views) if (view := ref()) is not None]

    def _start(self) -> None:
        self._stop = threading.Event()
        thread = threading.Thread(
            target=self._run, args=(self._stop,), name="edutorch-views", daemon=True
        )
        # debuggers leave it running, so views refresh at a breakpoint
        vars(thread).update(pydev_do_not_trace=True, is_pydev_daemon_thread=True)
        self._thread = thread
        thread.start()

    def _run(self, stop: threading.Event) -> None:
        schedule = UpdateSchedule()
        pause = schedule.pause([])
        while self._has_views(stop):
            hurried = self._hurried.wait(pause)
            self._hurried.clear()
            if stop.is_set():
                return
            pause = self._update_views(schedule, hurried, stop)

    def _update_views(
        self, schedule: UpdateSchedule, hurried: bool, stop: threading.Event
    ) -> float:
        """Update the views that are due, all if `hurried`; returns seconds to wait."""
        throttle.check_idle()
        schedule.advance(throttle.training)
        views = self.views()
        for view in views if hurried else schedule.due(views):
            if stop.is_set():
                break
            began = time.thread_time_ns()
            sent = view.tick()
            cost = time.thread_time_ns() - began
            throttle.budget.charge(cost)
            schedule.note(view, cost / 1e9, sent)
        return schedule.pause(views)

    def _has_views(self, stop: threading.Event) -> bool:
        """Whether to continue; if not, the next `add` starts a new thread."""
        with self._lock:
            self._views = [ref for ref in self._views if ref() is not None]
            if not self._views:
                stop.set()
                self._thread = None
            return bool(self._views)


refresher = Refresher()
# Runs before those of the kernel, which were registered earlier.
atexit.register(refresher.finish)
