"""Groups of some ranks: made, and waited for."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from edutorch.distributed import DistBackendError, HashStore
from edutorch.distributed.groups.new_groups import store_barrier
from tests.distributed.launching import needs_mpi


@needs_mpi
def test_collective_of_a_group_leaves_the_others_alone(collected):
    size = len(collected)
    for rank, found in enumerate(collected):
        total = (1 + size) if rank in {0, size - 1} else rank + 1
        assert found["all_reduce in group"][1] == [total, total + 2 - (
            0 if rank in {0, size - 1} else 1
        )]  # fmt: skip


@needs_mpi
def test_subgroups_are_neighbours(collected):
    for rank, found in enumerate(collected):
        first = rank // 2 * 2
        assert found["subgroups"] == [[first, first + 1], len(collected) // 2]
        assert found["all_reduce in subgroup"][1] == [2 * first + 3]


def test_barrier_of_a_store_names_who_has_not_come():
    store = HashStore()
    other = threading.Thread(
        target=lambda: store.set("start/1", "here"),
    )
    other.start()
    with pytest.raises(
        DistBackendError, match=r"ranks \[2\] of 3 did not come to start"
    ):
        store_barrier(store, "start", 0, 3, timedelta(seconds=0.2))
    other.join()


def test_barrier_of_a_store_ends_early_when_one_will_not_come():
    with pytest.raises(DistBackendError, match="rank 1 was killed"):
        store_barrier(
            HashStore(),
            "start",
            0,
            2,
            timedelta(minutes=5),
            lambda: "rank 1 was killed",
        )
