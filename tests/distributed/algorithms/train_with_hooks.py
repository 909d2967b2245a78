"""Trains with hooks that compress: run in each process with PyTorch or edutorch.

python -m edutorch run --nproc-per-node 2 train_with_hooks.py edutorch FOLDER
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

library, folder = sys.argv[1], Path(sys.argv[2])
torch = importlib.import_module(library)
dist = importlib.import_module(library + ".distributed")
algorithms = library + ".distributed.algorithms"
power = importlib.import_module(algorithms + ".ddp_comm_hooks.powerSGD_hook")
local = importlib.import_module(algorithms + ".ddp_comm_hooks.post_localSGD_hook")
averagers = importlib.import_module(algorithms + ".model_averaging.averagers")
optim = importlib.import_module(library + ".distributed.optim")
nn = torch.nn

dist.init_process_group("gloo")
RANK, SIZE = dist.get_rank(), dist.get_world_size()
FOUND: dict[str, object] = {}


def values(shape, seed=0):
    """Numbers that both libraries compute alike."""
    size = 1
    for n in shape:
        size *= n
    x = torch.arange(size, dtype=torch.float64) * 0.37 + seed * 1.7
    return torch.sin(x * x).float().reshape(shape)


def model():
    made = nn.Sequential(nn.Linear(12, 9), nn.Tanh(), nn.Linear(9, 9), nn.Linear(9, 4))
    with torch.no_grad():
        for i, p in enumerate(made.parameters()):
            p.copy_(values(tuple(p.shape), i) * 0.4)
    return nn.parallel.DistributedDataParallel(made)


def train(replica, optimizer, steps=6):
    for step in range(steps):
        optimizer.zero_grad()
        replica(values((5, 12), 2 * step + RANK)).square().mean().backward()
        optimizer.step()
    return [p.flatten().tolist() for p in replica.parameters()]


def compressed(hook, **settings):
    settings = {"start_powerSGD_iter": 2, "min_compression_rate": 1} | settings
    state, replica = power.PowerSGDState(None, **settings), model()
    replica.register_comm_hook(state, hook)
    trained = train(replica, torch.optim.SGD(replica.parameters(), lr=0.1))
    return trained, state.compression_stats(), state.iter


for name, settings in {
    "rank 1": {},
    "rank 2": {"matrix_approximation_rank": 2},
    "rank 3": {"matrix_approximation_rank": 3},
    "cold": {"warm_start": False},
    "without feedback": {"use_error_feedback": False, "orthogonalization_epsilon": 0.1},
    "together": {"batch_tensors_with_same_shape": True},
    "nothing to compress": {"min_compression_rate": 100},
}.items():
    FOUND[name] = compressed(power.powerSGD_hook, **settings)

if library == "torch":  # which refuses its own matrix: it is no batch of matrices
    orthogonalize = power._orthogonalize
    power._orthogonalize = lambda x, epsilon=0: orthogonalize(
        x if x.dim() == 3 else x.unsqueeze(0), epsilon
    )
FOUND["batched"] = compressed(power.batched_powerSGD_hook)

for keeps in (True, False):
    alone, _ = dist.new_subgroups(1)
    replica = model()
    state = local.PostLocalSGDState(None, alone, 2, keeps)
    replica.register_comm_hook(state, local.post_localSGD_hook)
    optimizer = optim.PostLocalSGDOptimizer(
        torch.optim.SGD(replica.parameters(), lr=0.1),
        averagers.PeriodicModelAverager(period=2, warmup_steps=2),
    )
    FOUND[f"local {keeps}"] = (
        train(replica, optimizer),
        optimizer.state_dict()["step"],
        state.iter,
    )

(folder / f"{library}{RANK}.json").write_text(json.dumps(FOUND))
dist.destroy_process_group()
