"""A program of several ranks: every collective once, in edutorch or in PyTorch.

    python collectives_program.py edutorch FOLDER

Each rank writes what it got into a file of the folder.
"""

from __future__ import annotations

import importlib
import json
import sys
from datetime import timedelta
from pathlib import Path

torch = importlib.import_module(sys.argv[1])
dist = importlib.import_module(f"{sys.argv[1]}.distributed")
F = importlib.import_module(f"{sys.argv[1]}.distributed.nn.functional")
dist.init_process_group("gloo", timeout=timedelta(seconds=60))
RANK, SIZE = dist.get_rank(), dist.get_world_size()
OPS = ("SUM", "PRODUCT", "MIN", "MAX")
DTYPES = (
    "float32", "float64", "float16", "bfloat16", "uint8", "int8", "int32", "int64",
)  # fmt: skip


def own(*shape, dtype="float32", add=0):
    """Other numbers on each rank, exact in every dtype."""
    count = 1
    for size in shape:
        count *= size
    values = (torch.arange(count) % 5 + RANK + 1 + add).reshape(shape)
    return values.to(getattr(torch, dtype))


def shown(value):
    """Tensors as lists, with their dtype."""
    if isinstance(value, list | tuple):
        return [shown(v) for v in value]
    if isinstance(value, torch.Tensor):
        return [str(value.dtype), value.double().tolist()]
    return value


def reductions():
    found = {}
    for dtype in DTYPES:
        for op in OPS:
            x = own(3, 2, dtype=dtype)
            dist.all_reduce(x, getattr(dist.ReduceOp, op))
            found[f"all_reduce {dtype} {op}"] = x
    for op in ("BAND", "BOR", "BXOR"):
        x = own(4, dtype="int32")
        dist.all_reduce(x, getattr(dist.ReduceOp, op))
        found[f"all_reduce int32 {op}"] = x
    x = own(3) + 1j * own(3, add=2)
    dist.all_reduce(x)
    found["all_reduce complex"] = [x.real, x.imag]
    x = own(2, 3)
    dist.reduce(x, 1)
    # The other ranks' tensors hold whatever is left there, in PyTorch.
    found["reduce"] = x if RANK == 1 else None
    out = torch.zeros(2)
    dist.reduce_scatter(out, [own(2, add=i) for i in range(SIZE)])
    found["reduce_scatter"] = out
    out = torch.zeros(2)
    dist.reduce_scatter_tensor(out, own(2 * SIZE))
    found["reduce_scatter_tensor"] = out
    return found


def data_movement():
    found = {}
    x = own(2, 3)
    dist.broadcast(x, 1)
    found["broadcast"] = x
    x = own(2, 4).t()  # not contiguous
    if sys.argv[1] == "torch":
        x = x.contiguous()  # which gloo wants
    dist.broadcast(x, 0)
    found["broadcast strided"] = x
    for dtype in ("float32", "bool", "bfloat16", "complex64"):
        parts = [torch.zeros(2, dtype=getattr(torch, dtype)) for _ in range(SIZE)]
        dist.all_gather(parts, own(2, dtype=dtype))
        found[f"all_gather {dtype}"] = (
            [torch.view_as_real(p) for p in parts] if (dtype == "complex64") else parts
        )
    out = torch.zeros(2 * SIZE)
    dist.all_gather_into_tensor(out, own(2))
    found["all_gather_into_tensor"] = out
    parts = [torch.zeros(2) for _ in range(SIZE)] if RANK == 1 else None
    dist.gather(own(2), parts, dst=1)
    found["gather"] = parts
    out = torch.zeros(2)
    dist.scatter(out, [own(2, add=10 * i) for i in range(SIZE)] if RANK == 0 else None)
    found["scatter"] = out
    out = torch.zeros(2 * SIZE)
    dist.all_to_all_single(out, own(2 * SIZE, add=100 * RANK))
    found["all_to_all_single"] = out
    sent = [RANK + 1] * SIZE
    got = list(range(1, SIZE + 1))
    out = torch.zeros(sum(got), 2)
    dist.all_to_all_single(out, own(sum(sent), 2, add=100 * RANK), got, sent)
    found["all_to_all_single uneven"] = out
    return found


def messages():
    found = {}
    after, before = (RANK + 1) % SIZE, (RANK - 1) % SIZE
    got = torch.zeros(3)
    works = [dist.isend(own(3), after), dist.irecv(got, before)]
    for work in works:
        work.wait()
    found["isend irecv"] = got
    got = torch.zeros(2, dtype=torch.int64)
    if RANK == 0:
        dist.send(own(2, dtype="int64"), 1, tag=7)
    elif RANK == 1:
        found["recv from"] = dist.recv(got, tag=7)
    found["send recv"] = got
    got = torch.zeros(3)
    ops = [dist.P2POp(dist.isend, own(3, add=5), after),
           dist.P2POp(dist.irecv, got, before)]  # fmt: skip
    for work in dist.batch_isend_irecv(ops):
        work.wait()
    found["batch_isend_irecv"] = got
    return found


def objects():
    found = {}
    every = [None] * SIZE
    dist.all_gather_object(every, {"rank": RANK, "text": "x" * RANK})
    found["all_gather_object"] = every
    some = [RANK, "a" * (RANK + 1), [RANK]]
    dist.broadcast_object_list(some, src=1)
    found["broadcast_object_list"] = some
    every = [None] * SIZE if RANK == 0 else None
    dist.gather_object([RANK, RANK], every)
    found["gather_object"] = every
    out = [None]
    dist.scatter_object_list(
        out, ["a", "b" * 100, 3, None][:SIZE] if RANK == 0 else None
    )
    found["scatter_object_list"] = out
    if RANK == 0:
        dist.send_object_list([1, "two"], 1)
    elif RANK == 1:
        out = [None, None]
        dist.recv_object_list(out, 0)
        found["recv_object_list"] = out
    return found


def works():
    found = {}
    x = own(2)
    work = dist.all_reduce(x, async_op=True)
    found["wait"] = work.wait()
    found["is_completed"] = work.is_completed()
    found["async all_reduce"] = x
    x = own(2)
    future = dist.all_reduce(x, async_op=True).get_future()
    found["future"] = future.then(lambda done: done.value()[0] * 2).wait()
    found["barrier"] = dist.barrier(async_op=True).wait()
    return found


def groups():
    found = {}
    last = dist.new_group([0, SIZE - 1])
    found["rank in group"] = dist.get_rank(last)
    found["size of group"] = dist.get_world_size(last)
    x = own(2)
    dist.all_reduce(x, group=last)
    found["all_reduce in group"] = x
    x = own(2)
    dist.broadcast(x, SIZE - 1, group=last)
    found["broadcast in group"] = x
    pair, pairs = dist.new_subgroups(2)
    found["subgroups"] = [dist.get_process_group_ranks(pair), len(pairs)]
    x = own(1)
    dist.all_reduce(x, group=pair)
    found["all_reduce in subgroup"] = x
    mesh = dist.init_device_mesh("cpu", (SIZE // 2, 2), mesh_dim_names=("dp", "tp"))
    found["mesh"] = [mesh.mesh, mesh.get_coordinate(), mesh.get_local_rank("tp"),
                     mesh["tp"].mesh, mesh.size(0), mesh.ndim]  # fmt: skip
    x = own(1)
    dist.all_reduce(x, group=mesh.get_group("tp"))
    found["all_reduce in mesh"] = x
    from_group = dist.device_mesh.DeviceMesh.from_group
    pair = from_group(mesh.get_group("tp"), "cpu")
    dims = ("dp", "tp")
    both = from_group(mesh.get_all_groups(), "cpu", mesh.mesh, mesh_dim_names=dims)
    found["mesh from groups"] = [pair.mesh, both.mesh, both.get_local_rank("dp")]
    found["mesh in words"] = [repr(m) for m in (mesh, mesh["tp"], mesh["dp"], pair)]
    dist.monitored_barrier()
    return found


def split(parts):
    """PyTorch splits groups of NCCL only; there all ranks make all parts."""
    if sys.argv[1] == "edutorch":
        return dist.split_group(split_ranks=parts)
    return dist.new_subgroups_by_enumeration(parts)[0]


def together():
    found = {}
    pair = [own(2), own(3, dtype="int32")]
    dist.all_reduce_coalesced(pair[:1])
    found["all_reduce_coalesced"] = pair
    lists = [[torch.zeros(2), torch.zeros(3)] for _ in range(SIZE)]
    dist.all_gather_coalesced(lists, [own(2), own(3, add=4)])
    found["all_gather_coalesced"] = lists
    x, y = own(2), own(3)
    with dist._coalescing_manager(async_ops=True) as manager:
        dist.all_reduce(x)
        dist.all_reduce(y)
    manager.wait()
    found["_coalescing_manager"] = [x, y]
    half = split([list(range(0, SIZE, 2)), list(range(1, SIZE, 2))])
    x = own(2)
    dist.all_reduce(x, group=half)
    found["split_group"] = [dist.get_process_group_ranks(half), x]
    x = own(2)
    first = split([[1]])
    if first is not None:
        dist.all_reduce(x, group=first)
    found["split_group of one"] = [first is None, x]
    found["get_pg_count"] = dist.get_pg_count() > 1
    found["supports_complex"] = [
        dist.supports_complex(getattr(dist.ReduceOp, op)) for op in OPS
    ]
    return found


def gradients():
    found = {}

    def try_out(name, function):
        x = own(4).requires_grad_()
        y = function(x)
        ys = y if isinstance(y, tuple) else (y,)
        sum(
            ((i + 2) * (RANK + 1) * v.square()).sum() for i, v in enumerate(ys)
        ).backward()
        found[name] = [list(ys), x.grad]

    try_out("F.all_reduce", lambda x: F.all_reduce(x * 2))
    try_out("F.broadcast", lambda x: F.broadcast(x * 2, 1))
    try_out("F.all_gather", lambda x: F.all_gather(x * 2))
    try_out("F.all_to_all_single", lambda x: F.all_to_all_single(torch.zeros(4), x * 2))
    try_out(
        "F.reduce_scatter",
        lambda x: F.reduce_scatter(torch.zeros(4), [x * (i + 1) for i in range(SIZE)]),
    )
    return found


def errors():
    found = {}
    from_group = dist.device_mesh.DeviceMesh.from_group

    def named(names):
        return dist.init_device_mesh("cpu", (SIZE,), mesh_dim_names=names)

    calls = {
        "twice": lambda: dist.init_process_group("gloo"),
        "not a tensor": lambda: dist.all_reduce([1.0]),
        "short list": lambda: dist.all_gather([torch.zeros(2)], torch.zeros(2)),
        "no list": lambda: dist.gather(own(1), [own(1)], dst=1 - RANK),
        "not in world": lambda: dist.new_group([SIZE]),
        "bad splits": lambda: dist.all_to_all_single(own(3), own(3), [1] * SIZE, [9] * SIZE),
        "groups of three": lambda: dist.new_subgroups(3),
        "no op": lambda: dist.P2POp(print, own(1), 0),
        "no root": lambda: dist.broadcast(own(1)),
        "no destination": lambda: dist.reduce(own(1)),
        "nobody to send to": lambda: dist.send(own(1)),
        "two roots": lambda: dist.broadcast(own(1), src=0, group_src=0),
        "rank twice": lambda: dist.new_group([0, 0]),
        "bits of floats": lambda: dist.all_reduce(own(1), dist.ReduceOp.BAND),
        "no mesh for groups": lambda: from_group([dist.group.WORLD], "cpu"),
        "no groups": lambda: from_group([], "cpu"),
        "other ranks": lambda: from_group(dist.group.WORLD, "cpu", [SIZE]),
        "dimensions without names": lambda: named(None)["dp"],
        "unknown dimension": lambda: named(("dp",))["tp"],
        "group of unknown dimension": lambda: named(("dp",)).get_group("tp"),
    }  # fmt: skip
    for name, call in calls.items():
        try:
            call()
        except Exception as error:
            found[f"error: {name}"] = [type(error).__name__, str(error).split("\n")[0]]
    return found


results = {}
for part in (
    reductions,
    data_movement,
    messages,
    objects,
    works,
    groups,
    together,
    gradients,
    errors,
):
    results |= part()
text = json.dumps({name: shown(value) for name, value in results.items()})
Path(sys.argv[2], f"{sys.argv[1]}{RANK}.json").write_text(text)
dist.barrier()
dist.destroy_process_group()
