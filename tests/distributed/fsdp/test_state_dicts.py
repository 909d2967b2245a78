"""State dicts of sharded modules; `train_sharded.py` has those of several ranks."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import distributed as dist
from edutorch.distributed.checkpoint import FlatShard
from edutorch.distributed.fsdp import fully_shard
from edutorch.distributed.fsdp.state_dicts import (
    all_gather_shard,
    full_state_dict,
    load_state_dict,
    sharded_state_dict,
)

pytestmark = pytest.mark.usefixtures("alone")


def network():
    return torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))


def test_whole_state_is_that_before_sharding():
    model = network()
    before = {name: x.clone() for name, x in model.state_dict().items()}
    fully_shard(model)
    after = full_state_dict(model)
    assert list(after) == list(before)
    assert all(torch.equal(after[name], x) for name, x in before.items())
    assert model[0].weight.ndim == 1


def test_parts_and_whole_tensors_are_taken_over():
    source, target = fully_shard(network()), fully_shard(network())
    for state in (sharded_state_dict(source), full_state_dict(source)):
        with torch.no_grad():
            for p in target.parameters():
                p.zero_()
        load_state_dict(target, state)
        assert all(map(torch.equal, target.parameters(), source.parameters()))


def test_whole_tensor_is_put_together_from_parts():
    part = sharded_state_dict(fully_shard(network()))["0.weight"]
    assert torch.equal(all_gather_shard(part, dist.group.WORLD).flatten(), part.local)


def test_other_shapes_are_refused():
    state = full_state_dict(fully_shard(network()))
    state["0.weight"] = torch.zeros(3, 2)
    with pytest.raises(RuntimeError, match=r"size mismatch for 0\.weight"):
        load_state_dict(fully_shard(network()), state)


def test_part_with_the_elements_of_another_rank_is_refused():
    state = sharded_state_dict(fully_shard(network()))
    part = state["0.weight"]
    state["0.weight"] = FlatShard(part.local[:2], 2, part.shape)
    with pytest.raises(RuntimeError, match="does not have this rank's elements"):
        load_state_dict(fully_shard(network()), state)
