"""Parts of tensors."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.distributed.checkpoint import FlatShard


@pytest.mark.parametrize(
    ("start", "count", "expected"),
    [(0, 2, 0), (0, 4, 1), (4, 1, 1), (2, 9, 3), (6, 2, 0)],
)
def test_shard_takes_over_what_is_in_its_range(start, count, expected):
    shard = FlatShard(torch.full((3,), -1.0), 3, (4, 3))  # elements 3, 4 and 5
    assert shard.fill(start, torch.arange(start, start + count).float()) == expected
    inside = [i if start <= i < start + count else -1 for i in (3, 4, 5)]
    assert shard.local.tolist() == inside


def test_shard_must_be_flat_and_within_its_tensor():
    for local, start in (
        (torch.ones(2, 1), 0),
        (torch.ones(2), 3),
        (torch.ones(2), -1),
    ):
        with pytest.raises(ValueError, match="is not within a tensor of shape"):
            FlatShard(local, start, (2, 2))
