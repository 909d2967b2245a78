"""What was held at moments, against copies made at them."""

from __future__ import annotations

import random

from edutorch.inspect.memory_moments import Holding, Moments


def holding(nbytes, column=4, device="cpu"):
    fields = 7, nbytes, nbytes, device, "other", -1, "", 0, "", 0, "", (), "float32"
    return Holding(("alloc", 0, 0, 0, 0, 0, *fields), column)


def held(moments, at):
    """Bytes by category at a moment."""
    spans, _ = moments.snapshot()
    found = {}
    for span in spans:
        column = span.column_at(at)
        if column is not None:
            found[column] = found.get(column, 0) + span.holding.nbytes
    return found


def test_moments_after_thousands_of_random_changes_are_as_copies_say():
    rng, moments, live, copies, most = random.Random(0), Moments(), {}, {}, 0
    for ident in range(4000):
        kind = rng.random()
        if kind < 0.5 or not live:
            live[ident] = [rng.randrange(1, 50), rng.randrange(5)]
            moments.add(ident, holding(*live[ident]))
        elif kind < 0.8:
            gone = rng.choice(list(live))
            del live[gone]
            moments.remove(gone)
        else:
            known = rng.choice(list(live))
            live[known][1] = rng.randrange(5)
            moments.recategorise(known, live[known][1], 0, "")
        total = {}
        for nbytes, column in live.values():
            total[column] = total.get(column, 0) + nbytes
        if sum(total.values()) > most:
            most = sum(total.values())
            moments.reach("cpu")
            copies["peak"] = total
        if ident % 500 == 499:
            moments.mark(str(ident), most=3)
            copies[str(ident)] = total
    now, *kept = moments.kept()
    assert held(moments, now.at) == total
    assert [m.name for m in kept] == ["peak", "2999", "3499", "3999"]
    for moment in kept:
        assert held(moments, moment.on("cpu")) == copies[moment.name]


def test_moments_when_never_needed_again_are_forgotten():
    moments = Moments()
    for ident in range(10_000):
        moments.add(ident, holding(4))
        moments.mark("here", most=1)
        moments.remove(ident)
    assert len(moments.snapshot()[0]) == 1


def test_recategorise_when_nothing_is_new_says_so():
    moments = Moments()
    moments.add(1, holding(4, column=2))
    assert not moments.recategorise(1, 2, 0, "")
    assert not moments.recategorise(5, 2, 0, "")
    assert moments.recategorise(1, 2, 9, "grad")
    assert moments.live[1].role == "grad"


def test_peak_when_a_device_never_held_anything_is_before_all():
    moments = Moments()
    moments.add(1, holding(4))
    moments.reach("cpu")
    _, peak = moments.kept()
    assert peak.on("cpu") == 1 and peak.on("cuda:0") == -1


def test_mark_when_a_name_comes_again_numbers_it():
    moments = Moments()
    for name in ("epoch ends", "other", "epoch ends", "epoch ends", "epoch ends"):
        moments.mark(name, most=4)
    assert [m.name for m in moments.kept()[2:]] == [
        "other", "epoch ends (2)", "epoch ends (3)", "epoch ends (4)",
    ]  # fmt: skip
