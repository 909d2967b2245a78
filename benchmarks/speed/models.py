"""Complete networks to train, in any library with PyTorch's names."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["filled", "lenet", "mlp", "numbers", "resnet18", "training", "transformer"]


def numbers(library: Any, *shape: int, seed: int = 0) -> Any:
    """The same normal random numbers in either library."""
    rng = np.random.default_rng(seed)
    return library.from_numpy(rng.standard_normal(shape, dtype=np.float32))


def filled(library: Any, module: Any) -> Any:
    """The module, with the same small parameters in either library."""
    with library.no_grad():
        for i, p in enumerate(module.parameters()):
            fan = max(1, int(np.prod(p.shape[1:])))
            p.copy_(numbers(library, *p.shape, seed=100 + i) / fan**0.5)
    return module


def training(library: Any, module: Any, x: Any, classes: int = 10) -> Any:
    """A step of SGD on one batch with cross entropy; it returns the loss."""
    filled(library, module)
    optimizer = library.optim.SGD(module.parameters(), lr=0.01, momentum=0.9)
    target = library.arange(x.shape[0]) % classes

    def step() -> Any:
        optimizer.zero_grad()
        loss = library.nn.functional.cross_entropy(module(x), target)
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def mlp(library: Any) -> Any:
    """Three linear layers for images of 28 x 28."""
    nn = library.nn
    return nn.Sequential(
        nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 128), nn.ReLU(),
        nn.Linear(128, 10),
    )  # fmt: skip


def lenet(library: Any) -> Any:
    """Two convolutions with pooling, three linear layers."""
    nn = library.nn
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(6, 16, 5), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(400, 120), nn.ReLU(), nn.Linear(120, 84), nn.ReLU(),
        nn.Linear(84, 10),
    )  # fmt: skip


def resnet18(library: Any) -> Any:
    """ResNet-18 with the small first convolution that images of 32 x 32 need."""
    nn = library.nn

    class Block(nn.Module):  # type: ignore[misc, name-defined]  # of either library
        def __init__(self, c: int, k: int, stride: int) -> None:
            super().__init__()
            self.conv1 = nn.Conv2d(c, k, 3, stride, 1, bias=False)
            self.conv2 = nn.Conv2d(k, k, 3, 1, 1, bias=False)
            self.norm1, self.norm2 = nn.BatchNorm2d(k), nn.BatchNorm2d(k)
            self.skip = nn.Identity()
            if stride > 1:
                short = nn.Conv2d(c, k, 1, stride, bias=False)
                self.skip = nn.Sequential(short, nn.BatchNorm2d(k))

        def forward(self, x: Any) -> Any:
            y = self.norm1(self.conv1(x)).relu()
            return (self.norm2(self.conv2(y)) + self.skip(x)).relu()

    layers = [nn.Conv2d(3, 64, 3, padding=1, bias=False), nn.BatchNorm2d(64), nn.ReLU()]
    before = 64
    for width, stride in ((64, 1), (128, 2), (256, 2), (512, 2)):
        layers += [Block(before, width, stride), Block(width, width, 1)]
        before = width
    pooled = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10)]
    return nn.Sequential(*layers, *pooled)


def transformer(library: Any) -> Any:
    """A layer of a transformer's encoder, and a class for the mean of its outputs."""
    nn = library.nn

    class Encoder(nn.Module):  # type: ignore[misc, name-defined]  # of either library
        def __init__(self) -> None:
            super().__init__()
            self.layer = nn.TransformerEncoderLayer(128, 4, 512, 0.0, batch_first=True)
            self.last = nn.Linear(128, 10)

        def forward(self, x: Any) -> Any:
            return self.last(self.layer(x).mean(1))

    return Encoder()
