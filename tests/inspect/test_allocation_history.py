"""The allocations at past moments, against copies made at these moments."""

from __future__ import annotations

import random

from edutorch.inspect.allocation_history import Allocation, AllocationHistory


def allocation(nbytes, column=4, device="cpu"):
    fields = 7, nbytes, nbytes, device, "other", -1, "", 0, "", 0, "", (), "float32"
    return Allocation(("alloc", 0, 0, 0, 0, 0, *fields), column)


def held(history, at):
    """Bytes by category at a moment."""
    lifetimes, _ = history.snapshot()
    found = {}
    for lifetime in lifetimes:
        column = lifetime.column_at(at)
        if column is not None:
            found[column] = found.get(column, 0) + lifetime.allocation.nbytes
    return found


def test_moments_after_thousands_of_random_changes_are_as_copies_say():
    rng, history, live, copies, most = random.Random(0), AllocationHistory(), {}, {}, 0
    for ident in range(4000):
        kind = rng.random()
        if kind < 0.5 or not live:
            live[ident] = [rng.randrange(1, 50), rng.randrange(5)]
            history.add(ident, allocation(*live[ident]))
        elif kind < 0.8:
            gone = rng.choice(list(live))
            del live[gone]
            history.remove(gone)
        else:
            known = rng.choice(list(live))
            live[known][1] = rng.randrange(5)
            history.recategorise(known, live[known][1], 0, "")
        total = {}
        for nbytes, column in live.values():
            total[column] = total.get(column, 0) + nbytes
        if sum(total.values()) > most:
            most = sum(total.values())
            history.new_peak("cpu")
            copies["peak"] = total
        if ident % 500 == 499:
            history.mark(str(ident), most=3)
            copies[str(ident)] = total
    now, *kept = history.moments()
    assert held(history, now.at) == total
    assert [m.name for m in kept] == ["peak", "2999", "3499", "3999"]
    for moment in kept:
        assert held(history, moment.on("cpu")) == copies[moment.name]


def test_moments_when_never_needed_again_are_forgotten():
    history = AllocationHistory()
    for ident in range(10_000):
        history.add(ident, allocation(4))
        history.mark("here", most=1)
        history.remove(ident)
    assert len(history.snapshot()[0]) == 1


def test_recategorise_when_nothing_is_new_says_so():
    history = AllocationHistory()
    history.add(1, allocation(4, column=2))
    assert not history.recategorise(1, 2, 0, "")
    assert not history.recategorise(5, 2, 0, "")
    assert history.recategorise(1, 2, 9, "grad")
    assert history.live[1].role == "grad"


def test_peak_when_a_device_never_held_anything_is_before_all():
    history = AllocationHistory()
    history.add(1, allocation(4))
    history.new_peak("cpu")
    _, peak = history.moments()
    assert peak.on("cpu") == 1 and peak.on("cuda:0") == -1


def test_mark_when_a_name_comes_again_numbers_it():
    history = AllocationHistory()
    for name in ("epoch ends", "other", "epoch ends", "epoch ends", "epoch ends"):
        history.mark(name, most=4)
    assert [m.name for m in history.moments()[2:]] == [
        "other", "epoch ends (2)", "epoch ends (3)", "epoch ends (4)",
    ]  # fmt: skip
