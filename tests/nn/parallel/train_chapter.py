"""Trains the network of chapter 9, alone or in ranks that share each batch.

python -m edutorch run --nproc-per-node 2 train_chapter.py FOLDER

Every rank writes the mean loss of each whole batch.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

from edutorch import distributed as dist
from edutorch import nn
from edutorch.nn import functional as F
from tests.notebooks.program import program

STEPS = 20


def chapter():
    """The names of chapter 9 when its model is made: data, loader, network.

    The network is in float64: Adam makes steps of the learning rate also of gradients
    that are nothing but rounding, which the number of samples at once changes.
    """
    names = {"__name__": "chapter"}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in program("09-cnn", "edutorch")[:-1]:
            exec(compile(cell, "<09-cnn>", "exec"), names)
    names["model"].double()
    return names


def train(names, model, loss_of, device="cpu"):
    """The losses of the first batches, with the chapter's optimizer."""
    optimizer = names["torch"].optim.Adam(model.parameters(), lr=0.001)
    losses = []
    for (x, y), _ in zip(names["loader"], range(STEPS), strict=False):
        optimizer.zero_grad()
        loss, reported = loss_of(model, x.to(device).double(), y.to(device))
        loss.backward()
        optimizer.step()
        losses.append(reported)
    return losses


def at_once(model, x, y):
    """The loss of a batch that goes through the model at once."""
    loss = F.cross_entropy(model(x), y)
    return loss, loss.item()


def part(model, x, y):
    """The loss of this rank's rows, and that of all."""
    rank, size = dist.get_rank(), dist.get_world_size()
    loss = F.cross_entropy(model(x.chunk(size)[rank]), y.chunk(size)[rank])
    total = loss.detach().clone()
    dist.all_reduce(total)
    return loss, (total / size).item()


def main(folder):
    """Train in this rank; batch norm uses the statistics of all ranks' rows."""
    dist.init_process_group("gloo")
    names = chapter()
    model = nn.SyncBatchNorm.convert_sync_batchnorm(names["model"])
    losses = train(names, nn.parallel.DistributedDataParallel(model), part)
    path = folder / f"edutorch{dist.get_rank()}.json"
    path.write_text(json.dumps(losses))
    dist.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
