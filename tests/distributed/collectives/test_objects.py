"""Objects that travel between ranks."""

from __future__ import annotations

from tests.distributed.launching import needs_mpi

pytestmark = needs_mpi


def test_objects_of_all_ranks_reach_all(collected):
    every = [{"rank": r, "text": "x" * r} for r in range(len(collected))]
    assert all(found["all_gather_object"] == every for found in collected)


def test_objects_of_one_rank_reach_all(collected):
    assert all(f["broadcast_object_list"] == [1, "aa", [1]] for f in collected)


def test_objects_are_gathered_scattered_and_sent(collected):
    size = len(collected)
    assert collected[0]["gather_object"] == [[r, r] for r in range(size)]
    assert collected[1]["gather_object"] is None
    given = ["a", "b" * 100, 3, None]
    assert [f["scatter_object_list"][0] for f in collected] == given[:size]
    assert collected[1]["recv_object_list"] == [1, "two"]
