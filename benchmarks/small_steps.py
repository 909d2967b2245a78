# noqa: INP001 (a script, not a package)
"""Small steps compared with PyTorch: `python benchmarks/small_steps.py [--only WORDS]`.

Recurrent layers of a few steps, and the transforms that batch gradients: what takes
long there is the number of ops, not the arithmetic. Needs PyTorch, which is timed in
turn with the library in the same process, each on one thread; results are compared
first. Printed are medians in milliseconds of processor time, which a busy machine
disturbs less, and the median ratio of one round.
`--profile` tells where the library spends the time of the chosen rows.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy loads

import cProfile
import pstats
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import torch as pytorch

import edutorch

Step = Callable[[], Any]
SECONDS = 0.05  # of one measurement


def filled(library: Any, *shape: int, seed: int = 0) -> Any:
    """The same random numbers in either library."""
    rng = np.random.default_rng(seed)
    return library.tensor(rng.standard_normal(shape).astype(np.float32))


def same_parameters(library: Any, module: Any) -> Any:
    """The module with the same parameters in either library."""
    for i, p in enumerate(module.parameters()):
        p.data = filled(library, *p.shape, seed=i + 100) * 0.2
    return module


# ---- recurrent layers


def trained(library: Any, module: Any, run: Callable[[Any], Any]) -> Step:
    """A step of SGD; its result is the loss."""
    same_parameters(library, module)
    optimizer = library.optim.SGD(module.parameters(), lr=1e-6)

    def step() -> Any:
        optimizer.zero_grad()
        loss = run(module)
        loss.backward()
        optimizer.step()
        return loss

    return step


def lstm(batch: int, steps: int, hidden: int) -> Callable[[Any], Step]:
    """A training step of an LSTM layer, with 16 inputs."""

    def build(library: Any) -> Step:
        x = filled(library, steps, batch, 16)
        module = library.nn.LSTM(16, hidden)
        return trained(library, module, lambda m: m(x)[0].square().mean())

    return build


def lstm_forward(library: Any) -> Step:
    """One sample, one step, no gradient."""
    x = filled(library, 1, 1, 16)
    module = same_parameters(library, library.nn.LSTM(16, 32))

    def step() -> Any:
        with library.no_grad():
            return module(x)[0]

    return step


def lstm_cell(library: Any) -> Step:
    """A training step of one cell."""
    x, state = filled(library, 8, 16), [filled(library, 8, 32, seed=i) for i in (1, 2)]
    module = library.nn.LSTMCell(16, 32)
    return trained(library, module, lambda m: m(x, state)[0].square().mean())


# ---- transforms


def small_cnn(library: Any) -> Any:
    """A convolutional net for images of 12 x 12."""
    nn = library.nn
    net = nn.Sequential(
        nn.Conv2d(1, 8, 3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 10),
    )  # fmt: skip
    return same_parameters(library, net)


def small_mlp(library: Any) -> Any:
    """Three linear layers with tanh."""
    nn = library.nn
    net = nn.Sequential(
        nn.Linear(16, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 8)
    )
    return same_parameters(library, net)


def vmap_conv(library: Any) -> Step:
    """A convolution whose weights differ from sample to sample."""
    x, w = filled(library, 32, 1, 8, 12, 12), filled(library, 32, 16, 8, 3, 3, seed=1)
    mapped = library.func.vmap(library.nn.functional.conv2d)
    return lambda: mapped(x, w)


def vmap_conv_shared(library: Any) -> Step:
    """A convolution with one weight for all samples."""
    x, w = filled(library, 32, 1, 8, 12, 12), filled(library, 16, 8, 3, 3, seed=1)
    mapped = library.func.vmap(library.nn.functional.conv2d, in_dims=(0, None))
    return lambda: mapped(x, w)


def vmap_conv_grad(library: Any) -> Step:
    """Gradients by a weight shared by all samples, one for each of them."""
    x, w = filled(library, 32, 1, 8, 12, 12), filled(library, 16, 8, 3, 3, seed=1)

    def loss(w: Any, x: Any) -> Any:
        return library.nn.functional.conv2d(x, w).square().sum()

    mapped = library.func.vmap(library.func.grad(loss), in_dims=(None, 0))
    return lambda: mapped(w, x)


def per_sample(net_of: Callable[[Any], Any], *shape: int) -> Callable[[Any], Step]:
    """Per-sample gradients of a net's parameters."""

    def build(library: Any) -> Step:
        net = net_of(library)
        parameters = {name: p.detach() for name, p in net.named_parameters()}
        x, target = filled(library, 32, *shape), library.arange(32) % 8

        def loss(parameters: Any, x: Any, target: Any) -> Any:
            y = library.func.functional_call(net, parameters, (x.unsqueeze(0),))
            return library.nn.functional.cross_entropy(y, target.unsqueeze(0))

        grads = library.func.vmap(library.func.grad(loss), in_dims=(None, 0, 0))
        return lambda: list(grads(parameters, x, target).values())

    return build


def forward_cnn(library: Any) -> Step:
    """The net mapped over samples."""
    net, x = small_cnn(library), filled(library, 32, 1, 12, 12)
    mapped = library.func.vmap(lambda sample: net(sample.unsqueeze(0)))

    def step() -> Any:
        with library.no_grad():
            return mapped(x)

    return step


def of_input(
    transform: str, net_of: Callable[[Any], Any], *shape: int
) -> Callable[[Any], Step]:
    """A matrix of derivatives of a net by its input."""

    def build(library: Any) -> Step:
        net, x = net_of(library), filled(library, *shape)
        for p in net.parameters():
            p.requires_grad_(False)
        func = net if transform != "hessian" else lambda x: net(x).square().sum()
        derive = getattr(library.func, transform)(func)
        return lambda: derive(x)

    return build


def of_samples(library: Any) -> Step:
    """The Jacobian of a net by its input for each sample."""
    net, x = small_cnn(library), filled(library, 16, 1, 12, 12)
    for p in net.parameters():
        p.requires_grad_(False)
    derive = library.func.jacrev(lambda sample: net(sample.unsqueeze(0)).squeeze(0))
    return lambda: library.func.vmap(derive)(x)


def of_parameters(library: Any) -> Step:
    """The Jacobian of a net by its parameters."""
    net, x = small_mlp(library), filled(library, 4, 16)
    parameters = {name: p.detach() for name, p in net.named_parameters()}

    def func(parameters: Any) -> Any:
        return library.func.functional_call(net, parameters, (x,))

    return lambda: list(library.func.jacrev(func)(parameters).values())


def functional(name: str, vectorize: bool) -> Callable[[Any], Step]:
    """`autograd.functional.jacobian` or `hessian` of a net by its input."""

    def build(library: Any) -> Step:
        net, x = small_mlp(library), filled(library, 4, 16)
        for p in net.parameters():
            p.requires_grad_(False)
        func = net if name == "jacobian" else lambda x: net(x).square().sum()
        derive = getattr(library.autograd.functional, name)
        return lambda: derive(func, x, vectorize=vectorize)

    return build


ROWS: dict[str, Callable[[Any], Step]] = {
    "lstm forward 1x1 h32": lstm_forward,
    "lstm train 8x1 h32": lstm(8, 1, 32),
    "lstm train 8x5 h32": lstm(8, 5, 32),
    "lstm train 16x20 h32": lstm(16, 20, 32),
    "lstm train 16x20 h64": lstm(16, 20, 64),
    "lstm cell train 8 h32": lstm_cell,
    "vmap conv2d": vmap_conv,
    "vmap conv2d, shared weight": vmap_conv_shared,
    "vmap grad conv2d": vmap_conv_grad,
    "vmap cnn forward": forward_cnn,
    "vmap grad cnn": per_sample(small_cnn, 1, 12, 12),
    "vmap grad mlp": per_sample(small_mlp, 16),
    "jacrev cnn": of_input("jacrev", small_cnn, 4, 1, 12, 12),
    "jacrev mlp": of_input("jacrev", small_mlp, 4, 16),
    "jacrev mlp, parameters": of_parameters,
    "vmap jacrev cnn": of_samples,
    "jacfwd mlp": of_input("jacfwd", small_mlp, 4, 16),
    "hessian mlp": of_input("hessian", small_mlp, 16),
    "functional.jacobian": functional("jacobian", vectorize=False),
    "functional.jacobian vectorized": functional("jacobian", vectorize=True),
    "functional.hessian vectorized": functional("hessian", vectorize=True),
}


def main() -> None:
    """Time the chosen rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="words of which a row has one")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    pytorch.set_num_threads(1)
    edutorch.set_num_threads(1)
    chosen = [row for row in ROWS if not options.only
              or any(word in row for word in options.only.split(","))]  # fmt: skip
    print(f"{'':32}{'edutorch':>10}{'PyTorch':>10}{'ratio':>8}")
    for row in chosen:
        if options.profile:
            profile(row)
        else:
            print(f"{row:32}" + compare(row, options.rounds), flush=True)


def compare(row: str, rounds: int) -> str:
    """Times and ratio of a row, as a line of the table."""
    steps = [ROWS[row](library) for library in (edutorch, pytorch)]
    _check_equal(*(step() for step in steps))
    for step in steps:
        seconds_of(step)  # warms up
    pairs = [[seconds_of(step) for step in steps] for _ in range(rounds)]
    ours, theirs = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    return f"{ours * 1e3:10.3f}{theirs * 1e3:10.3f}{ratio:8.2f}"


def _check_equal(ours: Any, theirs: Any) -> None:
    if isinstance(ours, (list, tuple)):
        for pair in zip(ours, theirs, strict=True):
            _check_equal(*pair)
    else:
        expected = theirs.detach().numpy()
        near = 1e-4 * max(1.0, float(np.abs(expected).max()))
        np.testing.assert_allclose(ours.detach().numpy(), expected, 1e-4, near)


def seconds_of(step: Step) -> float:
    """The median time of a call, over calls that take `SECONDS` together."""
    times = []
    while sum(times) < SECONDS or len(times) < 3:
        start = time.thread_time()
        step()
        times.append(time.thread_time() - start)
    return statistics.median(times)


def profile(row: str) -> None:
    """The functions that take most of a row's time."""
    step = ROWS[row](edutorch)
    seconds_of(step)
    times = max(10, int(1.0 / seconds_of(step)))
    profiler = cProfile.Profile()
    profiler.enable()
    for _ in range(times):
        step()
    profiler.disable()
    print(f"{row}: {times} calls")
    pstats.Stats(profiler).sort_stats("tottime").print_stats(35)


if __name__ == "__main__":
    main()
