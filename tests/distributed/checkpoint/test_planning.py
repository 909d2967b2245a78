"""Which rank writes which part of a checkpoint."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.distributed.checkpoint import FlatShard
from edutorch.distributed.checkpoint.planning import plan_writes, tensor_metadata


def test_parts_are_written_by_those_who_have_them_and_the_rest_once():
    x = torch.arange(4.0)
    everything = [
        {
            "x": tensor_metadata(FlatShard(x[2 * r : 2 * r + 2], 2 * r, (4,))),
            **{name: tensor_metadata(x) for name in "abc"},
        }
        for r in (0, 1)
    ]
    mine, other = (plan_writes(rank, everything) for rank in (0, 1))
    assert mine["x"]["start"] == 0
    assert other["x"]["start"] == 2
    assert sorted([*mine, *other]) == ["a", "b", "c", "x", "x"]
    assert min(len(mine), len(other)) == 2


def test_ranks_that_disagree_are_refused():
    both = [
        {"x": tensor_metadata(torch.ones(2))},
        {"x": tensor_metadata(torch.ones(3))},
    ]
    with pytest.raises(ValueError, match="ranks disagree on x"):
        plan_writes(0, both)
