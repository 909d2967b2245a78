"""The one thread that refreshes views."""

from __future__ import annotations

import itertools
import threading
import time

from edutorch.widgets.refresher import Refresher
from edutorch.widgets.update_schedule import BYTES_PER_SECOND
from tests.widgets.waiting import until


class View:
    """Notes when it is ticked."""

    def __init__(self, cost=0.0, sent=0):
        self.times = []
        self.cost, self.sent = cost, sent
        self.thread = None

    @property
    def ticks(self):
        return len(self.times)

    def shortest_wait(self, ticks):
        """Between so many ticks: however slow the machine, none comes early."""
        assert until(lambda: self.ticks >= ticks)
        return min(b - a for a, b in itertools.pairwise(self.times))

    def tick(self):
        self.times.append(time.monotonic())
        self.thread = threading.current_thread()
        end = time.thread_time() + self.cost
        while time.thread_time() < end:
            pass
        return self.sent


def test_pump_when_a_view_is_added_ticks_at_most_ten_times_a_second():
    refresher, view = Refresher(), View()
    refresher.add(view)
    assert view.shortest_wait(ticks=5) >= 0.099
    refresher.remove(view)


def test_pump_when_the_last_view_goes_stops_its_thread():
    refresher, view = Refresher(), View()
    refresher.add(view)
    assert refresher.running
    refresher.remove(view)
    assert until(lambda: not refresher.running)
    again = View()
    refresher.add(again)
    assert until(lambda: again.ticks > 0)
    refresher.remove(again)


def test_pump_when_a_view_is_forgotten_stops_its_thread():
    refresher, view = Refresher(), View()
    refresher.add(view)
    del view
    assert until(lambda: not refresher.running)


def test_pump_when_ticks_are_costly_slows_down():
    refresher, view = Refresher(), View(cost=0.03)
    refresher.add(view)
    assert view.shortest_wait(ticks=2) >= 0.99  # 0.03 s of work, then 1 s of rest
    refresher.remove(view)


def test_pump_when_views_send_much_slows_down():
    refresher, view = Refresher(), View(sent=BYTES_PER_SECOND)
    refresher.add(view)
    assert view.shortest_wait(ticks=2) >= 0.99
    refresher.remove(view)


def test_pump_when_debugged_is_left_running():
    refresher, view = Refresher(), View()
    refresher.add(view)
    assert until(lambda: view.thread is not None)
    refresher.remove(view)
    assert view.thread.pydev_do_not_trace
    assert view.thread.is_pydev_daemon_thread
    assert view.thread.daemon


def test_end_of_the_process_leaves_other_views_alone():
    class Last(View):
        def tick(self):
            refresher._stop.set()  # as `finish` does while it waits
            return super().tick()

    refresher, views = Refresher(), [Last(), Last()]
    for view in views:
        refresher.add(view)
    thread = refresher._thread
    refresher.hurry()
    assert until(lambda: not thread.is_alive())
    assert sorted(view.ticks for view in views) == [0, 1]


def test_end_of_the_process_waits_for_what_is_being_sent():
    """After it the kernel's own sending thread may end, and messages could mix."""

    class Slow(View):
        def tick(self):
            began.set()
            time.sleep(0.2)
            self.ended = True
            return 0

    began, view, refresher = threading.Event(), Slow(), Refresher()
    refresher.add(view)
    assert began.wait(60)
    refresher.finish()
    assert view.ended
    assert not refresher.running
    Refresher().finish()  # one that has never run
