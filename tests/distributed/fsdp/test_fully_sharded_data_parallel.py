"""The wrapper; `train_sharded.py` trains with it on several ranks."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.distributed.fsdp import (
    FSDPModule,
    FullyShardedDataParallel,
    ShardingStrategy,
    StateDictType,
)

pytestmark = pytest.mark.usefixtures("alone")


def layers():
    return nn.Sequential(
        nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 1))
    )


def sharded(model):
    return [
        name for name, m in model.module.named_modules() if isinstance(m, FSDPModule)
    ]


def test_policy_of_classes_makes_units_of_them():
    model = FullyShardedDataParallel(layers(), auto_wrap_policy={nn.Linear})
    assert sharded(model) == ["", "0", "1.0", "1.1"]


def test_policy_of_sizes_makes_units_of_what_is_large_enough():
    def large(module, recurse, nonwrapped_numel):
        return recurse or nonwrapped_numel >= 12

    model = FullyShardedDataParallel(layers(), auto_wrap_policy=large)
    assert sharded(model) == ["", "1.0"]


def test_ignored_modules_stay_whole():
    inner = layers()
    model = FullyShardedDataParallel(inner, ignored_modules=[inner[1]])
    assert inner[0].weight.ndim == 1
    assert inner[1][0].weight.ndim == 2
    assert set(model.state_dict()) == set(layers().state_dict())


def test_state_is_whole_or_in_parts_as_asked():
    model = FullyShardedDataParallel(nn.Linear(2, 3))
    before = model.state_dict()
    assert before["weight"].shape == (3, 2)
    with FullyShardedDataParallel.state_dict_type(
        model, StateDictType.SHARDED_STATE_DICT
    ):
        part = model.state_dict()["weight"]
    assert (part.start, part.end, part.shape) == (0, 6, (3, 2))
    part.local.zero_()  # it shares memory with the parameter
    assert not model.state_dict()["weight"].any()
    model.load_state_dict(before)
    with FullyShardedDataParallel.summon_full_params(model):
        assert torch.equal(model.module.weight, before["weight"])


def test_strategy_says_whether_parameters_stay_until_backward():
    for strategy, stays in (
        (ShardingStrategy.FULL_SHARD, False),
        (ShardingStrategy.SHARD_GRAD_OP, True),
    ):
        model = FullyShardedDataParallel(nn.Linear(2, 1), sharding_strategy=strategy)
        y = model(torch.ones(1, 2))
        assert (model.module._fsdp_unit.unsharded_flat is not None) is stays
        y.sum().backward()
        assert model.module._fsdp_unit.unsharded_flat is None


def test_wrapper_has_the_attributes_of_its_module():
    model = FullyShardedDataParallel(nn.Linear(2, 1), sync_module_states=True)
    assert model.in_features == 2
    with pytest.raises(AttributeError, match="nowhere"):
        _ = model.nowhere


def test_gradients_are_scaled_to_the_norm():
    model = FullyShardedDataParallel(nn.Linear(3, 2))
    model(torch.ones(1, 3)).sum().backward()
    assert model.clip_grad_norm_(1.0).item() == pytest.approx(8**0.5)
    assert model.clip_grad_norm_(1.0).item() == pytest.approx(1.0, abs=1e-5)
    largest = model.clip_grad_norm_(9.0, float("inf")).item()
    # The norm was divided by twice, and by 1e-6 more than it is each time.
    assert largest == pytest.approx(8**-0.5, rel=1e-5)
