"""Gradients by layer of a deep network, and its training, with or without skips.

The same as `widgets/src/course/deep_gradients.ts`, where a reader moves the depth; both
draw their random numbers in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from ...widgets.box_style import GRADIENT, MUTED, TEXT
from ...widgets.format import number
from ...widgets.svg import Picture
from .interaction import Interaction
from .noise import noise, size

__all__ = ["DeepGradients", "Training", "train", "verdict"]

Array = npt.NDArray[Any]

N, ROWS = 12, 16  # numbers per layer, rows in the batch
SEED = 13
DEEPEST, STEPS, LR = 30, 40, 0.2
EPS = 1e-5  # eps of batch norm
TOO_FAR = 1e6  # a loss above it ends the training
LOWEST, HIGHEST, APART = -15, 3, 3  # powers of ten on the axis of gradients
LEAST, MOST = -3, 3  # and on the axis of the loss
ACTIVATIONS: Final = ("relu", "tanh")
BLUE, LINE, GRID = "#0072b2", "#8c96a5", "#e4e8ee"


@dataclass(frozen=True)
class Training:
    """The outcome of training a network.

    Attributes:
        gradients: by layer, the size of its output's gradient in the first step.
        sizes: by layer, the size of its output in the first step.
        losses: before the first step and after each; it ends early where it diverges.
    """

    gradients: list[float]
    sizes: list[float]
    losses: list[float]


def train(
    depth: int, skip: bool = False, norm: bool = False, activation: str = "relu"
) -> Training:
    """Run 40 steps of gradient descent on random rows, with PyTorch's initial scale.

    Args:
        depth: the number of layers, from 1 to 30.
        skip: whether a layer's input is added to its output.
        norm: whether a layer has batch norm, before its activation.
        activation: "relu" or "tanh".

    Example:
        >>> result = train(2)
        >>> len(result.gradients), len(result.losses)
        (2, 41)
    """
    net = _Net(depth, skip, norm, activation)
    with np.errstate(all="ignore"):
        losses, gradients, sizes = [net.forward()], net.backward(), net.sizes()
        while len(losses) <= STEPS and abs(losses[-1]) <= TOO_FAR:
            net.step()
            losses.append(net.forward())
            net.backward()
    return Training(gradients, sizes, losses)


class _Net:
    """Square layers, an output layer for a single number, and one batch."""

    def __init__(self, depth: int, skip: bool, norm: bool, activation: str) -> None:
        self.skip, self.norm, self.activation = skip, norm, activation
        scale = 1 / math.sqrt(3 * N)
        self.x = noise(SEED, ROWS, N)
        self.sides = np.where(self.x @ noise(SEED + 1, N) > 0, 1.0, -1.0)
        self.weights = list(scale * noise(SEED + 2, DEEPEST, N, N)[:depth])
        self.last = scale * noise(SEED + 3, N)

    def forward(self) -> float:
        """The loss; values needed by backward are saved."""
        self.outputs, self.bent, self.spread = [self.x], [], []
        for w in self.weights:
            sums = self.outputs[-1] @ w.T
            root = np.ones(N)
            if self.norm:
                sums = sums - sums.mean(axis=0)
                root = np.sqrt((sums**2).mean(axis=0) + EPS)
                sums = sums / root
            bent = np.tanh(sums) if self.activation == "tanh" else np.maximum(sums, 0)
            self.bent.append(bent)
            self.spread.append((sums, root))
            self.outputs.append(self.outputs[-1] + bent if self.skip else bent)
        margins = self.sides * (self.outputs[-1] @ self.last)
        small = np.exp(-np.abs(margins))
        self.doubts = np.where(margins > 0, small, 1.0) / (1 + small)
        return float((np.maximum(-margins, 0) + np.log(1 + small)).mean())

    def backward(self) -> list[float]:
        """The size of each output's gradient; saves the gradients of the weights."""
        of_scores = -self.sides * self.doubts / ROWS
        self.of_last = self.outputs[-1].T @ of_scores
        self.of_weights: list[Array] = []
        found: list[float] = []
        back = np.outer(of_scores, self.last)
        for i in range(len(self.weights) - 1, -1, -1):
            found.insert(0, size(back))
            bent, (sums, root) = self.bent[i], self.spread[i]
            g = back * (1 - bent**2 if self.activation == "tanh" else bent > 0)
            if self.norm:
                g = (g - g.mean(axis=0) - sums * (g * sums).mean(axis=0)) / root
            self.of_weights.insert(0, g.T @ self.outputs[i])
            back = g @ self.weights[i] + (back if self.skip else 0)
        return found

    def step(self) -> None:
        """One step of gradient descent."""
        pairs = zip(self.weights, self.of_weights, strict=True)
        self.weights = [w - LR * g for w, g in pairs]
        self.last = self.last - LR * self.of_last

    def sizes(self) -> list[float]:
        """The sizes of all layers' outputs."""
        return [size(out) for out in self.outputs[1:]]


def verdict(training: Training) -> str:
    """The outcome, as text.

    Example:
        >>> verdict(train(20)).split(":")[0]
        'Does not learn'
    """
    losses, gradients = training.losses, training.gradients
    first, last = losses[0], losses[-1]
    if not abs(last) <= TOO_FAR:
        return (
            f"Explodes: the last layer's output has size {number(training.sizes[-1])} "
            f"at first, and training diverges at step {len(losses) - 1}."
        )
    word = "Does not learn"
    if last < 0.9 * first:
        word = "Hardly learns" if last > 0.5 * first else "Learns"
    share = gradients[0] / gradients[-1] if gradients[-1] else 0.0
    return (
        f"{word}: the first layer gets {number(share)} times the last one's gradient, "
        f"and {STEPS} steps take the loss from {number(first)} to {number(last)}."
    )


class DeepGradients(Interaction):
    """The gradient in each layer of a deep network, and whether it learns.

    In the page a reader moves the depth, and switches skips, batch norm and the
    activation.

    Args:
        depth: the initial number of layers, from 1 to 30.
        skip: x + F(x) in place of F(x).
        norm: batch norm in each layer.
        activation: "relu" or "tanh".

    Raises:
        ValueError: for another depth or activation.

    Example:
        >>> print(DeepGradients(depth=5).text().splitlines()[0])
        5 layers, relu, without skips, without batch norm.
    """

    kind: ClassVar[str] = "deep_gradients"

    def __init__(
        self, depth: int = 12, skip: bool = False, norm: bool = False,
        activation: str = "relu",
    ) -> None:  # fmt: skip
        if activation not in ACTIVATIONS or not 1 <= depth <= DEEPEST:
            raise ValueError(
                f"depth is from 1 to {DEEPEST}, activation 'relu' or 'tanh'; "
                f"got {depth} and {activation!r}"
            )
        data = {"depth": int(depth), "skip": bool(skip), "norm": bool(norm)}
        super().__init__(data={**data, "activation": activation})

    def picture(self, note: str = "") -> Picture:
        """A bar for each layer, and the loss."""
        training = train(**self.data)
        picture = Picture(640, 372, "Gradient by layer, and the loss")
        caption = self._caption() + (f" ({note})" if note else "")
        picture.text(16, 24, caption, bold=True, size=13)
        picture.text(16, 44, verdict(training), size=11)
        _draw_bars(picture, training.gradients)
        _draw_losses(picture, training.losses)
        return picture

    def text(self) -> str:
        """The gradient and the size of each layer's output, and the loss."""
        training = train(**self.data)
        lines = [self._caption(), verdict(training), "layer  gradient  size of output"]
        rows = zip(training.gradients, training.sizes, strict=True)
        for i, (gradient, out) in enumerate(rows):
            lines.append(f"{i + 1:5}  {number(gradient):>8}  {number(out):>14}")
        return "\n".join(lines)

    def _caption(self) -> str:
        data = self.data
        skips, norms = ("with" if data[key] else "without" for key in ("skip", "norm"))
        layers = "1 layer" if data["depth"] == 1 else f"{data['depth']} layers"
        return f"{layers}, {data['activation']}, {skips} skips, {norms} batch norm."


def _share(value: float, low: int, high: int) -> float:
    """The position of a number between two powers of ten, from 0 to 1."""
    if not value > 0:
        return 1.0 if math.isnan(value) else 0.0
    return (min(max(math.log10(value), low), high) - low) / (high - low)


def _draw_bars(picture: Picture, gradients: Sequence[float]) -> None:
    left, right, top, bottom = 60, 624, 84, 216
    picture.text(left, 72, "size of the gradient, by layer", size=11, fill=GRADIENT)
    for power in range(LOWEST, HIGHEST + 1, APART):
        at = bottom - _share(10.0**power, LOWEST, HIGHEST) * (bottom - top)
        words = f"1e{power}" if power else "1"
        picture.line([(left, at), (right, at)], stroke=LINE if power == 0 else GRID)
        picture.text(left - 6, at + 4, words, size=10, fill=MUTED, anchor="end")
    wide = (right - left) / len(gradients)
    for i, value in enumerate(gradients):
        high = _share(value, LOWEST, HIGHEST) * (bottom - top)
        at = left + i * wide
        picture.rect(at + wide * 0.1, bottom - high, wide * 0.8, high, fill=GRADIENT)
        if i == 0 or len(gradients) <= 10 or (i + 1) % 5 == 0:
            picture.text(at + wide / 2, bottom + 14, str(i + 1), size=10, fill=MUTED,
                         anchor="middle")  # fmt: skip


def _draw_losses(picture: Picture, losses: Sequence[float]) -> None:
    left, right, top, bottom = 60, 624, 262, 340
    picture.text(left, 252, "loss, by step", size=11, fill=BLUE)
    for power in range(LEAST, MOST + 1, 2):
        at = bottom - _share(10.0**power, LEAST, MOST) * (bottom - top)
        picture.line([(left, at), (right, at)], stroke=GRID)
        picture.text(left - 6, at + 4, f"1e{power}", size=10, fill=MUTED, anchor="end")
    places = [
        (
            left + i / STEPS * (right - left),
            bottom - _share(loss, LEAST, MOST) * (bottom - top),
        )
        for i, loss in enumerate(losses)
    ]
    picture.line(places, stroke=BLUE, width=2.2)
    for step in range(0, STEPS + 1, 10):
        at = left + step / STEPS * (right - left)
        picture.text(at, bottom + 14, str(step), size=10, fill=TEXT, anchor="middle")
