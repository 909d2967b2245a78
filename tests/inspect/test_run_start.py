"""The beginning of the first step, from records that tests make up."""

from __future__ import annotations

import pytest

from edutorch.events import FIELDS
from edutorch.inspect.run_start import OPS, FirstStep

HEADER = (0, 0, 0, 0, 0)
ROOT = ("root", *HEADER, 1.0)
MARK = ("mark", *HEADER, "x", "", "")


def call(**fields):
    """The record of a module's call."""
    usual = {"what": "enter", "training": True} | fields
    return ("mod", *HEADER, *(usual.get(name, 0) for name in FIELDS["mod"]))


def op(duration=0, node=0):
    """The record of an op, which has a graph node or none."""
    header = (0, 0, duration, 0, 0)
    return ("op", *header, *(node if f == "node" else 0 for f in FIELDS["op"]))


@pytest.fixture
def heard():
    return []


@pytest.fixture
def first(heard):
    made = FirstStep()
    made.start(heard.append)
    return made


@pytest.mark.parametrize("record", [ROOT, call(), op(node=7)])
def test_first_step_begins_with_what_trains(first, record):
    for now in (5.0, 9.0, 18.0):
        first.hear(record, now)
    assert first.began == 5.0


@pytest.mark.parametrize(
    "record", [MARK, call(what="leave"), call(training=False), op()]
)
def test_what_does_not_train_begins_nothing(first, record):
    first.hear(record, 5.0)
    assert first.began is None


def test_trial_that_ended_long_before_is_no_part_of_the_step(first):
    for now in (1.0, 5.0, 20.0, 21.0):
        first.hear(call(), now)
    assert first.began == 20.0


def test_what_an_earlier_cell_computed_is_no_part_of_the_step(first):
    first.hear(call(), 1.0)
    first.forget()
    assert first.began is None
    first.hear(ROOT, 2.0)
    assert first.began == 2.0


def test_step_begins_before_the_operation_that_is_reported_when_it_has_ended(first):
    first.hear(op(duration=500_000_000, node=7), 5.0)
    assert first.began == 4.5


@pytest.mark.parametrize("record", [call(training=False), op(node=7)])
def test_operations_are_heard_until_one_or_a_module_tells_enough(first, heard, record):
    first.hear(op(), 1.0)
    assert heard == [("mod", "op")]
    for _ in range(2):
        first.hear(record, 2.0)
    assert heard == [("mod", "op"), ("mod",)]


def test_number_of_operations_that_are_heard_is_limited(first, heard):
    for _ in range(OPS - 1):
        first.hear(op(), 1.0)
    assert heard == [("mod", "op")]
    first.hear(op(), 1.0)
    assert heard == [("mod", "op"), ("mod",)]


def test_nothing_is_heard_after_the_end(first, heard):
    first.end()
    first.end()
    first.hear(ROOT, 5.0)
    assert (heard, first.began) == ([("mod", "op"), ()], None)
