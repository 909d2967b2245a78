"""The parameters of one module, in parts."""

from __future__ import annotations

import weakref
from types import SimpleNamespace

import pytest

import edutorch as torch
from edutorch.distributed.fsdp import fully_shard
from edutorch.distributed.fsdp.fsdp_unit import FSDPUnit


def rank_of(rank, size):
    return SimpleNamespace(rank=lambda: rank, size=lambda: size)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
def test_pieces_of_all_ranks_are_the_parameters(size):
    whole = torch.nn.Linear(3, 4)
    sharded_params = {"weight": [], "bias": []}
    for rank in range(size):
        layer = torch.nn.Linear(3, 4)
        layer.load_state_dict(whole.state_dict())
        unit = FSDPUnit([layer], rank_of(rank, size))
        assert unit.shard.numel() == -(-16 // size)
        for name, param in zip(sharded_params, unit.params, strict=True):
            assert layer._parameters[name] is param.sharded_param
            assert param.shard_offset == sum(
                p.numel() for p in sharded_params[name]
            ) or not (param.sharded_param.numel())
            sharded_params[name].append(param.sharded_param.detach())
    for name, parts in sharded_params.items():
        assert torch.equal(torch.cat(parts), getattr(whole, name).detach().flatten())


def test_optimizer_steps_change_the_shard(alone):
    layer = fully_shard(torch.nn.Linear(2, 2))
    optimizer = torch.optim.SGD(layer.parameters(), lr=1.0)
    before = layer._fsdp_unit.shard.clone()
    layer(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    assert torch.equal(layer._fsdp_unit.shard, before - 1)


def test_whole_parameters_are_freed_after_forward_and_after_backward(
    alone, monkeypatch
):
    layer = fully_shard(torch.nn.Linear(3, 3))
    alive = []
    unshard = FSDPUnit.unshard

    def watched(unit):
        fresh = unit.unsharded_flat is None
        whole = unshard(unit)
        if fresh:
            alive.append(weakref.ref(whole._data))
        return whole

    monkeypatch.setattr(FSDPUnit, "unshard", watched)
    x = torch.ones(1, 3, requires_grad=True)
    y = torch.tanh(layer(torch.tanh(layer(x))))
    assert [ref() is None for ref in alive] == [True, True]
    y.sum().backward()
    assert x.grad is not None
    assert len(alive) > 2
    assert all(ref() is None for ref in alive)


def test_frozen_parameters_get_no_gradient(alone):
    layer = torch.nn.Linear(2, 2)
    layer.weight.requires_grad_(False)
    fully_shard(layer)
    x = torch.ones(1, 2, requires_grad=True)
    layer(x).sum().backward()
    assert layer.weight.grad is None
    assert layer.bias.grad.tolist() == [1, 1]
    frozen = fully_shard(torch.nn.Linear(2, 2).requires_grad_(False))
    frozen(x).sum().backward()
    assert frozen._fsdp_unit.unsharded_flat is None


def test_ignored_parameters_stay_whole(alone):
    layer = torch.nn.Linear(2, 3)
    fully_shard(layer, ignored_params={layer.bias})
    assert (layer.weight.shape, layer.bias.shape) == ((6,), (3,))
    layer(torch.ones(1, 2)).sum().backward()
    assert layer.bias.grad.tolist() == [1, 1, 1]


def test_parameters_are_pieces_again_after_an_error(alone):
    layer = fully_shard(torch.nn.Linear(2, 3))
    with pytest.raises(RuntimeError):
        layer(torch.ones(1, 7))
    assert layer.weight.shape == (6,)
    assert layer._fsdp_unit.unsharded_flat is None


def test_parameters_of_two_dtypes_are_refused(alone):
    layers = torch.nn.Sequential(torch.nn.Linear(1, 1), torch.nn.Linear(1, 1).double())
    with pytest.raises(ValueError, match="uniform dtype and device but got .*float32"):
        fully_shard(layers)


def test_module_without_parameters_of_its_own_is_a_unit(alone):
    model = torch.nn.Sequential(fully_shard(torch.nn.Linear(2, 1)), torch.nn.Tanh())
    fully_shard(model)(torch.ones(1, 2)).sum().backward()
    assert model[0].weight.grad is not None
