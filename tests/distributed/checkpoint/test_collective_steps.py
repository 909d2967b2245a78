"""Steps of several ranks; `test_state.py` has some that fail on one of them."""

from __future__ import annotations

import pytest

from edutorch import distributed as dist
from edutorch.distributed.checkpoint.collective_steps import CheckpointException, Ranks


def test_step_of_one_rank_fails_with_its_error():
    ranks = Ranks()
    with pytest.raises(CheckpointException) as error:
        ranks.run_on_rank_zero("dividing", lambda: 1 // 0)
    assert str(error.value).splitlines()[0] == "dividing failed on ranks [0]"
    assert error.value.failures[0].startswith("ZeroDivisionError: integer division")


def test_ranks_are_those_of_the_group():
    dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
    try:
        assert Ranks().group is dist.group.WORLD
        assert Ranks().run_on_all("counting", lambda: 3) == [3]
        assert Ranks(alone=True).group is None
    finally:
        dist.destroy_process_group()
