"""Pause, step, resume; in real JupyterLab by tests/browser."""

from __future__ import annotations

import signal
import threading
import time
from functools import partial

import pytest

import edutorch as torch
from edutorch import events, nn
from edutorch.inspect import GraphRecorder
from edutorch.widgets.live import Live, LiveButtons, live


class Trainer(threading.Thread):
    """Computes until told to stop and counts what it has done."""

    def __init__(self, work):
        super().__init__(daemon=True)
        self.work, self.count, self.stop = work, 0, False
        self.start()

    def run(self):
        while not self.stop:
            self.work()
            self.count += 1

    def end(self, control):
        self.stop = True
        control.resume()
        self.join(30)
        assert not self.is_alive()


def add():
    torch.ones(1) + 1


def until(condition, seconds=30.0):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.005)
    return condition()


def stands_still(trainer):
    before = trainer.count
    time.sleep(0.1)
    return trainer.count == before


class Control(Live):
    """Counts how often a thread was stopped."""

    stops = 0

    def _wait(self):
        self.stops += 1
        super()._wait()

    def step_and_arrive(self, granularity):
        """Step, and tell where the thread stands then."""
        before = self.stops
        self.step(granularity)
        assert until(lambda: self.stops > before)
        assert until(lambda: self.state["at"])
        return self.state["at"]


@pytest.fixture
def control():
    control = Control()
    yield control
    control.resume()
    assert events.active == ()


def test_live_when_nobody_paused_does_not_listen(control):
    assert events.active == ()
    assert control.state == {"mode": "idle", "granularity": "op", "at": ""}
    assert live.state["mode"] == "idle"


def test_pause_when_computing_stops_the_thread_and_says_where(control):
    trainer = Trainer(add)
    control.pause()
    assert until(lambda: control.state["at"])
    assert stands_still(trainer)
    assert control.state["at"].startswith("add · test_live.py:")
    control.resume()
    before = trainer.count
    assert until(lambda: trainer.count > before)
    trainer.end(control)


def test_step_when_paused_goes_on_by_one_op(control):
    trainer = Trainer(add)
    control.pause()
    assert until(lambda: control.state["at"])
    before = trainer.count
    for done in (1, 2, 3):
        control.step("op")
        assert until(partial(lambda n: trainer.count == n, before + done))
        assert stands_still(trainer)
    trainer.end(control)


def test_steps_when_asked_for_at_once_are_all_taken(control):
    trainer = Trainer(add)
    control.pause()
    assert until(lambda: control.state["at"])
    before = trainer.count
    for _ in range(50):
        control.step("op")
    assert until(lambda: trainer.count == before + 50)
    assert stands_still(trainer)
    trainer.end(control)


def test_step_when_two_threads_wait_lets_one_of_them_go_on(control):
    trainers = Trainer(add), Trainer(add)
    control.pause()
    assert until(lambda: control._waiting == 2)
    before = sum(t.count for t in trainers)
    control.step("op")
    assert until(lambda: sum(t.count for t in trainers) > before)
    assert all(stands_still(t) for t in trainers)
    assert sum(t.count for t in trainers) == before + 1
    for trainer in trainers:
        trainer.end(control)


def test_step_when_paused_passes_over_the_loading_of_data(control):
    def work():
        state = events.thread_local.state
        before, state.phase = state.phase, "data"
        torch.ones(1) + 1
        state.phase = before
        torch.ones(1) * 2

    trainer = Trainer(work)
    control.pause()
    assert until(lambda: control.state["at"])
    places = [control.step_and_arrive("op") for _ in range(6)]
    seen = {at.partition(" ")[0] for at in places}
    assert seen <= {"ones", "mul"} and "mul" in seen
    trainer.end(control)


def test_step_when_by_module_stops_at_its_end_and_at_backward(control):
    model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
    trainer = Trainer(lambda: model(torch.ones(1, 2)).sum().backward())
    control.pause()
    assert until(lambda: control.state["at"])
    seen = {control.step_and_arrive("module") for _ in range(12)}
    assert {"module 0 ended", "module 1 ended", "module Sequential ended"} <= seen
    assert any(at.endswith("backward") for at in seen)
    trainer.end(control)


def test_step_when_by_training_step_stops_at_its_end(control):
    def step():
        add()
        events.next_step()

    trainer = Trainer(step)
    control.step("step")
    assert until(lambda: control.state["at"] == "training step ended")
    assert stands_still(trainer)
    trainer.end(control)


def test_pause_when_in_the_thread_that_hears_the_buttons_never_blocks(control):
    control.pause()
    add()
    assert control.state["mode"] == "paused"


def test_interrupt_when_paused_ends_the_pause(control):
    main = threading.main_thread().ident
    threading.Thread(target=control.pause).start()
    assert until(lambda: events.active)

    def interrupt():
        assert until(lambda: control._waiting)
        signal.pthread_kill(main, signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        add()
    thread.join()
    assert control.state["mode"] == "idle"
    assert events.active == ()


def test_cell_end_when_nothing_waits_ends_the_pause(control):
    control.pause()
    control.cell_ended()
    assert control.state["mode"] == "idle"


def test_step_when_the_granularity_is_unknown_raises(control):
    with pytest.raises(ValueError, match="step\\(\\) expects"):
        control.step("epoch")


def test_buttons_when_messages_arrive_answer_with_the_state(control):
    buttons = LiveButtons(control)
    sent = []
    buttons.send = sent.append
    for content in (
        {"cmd": "hello"},
        {"cmd": "pause"},
        {"cmd": "step", "granularity": "module"},
        {"cmd": "resume"},
        {"cmd": "no such command"},
        "nonsense",
    ):
        buttons._on_message(buttons, content, [])
    assert [s["ack"] for s in sent] == [1] * 6
    assert [s["live"] for s in sent] == [False] * 6
    modes = [s["state"]["mode"] for s in sent]
    assert modes == ["idle", "paused", "paused", "idle", "idle", "idle"]
    assert sent[2]["state"]["granularity"] == "module"
    buttons.close()


def test_buttons_when_the_message_is_on_another_thread_are_live(control):
    buttons = LiveButtons(control)
    sent = []
    buttons.send = sent.append
    thread = threading.Thread(
        target=buttons._on_message, args=(buttons, {"cmd": "hello"}, [])
    )
    thread.start()
    thread.join()
    assert sent[0]["live"] is True
    buttons.close()


def test_display_when_shown_twice_is_one_widget(control):
    view = "application/vnd.jupyter.widget-view+json"
    first, second = (control._repr_mimebundle_() for _ in range(2))
    assert first[0][view] == second[0][view]
    assert first[0]["text/plain"].startswith("Buttons to pause")
    assert repr(control) == "<live controls: idle>"


def test_settle_after_a_step_waits_until_the_training_stands_again(control):
    trainer = Trainer(add)
    control.pause()
    assert until(lambda: control.state["at"])
    for _ in range(20):
        before = control.stops
        control.step("op")
        control.wait_until_stopped(5.0)
        assert control.stops == before + 1  # and not later, by polling
        assert control.state["at"]
    trainer.end(control)


def test_stopping_at_an_op_comes_after_its_values(control):
    with GraphRecorder() as recorder:
        trainer = Trainer(lambda: torch.ones(3) * 7)
        control.pause()
        assert until(lambda: control.state["at"])
        control.step_and_arrive("op")
        graph = recorder.snapshot()
        trainer.end(control)
    (op,) = [n for n in graph["nodes"] if n["kind"] == "op"][-1:]
    assert graph["now"] == op["id"] and op["name"] == "mul"
    assert op["stats"]["mean"] == 7.0
