"""A program of two ranks, in both libraries: dtypes and sharing of sharded modules.

train_mixed_precision.py LIBRARY FOLDER
"""

from __future__ import annotations

import json
import sys
import warnings
from datetime import timedelta
from importlib import import_module
from pathlib import Path

LIBRARY, FOLDER = sys.argv[1], Path(sys.argv[2])
torch = import_module(LIBRARY)
dist = import_module(f"{LIBRARY}.distributed")
fsdp = import_module(f"{LIBRARY}.distributed.fsdp")
states = import_module(f"{LIBRARY}.distributed.checkpoint.state_dict")
nn = torch.nn

warnings.simplefilter("ignore")  # PyTorch's, of what it is about to change
dist.init_process_group("gloo", timeout=timedelta(seconds=60))
RANK = dist.get_rank()
MESH = dist.init_device_mesh("cpu", (2,))
torch.manual_seed(1)
X, Y = torch.randn(8, 6), torch.arange(8) % 3
MINE = slice(4 * RANK, 4 * RANK + 4)


class Tied(nn.Module):
    """Two layers that share a weight, and a layer that does not."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.first, self.last = nn.Linear(6, 6), nn.Linear(6, 6)
        self.last.weight = self.first.weight
        self.head = nn.Linear(6, 3)

    def forward(self, x):
        return self.head(self.last(torch.tanh(self.first(x))))


def layers(norm=False):
    torch.manual_seed(0)
    inside = [nn.BatchNorm1d(5)] if norm else []
    return nn.Sequential(nn.Linear(6, 5), *inside, nn.Tanh(), nn.Linear(5, 3))


def sharded(policy):
    model = layers()
    for layer in (model[0], model[2], model):
        fsdp.fully_shard(layer, mesh=MESH, mp_policy=policy)
    return model


def whole(model):
    options = states.StateDictOptions(full_state_dict=True)
    found = states.get_model_state_dict(model, options=options)
    return {name: [str(x.dtype), x.float().tolist()] for name, x in found.items()}


def train(model, accumulate=False):
    """Losses, the outputs' dtype, gradients' dtypes and the parameters in the end."""
    optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
    losses = []
    for _ in range(3):
        optimizer.zero_grad()
        if accumulate:
            model.set_requires_gradient_sync(False)
            nn.functional.cross_entropy(model(X[MINE]).float(), Y[MINE]).backward()
            model.set_requires_gradient_sync(True)
        out = model(X[MINE])
        loss = nn.functional.cross_entropy(out.float(), Y[MINE])
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    given = [p.grad for p in model.parameters() if p.grad is not None]
    grads = sorted({str(g.dtype) for g in given})
    return [losses, str(out.dtype), grads]


def result_of(make):
    """What a function returns, or the error that it raises."""
    try:
        return make()
    except Exception as error:
        return [type(error).__name__, str(error).splitlines()[0]]


def with_policy(accumulate=False, **settings):
    def run():
        model = sharded(fsdp.MixedPrecisionPolicy(**settings))
        return [*train(model, accumulate), whole(model)]

    return run


def tied_in_one_list():
    model = Tied()
    fsdp.fully_shard([model.first, model.last], mesh=MESH)
    fsdp.fully_shard(model, mesh=MESH)
    return [*train(model), whole(model)]


def tied_in_two_units():
    model = Tied()
    for layer in (model.first, model.last, model):
        fsdp.fully_shard(layer, mesh=MESH)
    return train(model)


def wrapped(norm=False, policy=None, **settings):
    def run():
        model = fsdp.FullyShardedDataParallel(
            layers(norm),
            auto_wrap_policy=policy,
            mixed_precision=fsdp.MixedPrecision(**settings),
            use_orig_params=True,
            device_id=torch.device("cpu"),
        )
        shown = train(model)
        buffers = {name: str(x.dtype) for name, x in model.named_buffers()}
        state = {n: [str(x.dtype), x.tolist()] for n, x in model.state_dict().items()}
        return [*shown, sorted(buffers.values()), state]

    return run


def offloaded():
    model = layers()
    policy = fsdp.CPUOffloadPolicy(pin_memory=False)
    fsdp.fully_shard(model, mesh=MESH, offload_policy=policy)
    return [*train(model), whole(model)]


HALF, SINGLE = torch.bfloat16, torch.float32
CASES = {
    "bfloat16": with_policy(param_dtype=HALF),
    "reduced in float32": with_policy(param_dtype=HALF, reduce_dtype=SINGLE),
    "accumulated": with_policy(True, param_dtype=HALF, reduce_dtype=SINGLE),
    "reduced in bfloat16": with_policy(reduce_dtype=HALF),
    "float32 outputs": with_policy(param_dtype=HALF, output_dtype=SINGLE),
    "float16": with_policy(param_dtype=torch.float16, reduce_dtype=SINGLE),
    "inputs as they are": with_policy(param_dtype=HALF, cast_forward_inputs=False),
    "tied in one list": tied_in_one_list,
    "tied in two units": tied_in_two_units,
    "wrapped": wrapped(param_dtype=HALF, reduce_dtype=SINGLE),
    "wrapped buffers": wrapped(True, param_dtype=HALF, buffer_dtype=HALF),
    "wrapped norms": wrapped(True, lambda **k: True, param_dtype=HALF),
    "offloaded": offloaded,
}

if __name__ == "__main__":
    found = {name: result_of(make) for name, make in CASES.items()}
    (FOLDER / f"{LIBRARY}{RANK}.json").write_text(json.dumps(found))
    dist.barrier()
    dist.destroy_process_group()
