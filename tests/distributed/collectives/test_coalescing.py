"""Several collectives at once."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import distributed as dist
from tests.distributed.collectives.test_data_movement import own
from tests.distributed.launching import needs_mpi


@needs_mpi
def test_coalesced_reductions_are_sums_of_each(collected):
    size = len(collected)
    totals = [sum(own(rank, n) for rank in range(size)).tolist() for n in (2, 3)]
    for rank, found in enumerate(collected):
        reduced, kept = found["all_reduce_coalesced"]
        assert reduced[1] == totals[0]
        assert kept[1] == own(rank, 3).tolist()
        assert [x[1] for x in found["_coalescing_manager"]] == totals


@needs_mpi
def test_coalesced_gathering_gives_a_list_for_each_rank(collected):
    for found in collected:
        for rank, (first, second) in enumerate(found["all_gather_coalesced"]):
            assert first[1] == own(rank, 2).tolist()
            assert second[1] == own(rank, 3, add=4).tolist()


def test_block_waits_at_its_end_for_all_that_began_in_it(alone):
    with dist._coalescing_manager() as manager:
        out = torch.zeros(2)
        dist.all_gather_into_tensor(out, torch.ones(2))
        work = dist.all_reduce(out, async_op=True)
    assert manager.is_completed()
    assert work.is_completed()
    assert out.tolist() == [1, 1]


def test_blocks_of_one_group_cannot_be_nested(alone):
    with (
        dist._coalescing_manager(),
        pytest.raises(ValueError, match="non-empty op list"),
        dist._coalescing_manager(),
    ):
        pass
    dist.all_reduce(torch.ones(1))  # the group is as before


def test_block_ends_with_the_error_that_was_raised_in_it(alone):
    with pytest.raises(ZeroDivisionError), dist._coalescing_manager():
        dist.all_reduce(torch.tensor(1 // 0))
    assert dist.group.WORLD.coalesced_works is None


def test_lists_of_different_lengths_are_refused(alone):
    with pytest.raises(RuntimeError, match="a tensor for each of 2 inputs, one has 1"):
        dist.all_gather_coalesced([[torch.ones(1)]], [torch.ones(1), torch.ones(2)])
