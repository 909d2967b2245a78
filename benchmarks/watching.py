# noqa: INP001 (a script, not a package)
"""The cost of watching: `python benchmarks/watching.py [--rounds N] [--only WORDS]`.

`--soak STEPS` trains with all views open and prints how much memory that takes.

Trainings of several kinds are timed in turn with nobody watching, with a listener that
does nothing, inside `record()` and with views open. Printed are medians of the ratios
of one round, so that a busy machine disturbs all alike; times are those of the
processor, of all threads together, since views are drawn by a separate thread. So are
the lengths of the measurements: on a busy machine they take longer, not fewer steps.
The first steps, which views always watch, do not count.
"""

from __future__ import annotations

import argparse
import gc
import resource
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from functools import partial
from typing import Any

from speed.models import lenet

import edutorch as torch
from edutorch import nn
from edutorch.widgets.watch import VIEWS, open_views

Step = Callable[[], object]
WARMUP = 0.3  # seconds
FREE = 1.5  # seconds of it with views, which watch all of the first half second
SECONDS = 1.5  # of one measurement: views are updated every few seconds at most
EARLY = 100  # steps after which views have found how many they watch
USUAL = ("graph", "gradient", "memory")


# ---- what is watched


def small_op() -> Step:
    """A 64x64 addition and its backward."""
    a = torch.randn(64, 64, requires_grad=True)
    b, g = torch.randn(64, 64), torch.ones(64, 64)

    def step() -> None:
        a.grad = None
        (a + b).backward(g)

    return step


def trained(model: nn.Module, loss: Callable[[], torch.Tensor]) -> Step:
    """A step of Adam."""
    optimizer = torch.optim.Adam(model.parameters())

    def step() -> None:
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()

    return step


def lenet_step() -> Step:
    """The LeNet of `make bench`."""
    return on_digits(lenet(torch))


def wide_lenet_step() -> Step:
    """Caffe's LeNet (20 and 50 filters), whose steps take three times as long."""
    net = nn.Sequential(
        nn.Conv2d(1, 20, 5), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(20, 50, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(800, 500), nn.ReLU(), nn.Linear(500, 10),
    )  # fmt: skip
    return on_digits(net)


def on_digits(net: nn.Module) -> Step:
    """A step of a classifier on 64 digits of 28 x 28."""
    x, y = torch.randn(64, 1, 28, 28), torch.randint(0, 10, (64,))
    return trained(net, lambda: nn.functional.cross_entropy(net(x), y))


def lstm() -> Step:
    """An LSTM cell over 20 steps, one at a time."""
    cell, head = nn.LSTMCell(16, 64), nn.Linear(64, 10)
    x, y = torch.randn(20, 32, 16), torch.randint(0, 10, (32,))

    def loss() -> torch.Tensor:
        state = None
        for part in x.unbind(0):
            state = cell(part, state)
        return nn.functional.cross_entropy(head(state[0]), y)

    return trained(nn.ModuleList([cell, head]), loss)


def transformer() -> Step:
    """Four layers of a transformer on 8 x 32 tokens."""
    layer = nn.TransformerEncoderLayer(64, 4, 128, dropout=0.0, batch_first=True)
    net = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
    x = torch.randn(8, 32, 64)
    return trained(net, lambda: net(x).pow(2).mean())


def gan() -> Step:
    """A generator and a critic with an optimizer each."""
    generator = nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64))
    critic = nn.Sequential(nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
    loss = nn.BCEWithLogitsLoss()
    of_critic = torch.optim.Adam(critic.parameters())
    of_generator = torch.optim.Adam(generator.parameters())
    ones, zeros = torch.ones(32, 1), torch.zeros(32, 1)
    data = torch.randn(32, 64)

    def step() -> None:
        fake = generator(torch.randn(32, 16))
        of_critic.zero_grad()
        (loss(critic(data), ones) + loss(critic(fake.detach()), zeros)).backward()
        of_critic.step()
        of_generator.zero_grad()
        loss(critic(fake), ones).backward()
        of_generator.step()

    return step


TRAININGS = {
    "small op": small_op,
    "LeNet": lenet_step,
    "wide LeNet": wide_lenet_step,
    "LSTM": lstm,
    "transformer": transformer,
    "GAN": gan,
}


# ---- how it is watched


def nothing(record: object) -> None:
    """The least that a listener can do."""


def listening(level: int) -> AbstractContextManager[Any]:
    """With a listener."""
    return closing(torch.events.listen("benchmark", nothing, level))


@contextmanager
def watching(names: tuple[str, ...]) -> Iterator[None]:
    """With views open."""
    views = open_views(names)
    try:
        yield
    finally:
        for view in views:
            view.close()


WAYS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "nobody": nullcontext,
    "listener": partial(listening, 1),
    "listener 2": partial(listening, 2),
    "record": torch.inspect.record,
    "record 2": partial(torch.inspect.record, level=2),
    "usual views": partial(watching, USUAL),
    "all views": partial(watching, VIEWS),
    **{name: partial(watching, (name,)) for name in VIEWS},
}
ALWAYS = ("nobody", "listener", "record", "record 2", "usual views", "all views")


def run_for(step: Step, seconds: float, fewest: int = 0) -> int:
    """Train so long, and so many steps at least; how many they were."""
    end, steps = time.process_time() + seconds, 0
    while steps < fewest or time.process_time() < end:
        step()
        steps += 1
    return steps


def cost(step: Step, way: str) -> float:
    """Processor time of one step, watched in some way."""
    with WAYS[way]():
        views = way.endswith("views") or way in VIEWS
        run_for(step, FREE if views else WARMUP, EARLY if views else 0)
        started = time.process_time()
        steps = run_for(step, SECONDS, EARLY)
        return (time.process_time() - started) / steps


def report(training: str, ways: list[str], rounds: int) -> None:
    """Time a training watched in all ways, in turn, and print the ratios."""
    step = TRAININGS[training]()
    ratios: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        costs = {way: cost(step, way) for way in ways}
        for way in ways:
            ratios[way].append(costs[way] / costs["nobody"])
    print(f"{training}: a step takes {costs['nobody'] * 1e6:.0f} us")
    for way in ways:
        middle, low, high = statistics.median(v := ratios[way]), min(v), max(v)
        print(f"  {way:12} {middle:5.2f} x   ({low:.2f} to {high:.2f})", flush=True)


def soak(training: str, steps: int) -> None:
    """Train with all views open, and print what Python and the process hold."""
    step = TRAININGS[training]()
    tracemalloc.start()
    with watching(VIEWS):
        for number in range(steps + 1):
            step()
            if number % (steps // 10) == 0:
                gc.collect()
                held = tracemalloc.get_traced_memory()[0] / 2**20
                most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
                words = f"{held:7.2f} MB held, {most:7.1f} MB at most in the process"
                print(f"{training}, step {number:6}: {words}", flush=True)
    tracemalloc.stop()


def main() -> None:
    """Measure what the command line names."""
    parser = argparse.ArgumentParser(description="What watching costs.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="names of trainings, with commas")
    parser.add_argument("--each", action="store_true", help="each view alone as well")
    parser.add_argument("--soak", type=int, default=0, metavar="STEPS")
    options = parser.parse_args()
    torch.set_num_threads(1)
    ways = list(WAYS) if options.each else list(ALWAYS)
    wanted = [name.strip() for name in options.only.split(",") if name.strip()]
    for training in wanted or TRAININGS:
        if options.soak:
            soak(training, options.soak)
            continue
        report(training, ways, options.rounds)


if __name__ == "__main__":
    main()
