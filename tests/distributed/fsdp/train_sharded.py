"""A program of several ranks: trains sharded models, and compares with one device's.

train_sharded.py FOLDER
"""

from __future__ import annotations

import sys
from datetime import timedelta

import edutorch as torch
import edutorch.distributed.checkpoint as dcp
from edutorch import distributed as dist
from edutorch import nn
from edutorch.distributed.checkpoint import state_dict as states
from edutorch.distributed.fsdp import FullyShardedDataParallel, fully_shard

dist.init_process_group("gloo", timeout=timedelta(seconds=60))
RANK, SIZE = dist.get_rank(), dist.get_world_size()
FULL = states.StateDictOptions(full_state_dict=True)
torch.manual_seed(1)
X, Y = torch.randn(8, 5, 4), torch.arange(8) % 3
PART = slice(RANK * 8 // SIZE, (RANK + 1) * 8 // SIZE)


class Tied(nn.Sequential):
    """Layers with one weight."""


class Network(nn.Module):
    """Recurrent, convolutional and normalizing layers, and a weight used twice."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.rnn = nn.LSTM(4, 6, batch_first=True)
        self.conv = nn.Sequential(nn.Conv1d(6, 7, 3, padding=1), nn.GELU())
        self.norm = nn.LayerNorm(7)
        self.tied = Tied(nn.Linear(7, 7), nn.Tanh(), nn.Linear(7, 7, bias=False))
        self.tied[2].weight = self.tied[0].weight
        self.head = nn.Linear(7, 3)

    def forward(self, x):
        x, _ = self.rnn(x)
        x = self.norm(self.conv(x.mT).mean(2))
        return self.head(self.tied(x))


def adam(model):
    return torch.optim.Adam(model.parameters(), lr=0.02)


def train(model, optimizer, part, steps, accumulate=None):
    """Losses, averaged over the ranks where each has a part."""
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        if accumulate is not None:
            with accumulate():
                nn.functional.cross_entropy(model(X[part]), Y[part]).backward()
        loss = nn.functional.cross_entropy(model(X[part]), Y[part])
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    found = torch.stack(losses)
    if part is PART:
        dist.all_reduce(found, dist.ReduceOp.AVG)
    return found


def same(states_a, states_b, name):
    for key, value in states_a.items():
        error = (value - states_b[key]).abs().max().item()
        assert error <= 1e-5, (name, key, error)


def sharded(reshard=True):
    model = Network()
    for layer in (model.rnn, model.conv[0], model.tied):
        fully_shard(layer, reshard_after_forward=reshard)
    return fully_shard(model, reshard_after_forward=reshard)


# One device.
reference = Network()
reference_optimizer = adam(reference)
expected = train(reference, reference_optimizer, slice(None), 5)

# Sharded, in two ways; only a part of the memory is left between steps.
for reshard in (True, False):
    model = sharded(reshard)
    optimizer = adam(model)
    found = train(model, optimizer, PART, 5)
    assert (found - expected).abs().max() < 1e-5, (reshard, found, expected)
    same(
        states.get_model_state_dict(model, options=FULL),
        reference.state_dict(),
        reshard,
    )
held = sum(p.numel() for p in model.parameters())
total = sum(p.numel() for p in reference.parameters())
assert held <= total / SIZE + 4, (
    held,
    total,
)  # four units, each padded by less than one

# The wrapper: accumulated gradients, clipped.
wrapped = FullyShardedDataParallel(
    Network(), auto_wrap_policy={nn.LSTM, nn.Conv1d, Tied}
)
twice = Network()
losses = train(wrapped, adam(wrapped), PART, 3, wrapped.no_sync)
optimizer_of_twice = adam(twice)
for step in range(3):
    optimizer_of_twice.zero_grad()
    for _ in range(2):
        loss = nn.functional.cross_entropy(twice(X), Y)
        loss.backward()
    optimizer_of_twice.step()
    assert abs(loss.item() - losses[step].item()) < 1e-5
same(wrapped.state_dict(), twice.state_dict(), "accumulated")
norms = (
    wrapped.clip_grad_norm_(0.01), nn.utils.clip_grad_norm_(twice.parameters(), 0.01),
)  # fmt: skip
assert abs(norms[0] - norms[1]) < 1e-5, norms
norms = wrapped.clip_grad_norm_(1.0, float("inf"))
assert abs(norms - max(p.grad.abs().max() for p in twice.parameters())) < 1e-6

# Clipped without the wrapper: the norm is that of the whole gradients.
for order in (2.0, 1.0, float("inf")):
    parts, whole = sharded(), Network()
    for module, rows in ((parts, PART), (whole, slice(None))):
        nn.functional.cross_entropy(module(X[rows]), Y[rows]).backward()
    extra = nn.Parameter(torch.ones(3))  # is on every rank, and counts once
    extra.grad = torch.full((3,), 0.5)
    other = nn.Parameter(torch.ones(3))
    other.grad = extra.grad.clone()
    norms = [
        nn.utils.clip_grad_norm_([*module.parameters(), p], 0.01, order)
        for module, p in ((parts, extra), (whole, other))
    ]
    assert abs(norms[0] - norms[1]) < 1e-5, (order, norms)
    assert (extra.grad - other.grad).abs().max() < 1e-7, order
wrapped.load_state_dict(reference.state_dict())
same(wrapped.state_dict(), reference.state_dict(), "loaded")

# Checkpoints in parts: training continues as if nothing had happened.
state = {
    "model": states.get_model_state_dict(model),
    "optimizer": states.get_optimizer_state_dict(model, optimizer),
}
dcp.save(state, checkpoint_id=sys.argv[1])
other = sharded()
other_optimizer = adam(other)
train(other, other_optimizer, PART, 1)
state = {
    "model": states.get_model_state_dict(other),
    "optimizer": states.get_optimizer_state_dict(other, other_optimizer),
}
dcp.load(state, checkpoint_id=sys.argv[1])
states.set_model_state_dict(other, state["model"])
states.set_optimizer_state_dict(other, other_optimizer, state["optimizer"])
found = train(other, other_optimizer, PART, 3)
expected = train(reference, reference_optimizer, slice(None), 3)
assert (found - expected).abs().max() < 1e-5, (found, expected)
whole = states.get_optimizer_state_dict(other, other_optimizer, options=FULL)["state"]
moments = states.get_optimizer_state_dict(reference, reference_optimizer)["state"]
for name, values in moments.items():
    same({"m": values["exp_avg"]}, {"m": whole[name]["exp_avg"]}, name)

dist.barrier()
dist.destroy_process_group()
