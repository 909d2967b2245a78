"""Beginning and end of a recorder."""

from __future__ import annotations

import gc

import edutorch as torch
from edutorch import events
from edutorch.inspect import Recorder


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
