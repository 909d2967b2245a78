"""NCCL in MPI's place, as far as a double of it can tell; needs no GPU."""

from __future__ import annotations

from pathlib import Path

import pytest

import edutorch as torch
from edutorch import distributed as dist
from edutorch.distributed.collectives.nccl import nccl_communicator
from tests.distributed.launching import needs_mpi, run

PROGRAM = Path(__file__).with_name("nccl_program.py")


@needs_mpi
@pytest.mark.parametrize("gpus", ["own", "shared"])
def test_collectives_of_gpu_tensors_are_those_of_the_cpu(gpus):
    pytest.importorskip("cupy", reason="needs cupy, whose names the stand-in has")
    done = run("--nproc-per-node", 2, PROGRAM, gpus)
    assert done.returncode == 0, done.stderr


def test_simulated_gpus_have_no_communicator(alone):
    with torch.cuda.simulate():
        x = torch.ones(2, device="cuda")
        assert nccl_communicator(dist.group.WORLD, x) is None
        dist.all_reduce(x)
        assert x.tolist() == [1, 1]
