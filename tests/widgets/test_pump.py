"""The one thread that refreshes views."""

from __future__ import annotations

import threading
import time

from edutorch.widgets import pump as module
from edutorch.widgets.pump import Pump


class View:
    def __init__(self, cost=0.0, sent=0):
        self.ticks = 0
        self.cost, self.sent = cost, sent
        self.thread = None

    def tick(self):
        self.ticks += 1
        self.thread = threading.current_thread()
        end = time.thread_time() + self.cost
        while time.thread_time() < end:
            pass
        return self.sent


def until(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def test_pump_when_a_view_is_added_ticks_at_most_ten_times_a_second():
    pump, view = Pump(), View()
    pump.add(view)
    assert until(lambda: view.ticks >= 2)
    started, ticks = time.monotonic(), view.ticks
    time.sleep(0.5)
    rate = (view.ticks - ticks) / (time.monotonic() - started)
    pump.remove(view)
    assert 2 <= rate <= 12


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
    until(lambda: view.ticks >= 1)
    time.sleep(0.6)
    pump.remove(view)
    assert view.ticks <= 2  # 0.03 s of work, then 1 s of rest


def test_pump_when_views_send_much_slows_down():
    pump, view = Pump(), View(sent=module.BYTES_PER_SECOND)
    pump.add(view)
    until(lambda: view.ticks >= 1)
    time.sleep(0.5)
    pump.remove(view)
    assert view.ticks <= 2


def test_pump_when_debugged_is_left_running():
    pump, view = Pump(), View()
    pump.add(view)
    assert until(lambda: view.thread is not None)
    pump.remove(view)
    assert view.thread.pydev_do_not_trace
    assert view.thread.is_pydev_daemon_thread
    assert view.thread.daemon
