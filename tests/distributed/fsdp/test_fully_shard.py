"""Sharded training equals that of one device."""

from __future__ import annotations

from pathlib import Path

import pytest

import edutorch as torch
from edutorch import distributed as dist
from edutorch.distributed.fsdp import FSDPModule, fully_shard
from tests.distributed.launching import needs_mpi, run

PROGRAM = Path(__file__).with_name("train_sharded.py")


@needs_mpi
@pytest.mark.parametrize("ranks", [2, 4])
def test_sharded_training_is_that_of_one_device(tmp_path, ranks):
    done = run("--nproc-per-node", ranks, PROGRAM, tmp_path / "checkpoint")
    assert done.returncode == 0, done.stderr


def test_module_keeps_its_class_and_its_names(alone):
    model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Linear(3, 1))
    fully_shard(model[0])
    assert fully_shard(model) is model
    assert isinstance(model, torch.nn.Sequential)
    assert [name for name, _ in model.named_parameters()] == [
        "0.weight", "0.bias", "1.weight", "1.bias",
    ]  # fmt: skip
    assert [p.ndim for p in model.parameters()] == [1] * 4
    assert type(model[1]) is torch.nn.Linear


def test_module_is_sharded_once_and_within_a_group(alone):
    layer = fully_shard(torch.nn.Linear(2, 3))
    with pytest.raises(ValueError, match="fully_shard has been applied"):
        fully_shard(layer)
    with pytest.raises(ValueError, match="containers that do not implement forward"):
        fully_shard(torch.nn.ModuleList([torch.nn.Linear(2, 3)]))
    dist.destroy_process_group()
    with pytest.raises(ValueError, match="has not been initialized"):
        fully_shard(torch.nn.Linear(2, 3))
    dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)


def test_gradients_wait_for_a_backward_that_reduces_them(alone):
    layer = fully_shard(torch.nn.Linear(2, 1))
    layer.set_requires_gradient_sync(False)
    layer(torch.ones(1, 2)).sum().backward()
    assert layer.weight.grad is None
    layer.set_requires_gradient_sync(True)
    layer(torch.ones(1, 2)).sum().backward()
    assert layer.weight.grad.tolist() == [2, 2]


def test_parameters_are_whole_on_request_and_without_gradients(alone):
    layer = fully_shard(torch.nn.Linear(2, 1))
    layer.unshard()
    assert layer._fsdp_unit.unsharded_flat is not None
    with torch.no_grad():
        assert layer(torch.ones(1, 2)).grad_fn is None
    assert layer._fsdp_unit.unsharded_flat is None
    layer.set_reshard_after_forward(False)
    layer(torch.ones(1, 2))
    assert layer._fsdp_unit.unsharded_flat is not None
    layer.reshard()
    assert layer._fsdp_unit.unsharded_flat is None
    assert isinstance(layer, FSDPModule)
