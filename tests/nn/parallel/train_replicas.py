"""Trains replicas with PyTorch or edutorch, in each process; writes the results.

python -m edutorch run --nproc-per-node 2 train_replicas.py edutorch FOLDER
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

library, folder = sys.argv[1], Path(sys.argv[2])
torch = importlib.import_module(library)
dist = importlib.import_module(library + ".distributed")
nn, F = torch.nn, torch.nn.functional
DDP = nn.parallel.DistributedDataParallel
hooks = importlib.import_module(
    library + ".distributed.algorithms.ddp_comm_hooks.default_hooks"
)

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


def fill(module):
    """Parameters that both libraries have alike; other ones in other ranks."""
    with torch.no_grad():
        for i, p in enumerate(module.parameters()):
            p.copy_(values(tuple(p.shape), i) * 0.4 + RANK)
            if RANK == 0:
                p.copy_(values(tuple(p.shape), i) * 0.4)
    return module


class DigitNet(nn.Module):
    """The network of chapter 9, for small images."""

    def __init__(self, norm=False):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, kernel_size=3, padding=1)
        self.norm = nn.BatchNorm2d(4) if norm else nn.Identity()
        self.conv2 = nn.Conv2d(4, 8, kernel_size=3, padding=1)
        self.fc = nn.Linear(8 * 2 * 2, 10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.norm(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


class Branches(nn.Module):
    """Two layers; an input says which of them is used."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(3, 2), nn.Linear(3, 2), nn.Linear(3, 2)

    def forward(self, x, which="a"):
        return getattr(self, which)(x)


def batch(step, n=8):
    x = values((n, 1, 8, 8), step + 10)
    y = (torch.arange(n) * 7 + step) % 10
    return x, y


def part(tensor):
    """This rank's part of a global batch."""
    n = len(tensor) // SIZE
    return tensor[RANK * n : (RANK + 1) * n]


def mean_of_all(loss):
    total = loss.detach().clone()
    dist.all_reduce(total)
    return (total / SIZE).item()


def train(model, steps=5, device="cpu", **options):
    """The losses of the global batches, and the last gradients."""
    replica = DDP(fill(model).to(device), **options)
    optimizer = torch.optim.SGD(replica.parameters(), lr=0.1, momentum=0.9)
    losses = []
    for step in range(steps):
        x, y = batch(step)
        optimizer.zero_grad()
        loss = F.cross_entropy(replica(part(x).to(device)), part(y).to(device))
        loss.backward()
        optimizer.step()
        losses.append(mean_of_all(loss))
    return losses, [p.grad.flatten().tolist() for p in replica.parameters()]


def error_of(function):
    try:
        function()
    except Exception as error:
        return [type(error).__name__, str(error).splitlines()[0]]
    return None


def grads(module):
    return [None if p.grad is None else p.grad.flatten().tolist()
            for p in module.parameters()]  # fmt: skip


def check(function):
    FOUND[function.__name__] = function()


@check
def plain():
    return train(DigitNet())


@check
def simulated_gpus():
    if library == "torch":  # which has none
        return None
    with torch.cuda.simulate(devices=SIZE, memory="64MB"):
        torch.cuda.set_device(RANK)
        model = DigitNet()
        losses, gradients = train(model, device=f"cuda:{RANK}", device_ids=[RANK])
        places = {str(t.device) for p in model.parameters() for t in (p, p.grad)}
    return losses, gradients, sorted(places)


@check
def small_buckets():
    return train(DigitNet(), bucket_cap_mb=0.0005)


@check
def views_of_buckets():
    return train(DigitNet(), gradient_as_bucket_view=True, bucket_cap_mb=0.001)


@check
def static_graph():
    return train(DigitNet(), static_graph=True)


@check
def search_of_unused():
    return train(DigitNet(), find_unused_parameters=True)


@check
def batch_statistics():
    model = DigitNet(norm=True)
    found = train(model)
    return found, {k: v.tolist() for k, v in model.norm.named_buffers()}


@check
def broadcast_of_buffers():
    norm = nn.BatchNorm1d(3)
    replica = DDP(norm)
    for step in range(3):
        replica(values((4, 3), step + RANK)).sum().backward()
    own = norm.running_mean.tolist()
    replica.eval()(values((4, 3)))
    return own, norm.running_mean.tolist()


@check
def names_of_state():
    return list(DDP(DigitNet()).state_dict())


@check
def unused_parameters():
    replica = DDP(fill(Branches()))

    def twice():
        for _ in range(2):
            replica(values((2, 3), RANK)).sum().backward()

    return error_of(twice)


@check
def unused_in_one_rank():
    replica = DDP(fill(Branches()), find_unused_parameters=True)
    for _ in range(2):
        replica(values((2, 3), RANK), "a" if RANK else "b").sum().backward()
    return grads(replica)


@check
def unused_in_a_static_graph():
    replica = DDP(fill(Branches()), static_graph=True)
    found = []
    for step in range(3):
        replica.zero_grad()
        replica(values((2, 3), RANK + step)).sum().backward()
        found.append(grads(replica))
    return found


@check
def no_sync():
    replica = DDP(fill(nn.Linear(3, 2)))
    with replica.no_sync():
        replica(values((2, 3), RANK)).sum().backward()
    local = grads(replica)
    replica(values((2, 3), RANK + 5)).square().sum().backward()
    return local, grads(replica)


@check
def hooks_of_communication():
    found = {}
    for name in ("allreduce_hook", "fp16_compress_hook"):
        replica = DDP(fill(nn.Linear(30, 20)))
        replica.register_comm_hook(None, getattr(hooks, name))
        replica(values((2, 30), RANK)).square().sum().backward()
        found[name] = grads(replica)
    return found


@check
def own_hook():
    seen = []
    replica = DDP(fill(DigitNet()), bucket_cap_mb=0.0005)

    def hook(state, bucket):
        seen.append([bucket.index(), bucket.buffer().numel(), bucket.is_last(),
                     len(bucket.gradients()), len(bucket.parameters())])  # fmt: skip
        future = torch.futures.Future()
        future.set_result(bucket.buffer() * state)
        return future

    replica.register_comm_hook(2.0, hook)
    x, y = batch(0)
    F.cross_entropy(replica(part(x)), part(y)).backward()
    whole = sum(numel for _, numel, *_ in seen)
    return whole, [s[2] for s in seen][-1], grads(replica)


@check
def uneven_inputs():
    found = []
    for initially in (True, False):
        replica = DDP(fill(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))))
        optimizer = torch.optim.SGD(replica.parameters(), lr=0.1)
        with replica.join(divide_by_initial_world_size=initially):
            for step in range(2 + RANK):
                optimizer.zero_grad()
                replica(values((4, 3), step + RANK)).square().mean().backward()
                optimizer.step()
        found.append([p.flatten().tolist() for p in replica.state_dict().values()])
    return found


@check
def early_end():
    replica = DDP(fill(nn.Linear(3, 4)))

    def steps():
        with replica.join(throw_on_early_termination=True):
            for step in range(2 + RANK):
                replica(values((4, 3), step)).square().mean().backward()

    return error_of(steps)


@check
def errors_of_construction():
    def second_hook():
        replica = DDP(nn.Linear(2, 2))
        replica.register_comm_hook(None, hooks.allreduce_hook)
        replica.register_comm_hook(None, hooks.allreduce_hook)

    return [
        error_of(lambda: DDP(nn.ReLU())),
        error_of(lambda: DDP(nn.Linear(2, 2), device_ids=[0, 1])),
        error_of(lambda: DDP(nn.Linear(2, 2), device_ids=[0])),
        error_of(lambda: DDP(nn.LazyLinear(2))),
        error_of(lambda: DDP(nn.Linear(2, 2)).register_comm_hook(None, 3)),
        error_of(second_hook),
    ]


@check
def spread_optimizer():
    zero = importlib.import_module(library + ".distributed.optim")
    found = []
    for spread in (False, True):
        model = fill(nn.Linear(3, 4))
        replica = DDP(model)
        if spread:
            optimizer = zero.ZeroRedundancyOptimizer(
                replica.parameters(), torch.optim.Adam, lr=0.1
            )
        else:
            optimizer = torch.optim.Adam(replica.parameters(), lr=0.1)
        schedule = torch.optim.lr_scheduler.StepLR(optimizer, 2, 0.5)
        for step in range(4):
            optimizer.zero_grad()
            replica(values((4, 3), step + RANK)).square().mean().backward()
            optimizer.step()
            schedule.step()
        found.append([p.flatten().tolist() for p in model.parameters()])
    own = len(optimizer.optim.state)
    optimizer.consolidate_state_dict(to=0)
    refused = error_of(optimizer.state_dict)
    state = optimizer.state_dict()["state"] if RANK == 0 else {}
    shown = {str(k): v["exp_avg"].flatten().tolist() for k, v in state.items()}
    return [*found, own, refused, shown]


@check
def uneven_inputs_of_a_spread_optimizer():
    zero = importlib.import_module(library + ".distributed.optim")
    algorithms = importlib.import_module(library + ".distributed.algorithms.join")
    model = fill(nn.Linear(3, 4))
    replica = DDP(model)
    optimizer = zero.ZeroRedundancyOptimizer(
        replica.parameters(), torch.optim.Adam, lr=0.1
    )
    with algorithms.Join([replica, optimizer]):
        for step in range(2 + RANK):
            optimizer.zero_grad()
            replica(values((4, 3), step + RANK)).square().mean().backward()
            optimizer.step()
    return [p.flatten().tolist() for p in model.parameters()]


@check
def common_statistics():
    if library == "torch":  # which has it on GPUs only
        return None
    norm = nn.SyncBatchNorm.convert_sync_batchnorm(nn.BatchNorm2d(3))
    fill(norm)
    broken = SIZE - 1  # uneven parts: the last rank has the rest
    x = values((2 * SIZE + 1, 3, 2, 2)).requires_grad_()
    begin, end = 2 * RANK, 2 * RANK + 2 + (broken == RANK)
    replica = DDP(norm)  # named, since its hooks go with it
    y = replica(x[begin:end])
    (y * values((2 * SIZE + 1, 3, 2, 2), 3)[begin:end]).sum().backward()
    return [
        y.detach().tolist(), x.grad[begin:end].tolist(), norm.weight.grad.tolist(),
        norm.running_mean.tolist(), norm.running_var.tolist(),
    ]  # fmt: skip


@check
def shares_of_data():
    data = importlib.import_module(library + ".utils.data")
    return list(data.DistributedSampler(range(7), shuffle=False))


(folder / f"{library}{RANK}.json").write_text(json.dumps(FOUND))
dist.destroy_process_group()
