"""The beginning of the first step, from records that tests make up."""

from __future__ import annotations

import pytest

from edutorch.events import FIELDS
from edutorch.inspect.run_start import FirstStep

HEADER = (0, 0, 0, 0, 0)
ROOT = ("root", *HEADER, 1.0)
MARK = ("mark", *HEADER, "x", "", "")


def call(**fields):
    """The record of a module's call."""
    usual = {"what": "enter", "training": True} | fields
    return ("mod", *HEADER, *(usual.get(name, 0) for name in FIELDS["mod"]))


@pytest.fixture
def first():
    made = FirstStep()
    made.stop_hearing = lambda: None
    return made


@pytest.mark.parametrize("record", [ROOT, call()])
def test_first_step_begins_with_what_trains(first, record):
    for now in (5.0, 9.0, 18.0):
        first.hear(record, now)
    assert first.began == 5.0


@pytest.mark.parametrize("record", [MARK, call(what="leave"), call(training=False)])
def test_what_does_not_train_begins_nothing(first, record):
    first.hear(record, 5.0)
    assert first.began is None


def test_trial_that_ended_long_before_is_no_part_of_the_step(first):
    for now in (1.0, 5.0, 20.0, 21.0):
        first.hear(call(), now)
    assert first.began == 20.0


def test_nothing_is_heard_after_the_end(first):
    ended = []
    first.stop_hearing = lambda: ended.append(1)
    first.end()
    first.end()
    first.hear(ROOT, 5.0)
    assert (ended, first.began) == ([1], None)
