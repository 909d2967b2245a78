"""A barrier that names who is late; `test_work.py` has it with real processes."""

from __future__ import annotations

import threading
from datetime import timedelta
from types import SimpleNamespace

import pytest

from edutorch.distributed import HashStore
from edutorch.distributed.collectives.monitored_barrier import monitored_barrier
from edutorch.distributed.groups.process_group import ProcessGroup


def members(store, rank, size, failure=None):
    """A group whose ranks are threads."""
    world = SimpleNamespace(
        rank=rank, size=size, failure=None, find_failure=lambda ranks: failure
    )
    limit = timedelta(seconds=10)
    return ProcessGroup(world, None, range(size), "0", "gloo", limit, store)


def test_barrier_lets_all_go_on_when_all_have_come():
    store = HashStore()
    groups = [members(store, rank, 3) for rank in range(3)]
    threads = [threading.Thread(target=monitored_barrier, args=(g,)) for g in groups]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert [(g.count, g.completed) for g in groups] == [(1, 1)] * 3


@pytest.mark.parametrize(("every", "shown"), [(False, "1"), (True, "1, 2")])
def test_barrier_names_those_that_are_late(every, shown):
    group = members(HashStore(), 0, 3)
    with pytest.raises(RuntimeError) as error:
        monitored_barrier(group, timedelta(seconds=0.2), every)
    assert str(error.value) == f"Rank {shown} failed to pass monitoredBarrier in 200 ms"


def test_barrier_ends_early_when_a_rank_has_died():
    group = members(HashStore(), 1, 2, failure="rank 0 has died")
    with pytest.raises(RuntimeError, match=r"from rank 0 \(rank 0 has died\)"):
        monitored_barrier(group)
