"""Dtypes and devices of sharded modules, on two ranks as in PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

import edutorch as torch
from edutorch.distributed.fsdp import (
    CPUOffload,
    CPUOffloadPolicy,
    FullyShardedDataParallel,
    MixedPrecision,
    MixedPrecisionPolicy,
    ShardingStrategy,
    fully_shard,
)
from tests.distributed.launching import by_hand, needs_mpi, results, run

PROGRAM = Path(__file__).with_name("train_mixed_precision.py")


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """What each of two ranks gets, here and in PyTorch."""
    pytest.importorskip("torch", reason="needs PyTorch (torch)")
    folder = tmp_path_factory.mktemp("precision")
    done = run("--nproc-per-node", 2, PROGRAM, "edutorch", folder)
    assert done.returncode == 0, done.stderr
    by_hand(2, PROGRAM, "torch", folder)
    return results(folder, "edutorch", 2), results(folder, "torch", 2)


def numbers(tree):
    """The floats of nested lists, and the rest of them, in order."""
    if isinstance(tree, dict):
        tree = list(tree.items())
    if isinstance(tree, float):
        return [tree], []
    if not isinstance(tree, list | tuple):
        return [], [str(tree).replace("edutorch.", "torch.")]
    parts = [numbers(part) for part in tree]
    return [x for f, _ in parts for x in f], [x for _, r in parts for x in r]


@needs_mpi
@pytest.mark.parametrize(
    ("case", "error"),
    [
        ("bfloat16", 2e-6),
        ("reduced in float32", 2e-6),
        ("accumulated", 2e-6),
        ("reduced in bfloat16", 2e-6),
        ("float32 outputs", 2e-6),
        ("float16", 2e-6),
        ("inputs as they are", 0.0),
        ("tied in one list", 2e-6),
        ("wrapped", 2e-6),
        ("wrapped buffers", 0.02),  # running statistics in bfloat16
        ("wrapped norms", 2e-6),
        ("offloaded", 2e-6),
    ],
)
def test_sharded_modules_have_the_values_and_dtypes_of_pytorch(both, case, error):
    for ours, theirs in zip(*both, strict=True):
        floats, rest = numbers(ours[case])
        expected, names = numbers(theirs[case])
        assert rest == names
        assert floats == pytest.approx(expected, abs=error)


@needs_mpi
def test_parameter_shared_between_units_is_refused_as_in_pytorch(both):
    for ours, theirs in zip(*both, strict=True):
        (kind, text), (expected, words) = (
            side["tied in two units"] for side in (ours, theirs)
        )
        assert kind == expected == "ValueError"
        assert text == words.replace("last.weight", "weight")  # found earlier here


@pytest.mark.usefixtures("alone")
def test_parameter_of_a_unit_is_refused_unless_it_is_ignored():
    first, last = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    shared = last.weight = first.weight
    fully_shard(first)
    with pytest.raises(ValueError, match="'weight' is shared with a parameter"):
        fully_shard(last)
    last.weight = first.weight  # the piece
    with pytest.raises(ValueError, match="'weight' is shared with a parameter"):
        fully_shard(last)
    last.weight = shared
    fully_shard(last, ignored_params={shared})
    assert last.weight is shared


@pytest.mark.usefixtures("alone")
def test_modules_of_one_list_are_one_unit():
    first, last = torch.nn.Linear(2, 2), torch.nn.Linear(2, 2)
    last.weight = first.weight
    assert fully_shard([first, last]) == [first, last]
    assert first._fsdp_unit is last._fsdp_unit
    assert first.weight is last.weight
    last(first(torch.ones(1, 2))).sum().backward()
    assert first.weight.grad.shape == (4,)
    assert first._fsdp_unit.unsharded_flat is None


@pytest.mark.usefixtures("alone")
def test_state_dicts_have_full_precision():
    layer = torch.nn.Linear(3, 3)
    before = layer.weight.detach().clone()
    half = MixedPrecision(param_dtype=torch.bfloat16)
    model = FullyShardedDataParallel(layer, mixed_precision=half)
    model(torch.ones(1, 3)).sum().backward()
    assert torch.equal(model.state_dict()["weight"], before)


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("wrap", [True, False])
def test_parts_stay_on_the_cpu_while_a_gpu_computes(wrap):
    with torch.cuda.simulate():
        whole, layer = torch.nn.Linear(3, 2), torch.nn.Linear(3, 2)
        layer.load_state_dict(whole.state_dict())
        if wrap:
            model = FullyShardedDataParallel(
                layer, cpu_offload=CPUOffload(offload_params=True), device_id=0
            )
        else:
            layer.to("cuda")
            model = fully_shard(layer, offload_policy=CPUOffloadPolicy())
        optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
        y = model(torch.ones(1, 3, device="cuda"))
        assert str(y.device) == "cuda:0"
        y.sum().backward()
        for p in model.parameters():
            assert (p.device.type, p.grad.device.type) == ("cpu", "cpu")
        assert layer._fsdp_unit.shard.is_pinned()
        optimizer.step()
        expected = (whole.weight - 1).flatten()
        assert torch.equal(layer.weight, expected)
        del y


@pytest.mark.usefixtures("alone")
def test_mesh_of_gpus_moves_the_module_there():
    with torch.cuda.simulate():
        mesh = torch.distributed.init_device_mesh("cuda", (1,))
        layer = fully_shard(torch.nn.Linear(3, 2), mesh=mesh)
        assert layer.weight.device.type == "cuda"


@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"sharding_strategy": ShardingStrategy.NO_SHARD}, "NO_SHARD is not supported"),
        ({"param_init_fn": print}, "param_init_fn is not supported"),
        (
            {"mixed_precision": MixedPrecision(keep_low_precision_grads=True)},
            "keep_low_precision_grads=True. is not supported",
        ),
    ],
)
def test_what_the_wrapper_does_not_support_is_refused(given, words):
    with pytest.raises(NotImplementedError, match=words):
        FullyShardedDataParallel(torch.nn.Linear(2, 1), **given)


@pytest.mark.usefixtures("alone")
def test_other_ways_to_shard_are_refused():
    mesh = torch.distributed.init_device_mesh("cpu", (1, 1))
    with pytest.raises(NotImplementedError, match="hybrid sharding needs"):
        fully_shard(torch.nn.Linear(2, 1), mesh=mesh)
    with pytest.raises(NotImplementedError, match="number of ranks is not supported"):
        fully_shard(torch.nn.Linear(2, 1), reshard_after_forward=1)


@pytest.mark.usefixtures("alone")
def test_policy_warns_of_modules_that_stay_in_float32():
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
    with pytest.warns(UserWarning, match="with mixed precision disabled"):
        FullyShardedDataParallel(
            model,
            auto_wrap_policy={torch.nn.Linear},
            mixed_precision=MixedPrecision(param_dtype=torch.bfloat16),
        )
    assert model(torch.ones(3, 2, dtype=torch.bfloat16)).dtype is torch.bfloat16
    assert model[1]._fsdp_unit.precision == MixedPrecisionPolicy()
