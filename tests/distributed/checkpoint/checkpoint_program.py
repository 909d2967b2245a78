"""A program of several ranks: `checkpoint_program.py save|load|fail FOLDER`.

Each rank has its part of a tensor of 10 elements, and all have the same model.
"""

from __future__ import annotations

import sys
from datetime import timedelta

import edutorch as torch
import edutorch.distributed.checkpoint as dcp
from edutorch import distributed as dist

what, folder = sys.argv[1:]
dist.init_process_group("gloo", timeout=timedelta(seconds=60))
rank, size = dist.get_rank(), dist.get_world_size()


def part(values):
    """This rank's elements, nearly as many as those of the others."""
    first, last = rank * 10 // size, (rank + 1) * 10 // size
    return dcp.FlatShard(values[first:last].clone(), first, (2, 5))


torch.manual_seed(0)
model = torch.nn.Linear(3, 2)
optimizer = torch.optim.Adam(model.parameters())
model(torch.ones(1, 3)).sum().backward()
optimizer.step()
state = {"model": model, "optimizer": optimizer, "step": 7, "list": [torch.ones(2), 5]}
if what == "save":
    dcp.save({**state, "x": part(torch.arange(10.0))}, checkpoint_id=folder)
elif what == "load":
    before = [p.clone() for p in model.parameters()]
    with torch.no_grad():
        for p in model.parameters():
            p.zero_()
    mine = part(torch.zeros(10))
    state |= {"x": mine, "step": 0, "list": [torch.zeros(2), 0]}
    dcp.load(state, checkpoint_id=folder)
    assert all(map(torch.equal, model.parameters(), before))
    assert mine.local.tolist() == list(range(mine.start, mine.end))
    assert state["step"] == 7
    assert state["list"][0].tolist() == [1, 1]
    assert state["list"][1] == 5
else:
    value = (lambda: 0) if rank == 1 else 1  # which cannot be pickled
    failures = None
    try:
        dcp.save({f"of rank {rank}": value}, checkpoint_id=folder)
    except dcp.CheckpointException as error:
        failures = list(error.failures)
    assert failures == [1]
dist.barrier()
dist.destroy_process_group()
