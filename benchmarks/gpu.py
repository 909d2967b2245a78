# noqa: INP001 (a script, not a package)
"""Training steps on a GPU and in PyTorch: `python benchmarks/gpu.py [--seconds 90]`.

The same models and a few small ops in edutorch and in PyTorch on the same GPU, in
turn, in one process. A row has the medians of a step in milliseconds, the library's
over PyTorch's, and the time that the processor needed to give a step to the GPU.
Losses of the first steps are compared before. Without PyTorch only edutorch is timed;
without a GPU it says so, and simulated ones serve where EDUTORCH_SIMULATE asks.
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import edutorch

try:
    import torch as pytorch
except ImportError:
    pytorch = None

Step = Callable[[], Any]
Build = Callable[[Any], Step]


def filled(lib: Any, *shape: int, seed: int = 0) -> Any:
    """The same normal numbers in either library, on the GPU."""
    rng = np.random.default_rng(seed)
    return lib.tensor(rng.standard_normal(shape).astype(np.float32)).cuda()


def classes(lib: Any, n: int, count: int) -> Any:
    """The same labels in either library, on the GPU."""
    rng = np.random.default_rng(1)
    return lib.tensor(rng.integers(count, size=n)).cuda()


def training(lib: Any, model: Any, loss_of: Callable[[Any], Any], kind: str) -> Step:
    """A step of training of a model whose parameters are the same in both."""
    for i, p in enumerate(model.parameters()):
        if p.ndim > 1:
            scale = (p.numel() / p.shape[0]) ** -0.5
            p.data = (filled(lib, *p.shape, seed=i) * scale).cpu()
    model = model.cuda()
    rate = {"SGD": 0.01, "Adam": 1e-3, "AdamW": 1e-3}[kind]
    optimizer = getattr(lib.optim, kind)(model.parameters(), lr=rate)

    def step() -> Any:
        optimizer.zero_grad()
        loss = loss_of(model)
        loss.backward()
        optimizer.step()
        return loss

    return step


def mlp(lib: Any) -> Step:
    """Three layers, 256 samples of 784 numbers."""
    nn = lib.nn
    model = nn.Sequential(
        nn.Linear(784, 1024), nn.ReLU(), nn.Linear(1024, 1024), nn.ReLU(),
        nn.Linear(1024, 10),
    )  # fmt: skip
    x, y = filled(lib, 256, 784), classes(lib, 256, 10)
    return training(lib, model, lambda m: nn.functional.cross_entropy(m(x), y), "Adam")


def lenet(lib: Any) -> Step:
    """LeNet, 128 images of 28 x 28."""
    nn = lib.nn
    model = nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
        nn.Linear(84, 10),
    )  # fmt: skip
    x, y = filled(lib, 128, 1, 28, 28), classes(lib, 128, 10)
    return training(lib, model, lambda m: nn.functional.cross_entropy(m(x), y), "SGD")


def _block(lib: Any, inputs: int, outputs: int, stride: int) -> Any:
    nn = lib.nn

    class Block(nn.Module):
        """Two convolutions and a shortcut."""

        def __init__(self) -> None:
            super().__init__()
            self.body = nn.Sequential(
                nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
                nn.BatchNorm2d(outputs), nn.ReLU(),
                nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False),
                nn.BatchNorm2d(outputs),
            )  # fmt: skip
            self.short = nn.Identity()
            if stride != 1 or inputs != outputs:
                self.short = nn.Sequential(
                    nn.Conv2d(inputs, outputs, 1, stride, bias=False),
                    nn.BatchNorm2d(outputs),
                )

        def forward(self, x: Any) -> Any:
            return nn.functional.relu(self.body(x) + self.short(x))

    return Block()


def resnet18(lib: Any) -> Step:
    """ResNet-18, 16 images of 128 x 128."""
    nn = lib.nn
    layers = [
        nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64), nn.ReLU(),
        nn.MaxPool2d(3, 2, 1),
    ]  # fmt: skip
    channels = 64
    for width, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        layers += [_block(lib, channels, width, stride), _block(lib, width, width, 1)]
        channels = width
    model = nn.Sequential(
        *layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 100)
    )
    x, y = filled(lib, 16, 3, 128, 128), classes(lib, 16, 100)
    return training(lib, model, lambda m: nn.functional.cross_entropy(m(x), y), "SGD")


def lstm(lib: Any) -> Step:
    """One layer of 256, 32 steps, 64 samples."""
    model = lib.nn.LSTM(64, 256)
    x = filled(lib, 32, 64, 64)
    return training(lib, model, lambda m: m(x)[0].square().mean(), "Adam")


def transformer(lib: Any) -> Step:
    """Four encoder layers of 256, 16 sequences of 128."""
    nn = lib.nn
    layer = nn.TransformerEncoderLayer(256, 8, 1024, dropout=0.0, batch_first=True)
    model = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False)
    x = filled(lib, 16, 128, 256)
    return training(lib, model, lambda m: m(x).square().mean(), "AdamW")


def op(run: Callable[[Any, Any], Any], *shape: int) -> Build:
    """A row that runs one op on a tensor, without gradients."""

    def build(lib: Any) -> Step:
        x = filled(lib, *shape)

        def step() -> Any:
            with lib.no_grad():
                return run(lib, x)

        return step

    return build


ROWS: dict[str, Build] = {
    "add 8 x 8": op(lambda _, x: x + x, 8, 8),
    "gelu 8 x 8": op(lambda lib, x: lib.nn.functional.gelu(x), 8, 8),
    "sum 8 x 8": op(lambda _, x: x.sum(), 8, 8),
    "matmul 8 x 8": op(lambda _, x: x @ x, 8, 8),
    "matmul 4096": op(lambda _, x: x @ x, 4096, 4096),
    "add 4096 x 4096": op(lambda _, x: x + x, 4096, 4096),
    "gelu 4096 x 4096": op(lambda lib, x: lib.nn.functional.gelu(x), 4096, 4096),
    "softmax 4096 x 4096": op(lambda _, x: x.softmax(-1), 4096, 4096),
    "layer norm 4096 x 1024": op(
        lambda lib, x: lib.nn.functional.layer_norm(x, (1024,)), 4096, 1024
    ),
    "conv 3x3, 64 channels": op(
        lambda lib, x: lib.nn.functional.conv2d(x, x[:, :, :3, :3], padding=1),
        64, 64, 32, 32,
    ),
    "rand 4096 x 4096": op(lambda lib, x: lib.rand_like(x), 4096, 4096),
    "MLP": mlp,
    "LeNet": lenet,
    "ResNet-18": resnet18,
    "LSTM": lstm,
    "transformer": transformer,
}  # fmt: skip


def measured(lib: Any, step: Step, seconds: float) -> tuple[float, float]:
    """Milliseconds of a step, and those after which all its work was queued."""
    lib.cuda.synchronize()
    n, started = 0, time.perf_counter()
    while n < 3 or time.perf_counter() - started < seconds:
        step()
        n += 1
    queued = time.perf_counter() - started
    lib.cuda.synchronize()
    return (time.perf_counter() - started) / n * 1e3, queued / n * 1e3


def row(name: str, build: Build, seconds: float) -> str:
    """One line of the table."""
    libs = [edutorch] if pytorch is None else [edutorch, pytorch]
    steps = [build(lib) for lib in libs]
    first = [[float(step().sum()) for _ in range(3)] for step in steps]
    rounds = max(3, round(seconds / 0.3))
    times: list[list[tuple[float, float]]] = [[] for _ in libs]
    for _ in range(rounds):
        for found, lib, step in zip(times, libs, steps, strict=True):
            found.append(measured(lib, step, seconds / rounds / len(libs)))
    mine = statistics.median(t for t, _ in times[0])
    queue = statistics.median(q for _, q in times[0])
    if pytorch is None:
        return f"{name:24}{mine:10.3f}{queue:10.3f}"
    other = statistics.median(t for t, _ in times[1])
    ratio = statistics.median(
        a / b for (a, _), (b, _) in zip(*times, strict=True)
    )  # fmt: skip
    gap = max(abs(a - b) / (abs(b) + 1e-3) for a, b in zip(*first, strict=True))
    return f"{name:24}{mine:10.3f}{queue:10.3f}{other:10.3f}{ratio:8.2f}{gap:12.1e}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=90, help="for all rows")
    parser.add_argument("--only", default="", help="rows whose names hold this")
    options = parser.parse_args()
    if not edutorch.cuda.is_available():
        print("no GPU (EDUTORCH_SIMULATE=1x4GB simulates one): nothing is measured")
        return
    global pytorch
    if pytorch is not None and not pytorch.cuda.is_available():
        pytorch = None
    print(edutorch.cuda.get_device_name(0))
    print("PyTorch " + (pytorch.__version__ if pytorch else "has no GPU: not timed"))
    print(f"{'':24}{'ms':>10}{'queued':>10}{'PyTorch':>10}{'ratio':>8}{'loss off':>12}")
    warnings.simplefilter("ignore")
    names = [name for name in ROWS if options.only in name]
    deadline = time.monotonic() + options.seconds
    for left, name in zip(range(len(names), 0, -1), names, strict=True):
        share = max(deadline - time.monotonic(), 0.0) / left
        try:
            print(row(name, ROWS[name], share * 0.6), flush=True)
        except Exception as error:  # noqa: BLE001 (other rows go on)
            text = str(error).partition("\n")[0][:90]
            print(f"{name:24}failed: {type(error).__name__}: {text}", flush=True)


if __name__ == "__main__":
    main()
