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

PROGRAM = Path(__file__).with_name("precision.py")


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
        ("bfloat16", 0.02),
        ("reduced in float32", 0.005),
        ("accumulated", 0.005),
        ("reduced in bfloat16", 0.01),
        ("float32 outputs", 0.02),
        ("float16", 0.002),
        ("inputs as they are", 0.0),
        ("tied in one list", 1e-5),
        ("wrapped", 0.005),
        ("wrapped buffers", 0.002),
        ("wrapped norms", 0.02),
        ("offloaded", 1e-5),
    ],
)
def test_sharded_modules_have_the_values_and_dtypes_of_pytorch(both, case, error):
    for ours, theirs in zip(*both, strict=True):
        floats, rest = numbers(ours[case])
        expected, names = numbers(theirs[case])
        assert rest == names
        assert floats == pytest.approx(expected, abs=error)
