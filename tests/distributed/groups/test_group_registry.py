"""The groups that a process belongs to."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import distributed as dist
from edutorch.distributed import group, is_initialized
from tests.distributed.launching import needs_mpi


@needs_mpi
def test_group_has_its_members_and_numbers_them(collected):
    size = len(collected)
    members = {0: 0, size - 1: 1}
    for rank, found in enumerate(collected):
        assert found["rank in group"] == members.get(rank, -1)
        assert found["size of group"] == (2 if rank in members else -1)


def test_world_is_none_before_it_is_made():
    assert not is_initialized()
    assert group.WORLD is None


def test_numbers_of_ranks_need_a_group():
    for ask in (dist.get_rank, dist.get_world_size, dist.get_backend):
        with pytest.raises(ValueError, match="has not been initialized"):
            ask()


def test_process_outside_a_group_has_no_number_in_it():
    outside = dist.GroupMember.NON_GROUP_MEMBER
    assert dist.get_rank(outside) == dist.get_world_size(outside) == -1
    assert dist.get_process_group_ranks(outside) == []
    with pytest.raises(ValueError, match="Invalid process group"):
        dist.get_backend(outside)


@needs_mpi
@pytest.mark.parametrize("group", ["world", 3, [0, 1]])
def test_value_that_is_not_a_group_is_refused(alone, group):
    calls = (dist.get_rank, dist.get_world_size, dist.get_process_group_ranks)
    for call in calls:
        with pytest.raises(ValueError, match="is not initialized in the world group"):
            call(group)
    with pytest.raises(ValueError, match="is not initialized in the world group"):
        dist.all_reduce(torch.ones(2), group=group)
