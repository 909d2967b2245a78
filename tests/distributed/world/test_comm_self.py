"""A group of one rank, without MPI."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta

import numpy as np
import pytest

import edutorch as torch
from edutorch import distributed as dist
from edutorch.distributed.world.comm_self import CommSelf
from tests.distributed.launching import environment
from tests.ports import free_port

WITHOUT_MPI = """
import sys
sys.modules["mpi4py"] = None
import edutorch as torch
from edutorch import distributed as dist
dist.init_process_group("gloo", "tcp://127.0.0.1:{port}", rank=0, world_size=1)
torch.manual_seed(0)
model = torch.nn.Linear(2, 1)
ddp = torch.nn.parallel.DistributedDataParallel(model)
optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
x = torch.ones(4, 2)
losses = []
for _ in range(3):
    loss = ddp(x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
assert losses[0] > losses[1] > losses[2]
dist.destroy_process_group()
print("trained")
"""


@pytest.fixture
def alone():
    """This process as the only rank."""
    limit = timedelta(seconds=0.3)
    dist.init_process_group(
        "gloo", store=dist.HashStore(), rank=0, world_size=1, timeout=limit
    )
    yield
    dist.destroy_process_group()


def test_training_script_runs_as_one_process_without_mpi():
    program = WITHOUT_MPI.format(port=free_port())
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True,
        text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.stdout == "trained\n", done.stderr


def test_reductions_of_one_rank_keep_its_values(alone):
    for op in (dist.ReduceOp.SUM, dist.ReduceOp.AVG, dist.ReduceOp.PRODUCT):
        x = torch.tensor([1.5, -2.0])
        dist.all_reduce(x, op)
        dist.reduce(x, 0, op)
        assert x.tolist() == [1.5, -2.0]
    x = torch.tensor([1.1, 2.2], dtype=torch.bfloat16)
    y = x.clone()
    dist.all_reduce(y)
    assert torch.equal(x, y)


@pytest.mark.parametrize(
    "collective",
    [
        lambda out, x: dist.all_gather([out], x),
        dist.all_gather_into_tensor,
        lambda out, x: dist.gather(x, [out]),
        lambda out, x: dist.scatter(out, [x]),
        lambda out, x: dist.all_to_all([out], [x]),
        dist.all_to_all_single,
        lambda out, x: dist.reduce_scatter(out, [x]),
        dist.reduce_scatter_tensor,
    ],
)
def test_data_movement_of_one_rank_are_copies(alone, collective):
    out, x = torch.zeros(3, 2), torch.arange(6.0).reshape(3, 2)
    collective(out, x)
    assert torch.equal(out, x)


def test_objects_of_one_rank_come_back(alone):
    got = [None]
    dist.all_gather_object(got, {"a": 1})
    assert got == [{"a": 1}]
    dist.scatter_object_list(got, ["b"])
    assert got == ["b"]


def test_groups_and_meshes_can_have_one_rank(alone):
    x = torch.ones(2)
    dist.all_reduce(x, group=dist.new_group([0]))
    mesh = dist.init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))
    dist.all_reduce(x, group=mesh.get_group("tp"))
    assert x.tolist() == [1, 1]
    assert mesh.get_coordinate() == (0, 0)


def test_tensor_that_is_too_small_is_refused(alone):
    with pytest.raises(RuntimeError, match=r"index 0 \(expected \(3\), got \(2\)\)"):
        dist.all_gather([torch.zeros(2)], torch.zeros(3))


def test_message_from_nobody_ends_with_the_time_limit(alone):
    with pytest.raises(dist.DistBackendError, match="receive from any rank .* 0.3 s"):
        dist.recv(torch.zeros(1))


def test_group_can_be_made_again_after_a_failure():
    for _ in range(2):
        dist.init_process_group(store=dist.HashStore(), rank=0, world_size=1)
        with pytest.raises(dist.DistBackendError):
            dist.irecv(torch.zeros(1)).wait(timedelta(seconds=0.1))
        dist.destroy_process_group()


def test_communicator_moves_arrays_of_any_shape():
    got = np.zeros((2, 2))
    assert CommSelf().Ialltoallv([np.arange(4.0), [4]], [got, [4]]).Test()
    assert got.tolist() == [[0, 1], [2, 3]]
