"""A process group: its ranks, and what they are doing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from edutorch.distributed import DistBackendError
from edutorch.distributed.groups.process_group import ProcessGroup


def members(ranks, answers=None):
    """A group of some of four ranks, in rank 2."""
    coordinator = SimpleNamespace(query_status=lambda ranks: answers)
    world = SimpleNamespace(
        rank=2, size=4, failure=None,
        coordinator=None if answers is None else coordinator,
        status=lambda: "computing",
    )  # fmt: skip
    return ProcessGroup(world, None, ranks, "7", "gloo", None, None)


def test_ranks_have_numbers_in_their_group():
    group = members([0, 2])
    assert (group.rank(), group.size(), group.group_rank(2)) == (1, 2, 1)
    with pytest.raises(ValueError, match="Global rank 3 is not part of group 7"):
        group.group_rank(3)


def test_group_is_named_by_its_ranks():
    assert members(range(4)).describe() == "the group of all 4 ranks"
    assert members([0, 2]).describe() == "the group of ranks [0, 2]"
    assert repr(members([0, 2])) == "<ProcessGroup 7 of ranks [0, 2]>"


def test_collectives_are_counted_until_one_has_failed():
    group = members([0, 2])
    group.start_collective("barrier()")
    assert group.status() == "in collective 1, barrier()"
    group.completed = 1
    assert group.status() == "after collective 1, barrier()"
    group.world.failure = "rank 0 has died"
    with pytest.raises(DistBackendError, match="cannot begin.*rank 0 has died"):
        group.start_collective("barrier()")


def test_timeout_tells_what_each_rank_was_doing():
    assert members([0, 2]).timeout_report([0, 2], 3.0) == "timed out after 3 s"
    text = members([0, 2], {0: "sleeping"}).timeout_report([0, 1, 2], 3.0)
    assert text == (
        "timed out after 3 s, this is what each rank was doing: rank 2: computing; "
        "rank 0: sleeping; rank 1: does not answer"
    )
