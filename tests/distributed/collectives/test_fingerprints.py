"""Ranks that call different collectives are detected."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from edutorch.distributed.collectives.fingerprints import (
    LENGTH,
    Fingerprint,
    fingerprint,
)


def exchanged(*calls):
    """The fingerprint of the first of some ranks, once all have come."""
    rows = []
    comm = SimpleNamespace(
        size=len(calls), Iallgather=lambda mine, _: rows.append(mine)
    )
    made = [Fingerprint(comm, name, key) for name, key in calls]
    made[0].all[...] = np.stack(rows)
    return made[0]


def test_equal_keys_agree_whatever_the_names():
    assert exchanged(("f (2, 3)", "f 6"), ("f (6,)", "f 6")).mismatch([0, 1]) is None


def test_different_keys_are_told_with_both_names_and_ranks():
    text = exchanged(("f", "1"), ("f", "1"), ("g", "2")).mismatch([4, 5, 6])
    assert text == (
        "Detected mismatch between collectives on ranks. "
        "Rank 4 is running collective: f, but Rank 6 is running collective: g."
    )


def test_long_names_are_cut_and_still_compared_whole():
    long = "f" * 2 * LENGTH
    assert (
        exchanged((long, long + "a"), (long, long + "b")).mismatch([0, 1]) is not None
    )


def test_fingerprints_are_off_where_asked_or_for_one_rank(monkeypatch):
    assert fingerprint(SimpleNamespace(size=1), "f", "f") is None
    monkeypatch.setenv("TORCH_DISTRIBUTED_DEBUG", "OFF")
    assert fingerprint(SimpleNamespace(size=2), "f", "f") is None
