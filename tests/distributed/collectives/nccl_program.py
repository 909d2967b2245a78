"""Ranks whose tensors are on the GPUs of a stand-in for CuPy, with a double of NCCL.

python -m edutorch run --nproc-per-node 2 nccl_program.py [shared]

With "shared" all ranks are on one GPU, which NCCL refuses.
"""

from __future__ import annotations

import sys

import edutorch as torch
from edutorch import distributed as dist
from edutorch import nn
from edutorch.distributed.fsdp import fully_shard
from tests.gpu_double.install import stand_in
from tests.gpu_double.nccl import NcclCommunicator, nccl_double

SHARED = "shared" in sys.argv
OPS = dist.ReduceOp
FLOATS = (torch.float16, torch.float32, torch.float64)
calls = NcclCommunicator.calls


def values(dtype):
    x = (torch.arange(24).reshape(4, 6) * 7 + 3 * rank) % 5 + 1
    return x.to(dtype)


def both(function, x):
    """What a function makes of a tensor on the GPU, and by MPI on the CPU."""
    there, here = x.to(device), x.clone()
    return function(there, dist.group.WORLD), function(here, on_cpu)


def same(function, dtype, expected):
    """The GPU's result is MPI's, and NCCL was called where it can be."""
    calls.clear()
    got, reference = both(function, values(dtype))
    assert got.device == device
    assert torch.equal(got.cpu(), reference), (function, dtype, got, reference)
    assert calls == ([] if SHARED else expected), (dtype, calls)


def check_reductions():
    for dtype in (*FLOATS, torch.int32, torch.int64, torch.uint8, torch.complex64):
        for op in (OPS.SUM, OPS.PRODUCT, OPS.MIN, OPS.MAX, OPS.AVG):
            whole = dtype not in (*FLOATS, torch.complex64)
            if (op is OPS.AVG and whole) or (
                dtype.is_complex and op in (OPS.MIN, OPS.MAX)
            ):
                continue
            known = not dtype.is_complex or op is not OPS.PRODUCT

            def all_reduced(x, group, op=op):
                dist.all_reduce(x, op, group)
                return x

            def reduced(x, group, op=op):
                dist.reduce(x, 1, op, group)
                return x if rank == 1 else x * 0

            def scattered(x, group, op=op):
                out = x.new_empty(4 // size, 6)
                dist.reduce_scatter_tensor(out, x, op, group)
                return out

            same(all_reduced, dtype, ["allReduce"] * known)
            same(reduced, dtype, ["reduce"] * known)
            same(scattered, dtype, ["reduceScatter"] * known)


def check_movements():
    def broadcast(x, group):
        dist.broadcast(x, 1, group)
        return x

    def gathered(x, group):
        out = x.new_empty(size * 4, 6)
        dist.all_gather_into_tensor(out, x, group)
        return out

    def strided(x, group):
        y = x.t()[1:]
        dist.broadcast(y, 1, group)
        dist.all_reduce(y, group=group)
        return x

    for dtype in (torch.float32, torch.bool, torch.int16, torch.complex128):
        same(broadcast, dtype, ["broadcast"])
        same(gathered, dtype, ["allGather"])
    same(strided, torch.float32, ["broadcast", "allReduce"])


def check_async():
    x = torch.ones(3, device=device)
    before = x._version
    work = dist.all_reduce(x, async_op=True)
    assert work.wait()
    assert x.tolist() == [size] * 3
    assert x._version > before


def check_training():
    losses = []
    for where in ("cpu", device):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(6, 5), nn.Tanh(), nn.Linear(5, 3)).to(where)
        model = nn.parallel.DistributedDataParallel(net)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        calls.clear()
        found = []
        for _ in range(5):
            optimizer.zero_grad()
            loss = model(values(torch.float32).to(where)).square().mean()
            loss.backward()
            optimizer.step()
            found.append(loss.item())
        losses.append(found)
    assert max(abs(a - b) for a, b in zip(*losses, strict=True)) < 1e-5, losses
    assert ("allReduce" in calls) is not SHARED, calls


def check_shards():
    layer = fully_shard(nn.Linear(6, 5).to(device))
    calls.clear()
    layer(values(torch.float32).to(device)).sum().backward()
    assert ("reduceScatter" in calls) is not SHARED, calls
    assert ("allGather" in calls) is not SHARED, calls


with stand_in() as cupy:
    cupy.cuda.nccl = nccl_double()
    dist.init_process_group("nccl")
    rank, size = dist.get_rank(), dist.get_world_size()
    device = torch.device("cuda", 0 if SHARED else rank)
    torch.cuda.set_device(device)
    assert cupy.cuda.Device().id == device.index
    on_cpu = dist.new_group(backend="gloo")
    for check in (
        check_reductions, check_movements, check_async, check_training, check_shards,
    ):  # fmt: skip
        check()
    dist.barrier()
    dist.destroy_process_group()
