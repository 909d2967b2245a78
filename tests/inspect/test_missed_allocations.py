"""Accounting of memory without watching every step."""

from __future__ import annotations

import gc
from contextlib import contextmanager

import pytest

import edutorch as torch
from edutorch import events, memory_events
from edutorch.inspect import LeakRecorder, MemoryRecorder, MemoryTreeRecorder
from edutorch.inspect import step_throttle as module
from edutorch.inspect.memory import CATEGORIES
from edutorch.inspect.missed_allocations import MissedAllocations
from edutorch.inspect.step_throttle import StepThrottle
from tests.inspect.ledger import listening
from tests.inspect.models import TRAININGS

STEPS = 16


@contextmanager
def at_steps_end(action):
    """Call it at the end of each training step, after all who have listened before."""
    heard = events.listen("test.end", lambda record: action(), kinds=("mark",))
    try:
        yield
    finally:
        heard.close()


def leaky(make):
    """A training that keeps every third loss with its graph, and a list of values."""
    training, kept = make(), []
    number = 0

    def step():
        nonlocal number
        training.step()
        number += 1
        kept.append(torch.full((number,), 1.0) + 1)
        if number % 5 == 0:
            gc.collect(1)  # what is young gets old: nothing is found among the young
        if number % 3 == 0 and hasattr(training, "forward"):
            kept.append(training.forward())

    return step


def run(make):
    gc.collect()
    torch.manual_seed(0)
    step = make()
    for _ in range(STEPS):
        step()


def watched_whole(make):
    """Bytes by category at the end of each step, from a ledger that hears all."""
    found = []

    def note():
        # freed memory is reported before a mark
        found.append(ledger.now())

    with listening() as ledger, at_steps_end(note):
        run(make)
    return found


def watched_in_part(make, monkeypatch, always=False):
    """The same of recorders that skip steps, at the ends of steps that they have watched."""
    monkeypatch.setattr(module, "FIRST", 3)
    throttle = StepThrottle()
    monkeypatch.setattr(module, "FREE", 0)
    monkeypatch.setattr(throttle, "_steps_to_skip", lambda cost: 4)
    memory, tree, leaks = MemoryRecorder(), MemoryTreeRecorder(), LeakRecorder()
    found = []

    def note():
        if throttle.skipping and always:
            throttle.flush()
        if throttle.skipping and not always:
            found.append(None)
            return
        account = memory._collector.by_device["cpu"]
        totals = dict(zip(CATEGORIES, account.totals, strict=True))
        found.append((totals, sum_of(tree), sum_of_survivors(leaks)))

    with memory, tree, leaks, at_steps_end(note):
        for recorder in (memory, tree, leaks):
            throttle.join(recorder)
        run(make)
        for recorder in (memory, tree, leaks):
            throttle.leave(recorder)
    assert events.active == () and not events.paused
    return found


def sum_of(tree):
    now = dict.fromkeys(CATEGORIES, 0)
    for row in tree.series("cpu")["rows"]:
        now[CATEGORIES[row["category"]]] += row["bytes"][0]
    return now


def sum_of_survivors(leaks):
    storages = leaks._collector.storages
    made = (*storages.old.values(), *storages._last.values(), *storages._fresh.values())
    return sum(one.nbytes for one in made)


def named(totals):
    """Categories as views name them."""
    short = {"param": "parameter", "grad": "gradient", "saved": "activation"}
    found = dict.fromkeys(CATEGORIES, 0)
    for name, nbytes in totals.items():
        key = short.get(name, name)
        found[key if key in found else "other"] += nbytes
    return found


@pytest.mark.parametrize("always", [False, True], ids=["watched", "settled"])
@pytest.mark.parametrize("name", TRAININGS)
def test_books_that_skip_steps_are_those_of_a_ledger_that_hears_all(
    name, always, monkeypatch
):
    make = TRAININGS[name]

    def program():
        return leaky(make)

    expected = [named(totals) for totals in watched_whole(program)]
    found = watched_in_part(program, monkeypatch, always)
    assert len(found) == len(expected) == STEPS
    looked = [(e, f) for e, f in zip(expected, found, strict=True) if f is not None]
    assert len(looked) == (STEPS if always else 5)
    for all_heard, (memory, tree, survivors) in looked:
        assert memory == all_heard
        assert tree == all_heard
        assert survivors == sum(all_heard.values())


def test_what_existed_before_is_not_made_by_steps_that_were_not_watched():
    old = torch.full((1000,), 1.0)  # no operation has used it
    missed = MissedAllocations()
    missed.note_existing()
    with MemoryTreeRecorder() as tree:
        missed.begin()
        new = torch.full((500,), 1.0)
        missed.announce_new()
        rows = tree.series("cpu")["rows"]
        lines = tree.series("cpu")["lines"]
    mine = [row for row in rows if row["shape"] in ([1000], [500])]
    assert [row["bytes"][0] for row in mine] == [4 * new.numel()]
    assert lines[mine[0]["line"]]["text"] == "made in a step that was not watched"
    assert old.numel() == 1000


def test_changes_tell_what_went_moved_and_came_while_another_listened():
    with MemoryRecorder("test.other"):
        missed, x = MissedAllocations(), torch.ones(4) + 1
        w = torch.ones(3, requires_grad=True)
        grown = w * 1
        missed.begin()
        del x
        grown.sum().backward()
        y = torch.ones(7) * 2
        told = [events.as_dict(record) for record in missed.changes()]
    assert [r["kind"] for r in told] == sorted(
        (r["kind"] for r in told), key=("free", "cat", "alloc").index
    )
    assert 16 in [r["nbytes"] for r in told if r["kind"] == "free"]
    assert 4 * y.numel() in [r["nbytes"] for r in told if r["kind"] == "alloc"]


def test_books_are_kept_while_the_only_listener_rests():
    with MemoryRecorder() as memory:
        x = torch.ones(100) + 1
        events.pause([memory.subscription], True)
        assert events.active == () and memory_events.live
        events.pause([memory.subscription], False)
    assert not memory_events.live
    assert x.numel() == 100


def test_gradient_of_before_is_not_made_by_steps_that_were_not_watched():
    old = torch.full((1000,), 1.0, requires_grad=True)
    old.sum().backward()
    missed = MissedAllocations()
    missed.note_existing()
    with MemoryRecorder() as memory:
        missed.begin()
        missed.announce_new()
        assert memory.series()["now"] == 0
    assert old.grad.numel() == 1000
