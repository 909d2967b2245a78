"""State dicts with names; those of sharded models are tested by `train_sharded.py`."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import distributed as dist
from edutorch.distributed.checkpoint import state_dict
from edutorch.distributed.fsdp import fully_shard


def test_state_of_an_optimizer_has_names_and_comes_back():
    model = torch.nn.Linear(2, 1)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    state = state_dict.get_optimizer_state_dict(model, optimizer)
    assert list(state["state"]) == ["weight", "bias"]
    assert state["param_groups"][0]["params"] == ["weight", "bias"]
    other = torch.optim.Adam(model.parameters(), lr=0.2)
    state_dict.set_optimizer_state_dict(model, other, state)
    assert other.param_groups[0]["lr"] == 0.1
    assert torch.equal(
        other.state[model.bias]["exp_avg"], optimizer.state[model.bias]["exp_avg"]
    )


@pytest.mark.parametrize("full", [False, True])
def test_state_of_a_sharded_optimizer_comes_back(full):
    dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
    try:
        model = fully_shard(torch.nn.Linear(2, 1))
        optimizer = torch.optim.Adam(model.parameters())
        model(torch.ones(1, 2)).sum().backward()
        optimizer.step()
        options = state_dict.StateDictOptions(full_state_dict=full)
        state = state_dict.get_optimizer_state_dict(model, optimizer, options=options)
        assert state["state"]["weight"]["exp_avg"].shape == (1, 2)
        other = torch.optim.Adam(model.parameters())
        state_dict.set_optimizer_state_dict(model, other, state)
        moments = [o.state[model.weight]["exp_avg"] for o in (optimizer, other)]
        assert torch.equal(*moments)
        assert moments[0] is not moments[1]
        weights = state_dict.get_model_state_dict(model, options=options)["weight"]
        assert weights.shape == (1, 2)
    finally:
        dist.destroy_process_group()
