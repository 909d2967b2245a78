"""The first forward and backward of a deep network, for any scale of its weights.

The same as `widgets/src/course/init_scale.ts`, where a reader moves the scale; both
draw their random numbers in the same way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from ...widgets.box_style import GRADIENT, MUTED, TEXT
from ...widgets.format import number
from ...widgets.svg import Picture
from .interaction import Interaction
from .noise import noise, size

__all__ = ["InitScale", "Signals", "run", "shown_layers", "verdict"]

Array = npt.NDArray[Any]

N = 32  # numbers per layer, and rows in the batch
SEED = 49
DEEPEST = 30
BARS = 20
LARGEST = 3.0
LOWEST, HIGHEST, APART = -15, 9, 3  # powers of ten on the chart
ENDS: Final = {"tanh": (-1.0, 1.0), "relu": (0.0, 3.0)}
NOTHING = "Nothing: all activations and all gradients are 0, and no step changes that."
BLUE, LINE, GRID = "#0072b2", "#8c96a5", "#e4e8ee"


@dataclass(frozen=True)
class Signals:
    """The signal in each layer.

    Attributes:
        sizes: of activations, the root of their mean square.
        gradients: of each layer's weights, in the same measure.
        bars: shares of the activations per bar of a histogram, but for zeros.
        zeros: shares of activations that are exactly 0.
    """

    sizes: list[float]
    gradients: list[float]
    bars: list[list[float]]
    zeros: list[float]


def run(
    scale: float, depth: int = DEEPEST, activation: str = "relu", seed: int = SEED
) -> Signals:
    """Forward through `depth` layers, then backward with a gradient of size 1.

    Args:
        scale: the weights have standard deviation scale / √n.
        depth: how many layers, at most 30.
        activation: "relu" or "tanh".
        seed: the seed of inputs, weights and the gradient at the end.

    Example:
        >>> [round(size, 2) for size in run(1.0, depth=3).sizes]
        [0.67, 0.42, 0.29]
    """
    weights = scale * noise(seed + 1, DEEPEST, N, N)[:depth] / math.sqrt(N)
    states = [noise(seed, N, N)]
    for w in weights:
        sums = states[-1] @ w.T
        states.append(np.tanh(sums) if activation == "tanh" else np.maximum(sums, 0))
    gradients: list[float] = []
    back = noise(seed + 2, N, N)
    for w, before, after in zip(
        weights[::-1], states[-2::-1], states[:0:-1], strict=True
    ):
        slope = 1 - after**2 if activation == "tanh" else after > 0
        back = back * slope
        gradients.insert(0, size(back.T @ before) / N)
        back = back @ w
    outputs = states[1:]
    return Signals(
        [size(h) for h in outputs],
        gradients,
        [_histogram(h, activation) for h in outputs],
        [float((h == 0).mean()) for h in outputs],
    )


def _histogram(values: Array, activation: str) -> list[float]:
    low, high = ENDS[activation]
    places = ((values[values != 0] - low) / (high - low) * BARS).astype(int)
    counts = np.bincount(np.minimum(places, BARS - 1), minlength=BARS)
    return [float(share) for share in counts / values.size]


def verdict(signals: Signals) -> str:
    """A sentence that says what the numbers mean for training.

    Example:
        >>> verdict(run(0.5)).split(":")[0]
        'Too small'
    """
    last = signals.sizes[-1]
    most, least = max(signals.gradients), min(signals.gradients)
    if last == 0:
        return NOTHING
    facts = (
        f"activations of size {number(last)} in the last layer, "
        f"gradients from {number(least)} to {number(most)}."
    )
    if max(most, last) > 10:
        return f"Too large: {facts}"
    if min(least, last) < 1e-3:
        return f"Too small: {facts}"
    return f"{'Uneven' if most > 30 * least else 'Good'}: {facts}"


def shown_layers(depth: int) -> list[int]:
    """The layers with a histogram: first, last, and some in between.

    Example:
        >>> shown_layers(30)
        [1, 8, 16, 23, 30]
    """
    return sorted({1 + math.floor(i * (depth - 1) / 4 + 0.5) for i in range(5)})


class InitScale(Interaction):
    """The effect of the initial weights' scale on activations and gradients.

    In the page a reader moves the scale, and chooses the depth and the activation.

    Args:
        scale: the initial setting, from 0 to 3; weights have standard deviation scale /
            √n.
        depth: 5, 10, 20 or 30 layers.
        activation: "relu" or "tanh".

    Raises:
        ValueError: for another depth or activation, or a scale out of its range.

    Example:
        >>> print(InitScale(depth=5).text().splitlines()[0])
        5 layers, relu, weights with standard deviation 1 / √n.
    """

    kind: ClassVar[str] = "init_scale"

    def __init__(
        self, scale: float = 1.0, depth: int = DEEPEST, activation: str = "relu"
    ) -> None:
        if activation not in ENDS or depth not in (5, 10, 20, 30):
            raise ValueError(
                f"depth is 5, 10, 20 or 30, activation 'relu' or 'tanh'; "
                f"got {depth} and {activation!r}"
            )
        if not 0 <= scale <= LARGEST:
            raise ValueError(f"scale is from 0 to 3, got {scale}")
        data = {"scale": float(scale), "depth": depth, "activation": activation}
        super().__init__(data={**data, "seed": SEED})

    def picture(self, note: str = "") -> Picture:
        """Histograms of some layers, and both sizes for all layers."""
        signals = run(**self.data)
        picture = Picture(640, 372, "Activations and gradients by layer")
        caption = self._caption() + (f" ({note})" if note else "")
        picture.text(16, 24, caption, bold=True, size=13)
        picture.text(16, 44, verdict(signals), size=12)
        for i, layer in enumerate(shown_layers(self.data["depth"])):
            _draw_histogram(
                picture, 16 + 123 * i, signals, layer, self.data["activation"]
            )
        _draw_chart(picture, signals)
        return picture

    def text(self) -> str:
        """The size of activations and gradients, layer by layer."""
        signals = run(**self.data)
        lines = [self._caption(), verdict(signals), "layer  activations  gradient"]
        rows = zip(signals.sizes, signals.gradients, strict=True)
        for i, (forward, gradient) in enumerate(rows):
            lines.append(f"{i + 1:5}  {number(forward):>11}  {number(gradient):>8}")
        return "\n".join(lines)

    def _caption(self) -> str:
        depth, activation = self.data["depth"], self.data["activation"]
        scale = number(self.data["scale"])
        weights = f"weights with standard deviation {scale} / √n."
        return f"{depth} layers, {activation}, {weights}"


def _draw_histogram(
    picture: Picture, left: float, signals: Signals, layer: int, activation: str
) -> None:
    bars, zeros = signals.bars[layer - 1], signals.zeros[layer - 1]
    facts, foot, wide = number(signals.sizes[layer - 1]), 140, 5.5
    picture.text(left, 70, f"layer {layer}: {facts}", size=11, bold=True)
    most = max(*bars, 1e-9)
    for i, share in enumerate(bars):
        high = 60 * share / most
        picture.rect(left + i * wide, foot - high, wide - 1, high, fill=BLUE)
    right = left + BARS * wide
    picture.line([(left, foot), (right, foot)], stroke=LINE)
    low, high_end = ("-1", "1") if activation == "tanh" else ("0", "≥ 3")
    picture.text(left, foot + 13, low, size=10, fill=MUTED)
    picture.text(right, foot + 13, high_end, size=10, fill=MUTED, anchor="end")
    if zeros > 0:
        words = f"{math.floor(zeros * 100 + 0.5)}% are 0"
        middle = (left + right) / 2
        picture.text(middle, foot + 13, words, size=10, fill=MUTED, anchor="middle")


def _draw_chart(picture: Picture, signals: Signals) -> None:
    left, right, top, bottom = 60, 624, 190, 330
    count = len(signals.sizes)

    def y(value: float) -> float:
        power = math.log10(value) if value > 0 else LOWEST
        power = min(max(power, LOWEST), HIGHEST)
        return bottom - (power - LOWEST) / (HIGHEST - LOWEST) * (bottom - top)

    for power in range(LOWEST, HIGHEST + 1, APART):
        at, words = y(10.0**power), f"1e{power}" if power else "1"
        picture.line([(left, at), (right, at)], stroke=LINE if power == 0 else GRID)
        picture.text(left - 6, at + 4, words, size=10, fill=MUTED, anchor="end")
    places = [left + (i + 0.5) / count * (right - left) for i in range(count)]
    for i in range(count):
        if i == 0 or count <= 10 or (i + 1) % 5 == 0:
            words = str(i + 1)
            picture.text(
                places[i], bottom + 14, words, size=10, fill=MUTED, anchor="middle"
            )
    picture.text((left + right) / 2, 366, "layer", size=11, fill=TEXT, anchor="middle")
    for values, colour, dash in (
        (signals.sizes, BLUE, ""),
        (signals.gradients, GRADIENT, "6 4"),
    ):
        points = list(zip(places, map(y, values), strict=True))
        picture.line(points, stroke=colour, width=2.2, dash=dash)
    picture.text(left, 178, "— size of activations", size=11, fill=BLUE)
    picture.text(left + 160, 178, "- - size of gradients", size=11, fill=GRADIENT)
