"""The one thread that refreshes views."""

from __future__ import annotations

import itertools
import threading
import time

from edutorch.widgets import pump as module
from edutorch.widgets.pump import Pump
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
    pump, view = Pump(), View()
    pump.add(view)
    assert view.shortest_wait(ticks=5) >= 0.099
    pump.remove(view)


def test_pump_when_the_last_view_goes_stops_its_thread():
    pump, view = Pump(), View()
    pump.add(view)
    assert pump.running
    pump.remove(view)
    assert until(lambda: not pump.running)
    again = View()
    pump.add(again)
    assert until(lambda: again.ticks > 0)
    pump.remove(again)


def test_pump_when_a_view_is_forgotten_stops_its_thread():
    pump, view = Pump(), View()
    pump.add(view)
    del view
    assert until(lambda: not pump.running)


def test_pump_when_ticks_are_costly_slows_down():
    pump, view = Pump(), View(cost=0.03)
    pump.add(view)
    assert view.shortest_wait(ticks=2) >= 0.99  # 0.03 s of work, then 1 s of rest
    pump.remove(view)


def test_pump_when_views_send_much_slows_down():
    pump, view = Pump(), View(sent=module.BYTES_PER_SECOND)
    pump.add(view)
    assert view.shortest_wait(ticks=2) >= 0.99
    pump.remove(view)


def test_pump_when_debugged_is_left_running():
    pump, view = Pump(), View()
    pump.add(view)
    assert until(lambda: view.thread is not None)
    pump.remove(view)
    assert view.thread.pydev_do_not_trace
    assert view.thread.is_pydev_daemon_thread
    assert view.thread.daemon
