"""Beginning and end of a recorder."""

from __future__ import annotations

import gc

import pytest

import edutorch as torch
from edutorch import events
from edutorch.inspect import Recorder
from edutorch.inspect.recorder import NullRecorder


class Keep:
    def __init__(self):
        self.seen = []

    def handle(self, record):
        self.seen.append(record[0])


def test_open_twice_listens_once():
    keep = Keep()
    with Recorder("test.twice", keep) as recorder:
        recorder.open()
        torch.ones(2) + 1
    assert keep.seen.count("op") == 1


def test_close_when_closed_does_nothing():
    recorder = Recorder("test.close", Keep()).open()
    recorder.close()
    recorder.close()
    assert not recorder.is_open
    assert events.active == ()


def test_recorder_when_forgotten_stops_listening():
    recorder = Recorder("test.forgotten", Keep()).open()
    assert events.active
    del recorder
    gc.collect()
    assert events.active == ()


def test_second_recorder_with_the_same_name_replaces_the_first():
    first, second = Keep(), Keep()
    with Recorder("test.same", first), Recorder("test.same", second):
        torch.ones(2) + 1
    assert first.seen == []
    assert "op" in second.seen


class Fail(Keep):
    """Fails at the second op."""

    def handle(self, record):
        super().handle(record)
        if self.seen.count("op") == 2:
            raise KeyError("the books are wrong")


def test_recorder_that_fails_stops_and_the_training_goes_on():
    other = Keep()
    with Recorder("test.other", other):
        recorder = Recorder("test.failing", Fail()).open()
        for _ in range(3):
            result = torch.ones(2) + 1
        assert not recorder.is_open
        assert str(recorder.error) == "'the books are wrong'"
        with pytest.warns(RuntimeWarning, match="test.failing stopped: KeyError"):
            recorder.close()
        recorder.close()  # it is reported once
    assert result.tolist() == [2.0, 2.0]
    assert other.seen.count("op") == 3


def test_recorder_that_fails_alone_stops_and_the_training_goes_on():
    recorder = Recorder("test.alone", Fail()).open()
    for _ in range(3):
        torch.ones(2) + 1
    assert events.active == ()
    assert isinstance(recorder.error, KeyError)
    with pytest.warns(RuntimeWarning, match="KeyError"):
        recorder.close()


def test_listener_that_is_no_recorder_may_raise():
    def refuse(record):
        raise KeyError("mine")

    subscription = events.listen("test.mine", refuse, kinds=("op",))
    try:
        with Recorder("test.beside", Keep()), pytest.raises(KeyError, match="mine"):
            torch.ones(2) + 1
    finally:
        subscription.close()


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_interrupt_is_no_failure_and_lack_of_memory_is_one(error):
    class Interrupted(Keep):
        def handle(self, record):
            raise error

    recorder = Recorder("test.interrupt", Interrupted()).open()
    if error is KeyboardInterrupt:
        with pytest.raises(KeyboardInterrupt):
            torch.ones(2) + 1
        assert recorder.is_open
        recorder.close()
    else:
        torch.ones(2) + 1
        assert isinstance(recorder.error, MemoryError)
        with pytest.warns(RuntimeWarning):
            recorder.close()


def test_recorder_that_records_nothing_never_listens():
    with NullRecorder() as recorder:
        assert not recorder.is_open and recorder.subscription is None
    assert recorder.error is None
