"""The workloads: functions of a library that return a step.

A step takes no argument and returns what it has computed, as tensors or numbers in
lists and tuples, so that two libraries can be compared.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from .models import (
    filled,
    lenet,
    mlp,
    numbers,
    resnet18,
    training,
    transformer,
)

__all__ = ["WORKLOADS", "Build", "Step", "chosen"]

Step = Callable[[], Any]
Build = Callable[[Any], Step]
SMALL, LARGE = (8, 8), (1000, 1000)


def of(function: Callable[..., Any], *shapes: tuple[int, ...]) -> Build:
    """A step that calls `function(library, *tensors)` without gradients."""

    def build(library: Any) -> Step:
        tensors = [numbers(library, *s, seed=i) for i, s in enumerate(shapes)]

        def step() -> Any:
            with library.no_grad():
                return function(library, *tensors)

        return step

    return build


def both_ways(layer: Callable[[Any], Any], *shape: int) -> Build:
    """A step through a layer and back to its input and its parameters."""

    def build(library: Any) -> Step:
        module = filled(library, layer(library.nn))
        x = numbers(library, *shape).requires_grad_()
        leaves = [x, *module.parameters()]

        def step() -> Any:
            y = module(x)
            y = y[0] if isinstance(y, tuple) else y
            gradients = library.autograd.grad(y.sum(), leaves)
            return y.detach(), *gradients[:2]

        return step

    return build


def small_chain(library: Any, x: Any, y: Any) -> Any:
    """Five operations that are over before they have begun."""
    return ((x + y) * x - y).relu().sum()


def small_backward(library: Any) -> Step:
    """A graph of a few small nodes, and its gradients."""
    w, x = numbers(library, 8, 8).requires_grad_(), numbers(library, 4, 8, seed=1)

    def step() -> Any:
        return library.autograd.grad((x @ w).tanh().square().mean(), w)[0]

    return step


def adam(library: Any) -> Step:
    """A step of Adam for a million parameters in ten tensors."""
    parameters = [numbers(library, 100_000, seed=i) for i in range(10)]
    for i, p in enumerate(parameters):
        p.requires_grad_()
        p.grad = numbers(library, 100_000, seed=100 + i)
    optimizer = library.optim.Adam(parameters)

    def step() -> Any:
        optimizer.step()
        return parameters[0].detach().clone()

    return step


class Images:
    """A map-style data set whose samples are made by NumPy, one by one."""

    def __init__(self, count: int = 512) -> None:
        rng = np.random.default_rng(0)
        self.pixels = rng.integers(0, 256, (count, 1, 32, 32), dtype=np.uint8)

    def __len__(self) -> int:
        return len(self.pixels)

    def __getitem__(self, i: int) -> tuple[Any, int]:
        return self.pixels[i].astype(np.float32) * np.float32(1 / 255), i % 10


def loader(workers: int) -> Build:
    """An epoch of a DataLoader."""

    def build(library: Any) -> Step:
        data = importlib.import_module(f"{library.__name__}.utils.data")
        batches = data.DataLoader(Images(), batch_size=32, num_workers=workers)
        return lambda: [(x[0, 0, 0], y) for x, y in batches]

    return build


def step_of(model: Callable[[Any], Any], *shape: int) -> Build:
    """A training step of a model."""
    return lambda library: training(library, model(library), numbers(library, *shape))


WORKLOADS: dict[str, Build] = {
    "small chain": of(small_chain, SMALL, SMALL),
    "small backward": small_backward,
    "elementwise large": of(lambda _, x, y: (x * y + x).tanh(), LARGE, LARGE),
    "exp large": of(lambda _, x: x.exp(), LARGE),
    "matmul 512": of(lambda _, x, y: x @ y, (512, 512), (512, 512)),
    "sum": of(lambda _, x: x.sum(), LARGE),
    "sum of rows": of(lambda _, x: x.sum(1), LARGE),
    "max of columns": of(lambda _, x: x.amax(0), LARGE),
    "softmax": both_ways(lambda nn: nn.Softmax(1), 512, 1000),
    "gelu": both_ways(lambda nn: nn.GELU(), 512, 1000),
    "layer norm": both_ways(lambda nn: nn.LayerNorm(512), 1024, 512),
    "batch norm": both_ways(lambda nn: nn.BatchNorm2d(32), 16, 32, 32, 32),
    "conv 3x3": both_ways(lambda nn: nn.Conv2d(32, 32, 3, padding=1), 8, 32, 32, 32),
    "conv stride 2": both_ways(lambda nn: nn.Conv2d(16, 32, 3, 2, 1), 16, 16, 32, 32),
    "conv depthwise": both_ways(
        lambda nn: nn.Conv2d(32, 32, 3, padding=1, groups=32), 8, 32, 32, 32
    ),
    "max pool": both_ways(lambda nn: nn.MaxPool2d(2), 16, 32, 32, 32),
    "lstm": both_ways(lambda nn: nn.LSTM(32, 64, batch_first=True), 16, 32, 32),
    "gru": both_ways(lambda nn: nn.GRU(32, 64, batch_first=True), 16, 32, 32),
    "adam": adam,
    "mlp step": step_of(mlp, 64, 784),
    "lenet step": step_of(lenet, 64, 1, 28, 28),
    "resnet-18 step": step_of(resnet18, 8, 3, 32, 32),
    "transformer step": step_of(transformer, 16, 64, 128),
    "loader": loader(0),
    "loader, 2 workers": loader(2),
}


def chosen(words: str) -> list[str]:
    """The workloads whose names hold one of some words, separated by commas.

    Raises:
        ValueError: if there are none.
    """
    found = [n for n in WORKLOADS if any(w in n for w in words.split(","))]
    if not found:
        raise ValueError(
            f"no workload has {words!r} in its name: {', '.join(WORKLOADS)}"
        )
    return found
