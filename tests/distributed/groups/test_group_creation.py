"""Creation of groups, and waiting for all their ranks."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from edutorch import distributed as dist
from edutorch.distributed import DistBackendError, HashStore
from edutorch.distributed.groups.group_creation import store_barrier
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


@needs_mpi
def test_split_group_gives_each_rank_its_part(collected):
    size = len(collected)
    for rank, found in enumerate(collected):
        ranks, x = found["split_group"]
        assert ranks == list(range(rank % 2, size, 2))
        total = sum(r + 1 for r in ranks)
        assert x[1] == [total, total + len(ranks)]
        assert found["split_group of one"][0] is (rank != 1)


def test_split_group_refuses_parts_that_cannot_be():
    dist.init_process_group(store=HashStore(), rank=0, world_size=1)
    try:
        for parts, text in (
            (None, "cannot be None or empty"),
            ([[0], []], "the split group cannot be empty"),
            ([[0], [0]], "cannot have duplicate ranks"),
            ([[0, 1]], "the group has 1 ranks, too few"),
        ):
            with pytest.raises(ValueError, match=text):
                dist.split_group(split_ranks=parts)
        assert dist.get_pg_count() == 1
        with pytest.raises(RuntimeError, match="not in the group"):
            dist.split_group(dist.GroupMember.NON_GROUP_MEMBER, [[0]])
    finally:
        dist.destroy_process_group()


def test_barrier_of_a_store_names_who_has_not_come():
    store = HashStore()
    other = threading.Thread(
        target=lambda: store.set("start/1", "here"),
    )
    other.start()
    with pytest.raises(
        DistBackendError,
        match=r"^start failed: timed out after 0.2 s. Ranks that had not come: 2$",
    ):
        store_barrier(store, "start", 0, range(3), timedelta(seconds=0.2))
    other.join()


def test_barrier_of_a_store_tells_who_failed_from_who_is_late():
    store = HashStore()
    with pytest.raises(
        DistBackendError,
        match=r"^start failed: rank 4 was killed. Ranks that had not come: 4, 7$",
    ):
        store_barrier(
            store, "start", 2, [2, 4, 7], timedelta(minutes=5),
            lambda: "rank 4 was killed",
        )  # fmt: skip


def test_barrier_of_a_store_names_nobody_who_came_before_one_failed():
    store = HashStore()

    def killed():
        store.set("start/1", "here")
        return "rank 0 was killed"

    with pytest.raises(DistBackendError, match="^start failed: rank 0 was killed$"):
        store_barrier(store, "start", 0, range(2), timedelta(minutes=5), killed)


def test_barrier_of_a_store_ends_early_when_one_will_not_come():
    with pytest.raises(DistBackendError, match="rank 1 was killed"):
        store_barrier(
            HashStore(),
            "start",
            0,
            range(2),
            timedelta(minutes=5),
            lambda: "rank 1 was killed",
        )
