"""Optimizers side by side on a function of two weights.

The same as `widgets/src/course/optimizer_race.ts`, where a reader moves the learning
rate; here the paths are those of `edutorch.optim`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar, Final

import numpy as np

from ...ops.create import from_numpy
from ...optim import SGD, Adam, Optimizer, RMSprop
from ...widgets.box_style import MUTED, TEXT
from ...widgets.format import number
from ...widgets.svg import Picture, fit_text
from .interaction import Interaction

__all__ = ["OPTIMIZERS", "SURFACES", "OptimizerRace", "Surface", "verdict", "walk"]

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, width, height

STEPS = 300  # of a race
TOO_FAR = 1e6  # a loss above it ends a path
NEAR = 0.01  # above the minimum: arrived
GRID = "#e4e8ee"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#5c6570")
DASHES = ("", "6 3", "2 3", "9 3 2 3", "12 4")


@dataclass(frozen=True)
class Surface:
    """A loss of two weights, its gradient, and the region shown.

    Attributes:
        extent: the corners that are shown: left, right, bottom, top.
        lr: a learning rate to begin with.
        least: the lowest loss, which is at `goals`.
    """

    title: str
    formula: str
    loss: Callable[[Any, Any], Any]
    slope: Callable[[float, float], Point]
    extent: tuple[float, float, float, float]
    start: Point
    lr: float
    least: float
    goals: tuple[Point, ...]


SURFACES: Final = {
    "valley": Surface(
        "valley",
        "(x² + 20 y²) / 2",
        lambda x, y: (x * x + 20 * y * y) / 2,
        lambda x, y: (x, 20 * y),
        (-4.4, 4.4, -3.3, 3.3),
        (-4.0, 1.5),
        0.06,
        0.0,
        ((0, 0),),
    ),
    "rosenbrock": Surface(
        "Rosenbrock",
        "(1 - x)² + 10 (y - x²)²",
        lambda x, y: (1 - x) ** 2 + 10 * (y - x * x) ** 2,
        lambda x, y: (-2 * (1 - x) - 40 * x * (y - x * x), 20 * (y - x * x)),
        (-2.0, 2.0, -1.0, 2.0),
        (-1.5, 1.5),
        0.005,
        0.0,
        ((1, 1),),
    ),
    "saddle": Surface(
        "saddle",
        "(x² - y²) / 2 + y⁴ / 16",
        lambda x, y: (x * x - y * y) / 2 + y**4 / 16,
        lambda x, y: (x, y**3 / 4 - y),
        (-4.0, 4.0, -3.0, 3.0),
        (-3.5, 0.001),
        0.1,
        -1.0,
        ((0, -2), (0, 2)),
    ),
}


def _nesterov(w: Any, lr: float, momentum: float) -> Optimizer:
    return SGD(w, lr=lr, momentum=momentum, nesterov=momentum > 0)


OPTIMIZERS: Final[dict[str, Callable[[Any, float, float], Optimizer]]] = {
    "SGD": lambda w, lr, _: SGD(w, lr=lr),
    "momentum": lambda w, lr, momentum: SGD(w, lr=lr, momentum=momentum),
    "Nesterov": _nesterov,
    "RMSprop": lambda w, lr, _: RMSprop(w, lr=lr),
    "Adam": lambda w, lr, _: Adam(w, lr=lr),
}


def walk(
    surface: Surface, name: str, lr: float, momentum: float, start: Point, steps: int
) -> list[Point]:
    """The position of an optimizer after 0, 1, ... steps; ends early if it diverges.

    Example:
        >>> walk(SURFACES["valley"], "SGD", 0.05, 0.9, (2.0, 1.0), 2)
        [(2.0, 1.0), (1.9, 0.0), (1.805, 0.0)]
    """
    w = from_numpy(np.array(start, dtype=np.float64)).requires_grad_()
    optimizer = OPTIMIZERS[name]([w], lr, momentum)
    path = [start]
    while len(path) <= steps and abs(surface.loss(*path[-1])) <= TOO_FAR:
        w.grad = from_numpy(np.array(surface.slope(*path[-1]), dtype=np.float64))
        optimizer.step()
        x, y = w.tolist()
        path.append((x, y))
    return path


def verdict(losses: Sequence[float], least: float) -> str:
    """The outcome of a path, in words.

    Example:
        >>> verdict([9.0, 0.5, 0.005, 0.002], 0.0)
        'arrived at step 2'
    """
    if not abs(losses[-1]) <= TOO_FAR:
        return f"diverged at step {len(losses) - 1}"
    away = [i for i, loss in enumerate(losses) if loss - least > NEAR]
    since = away[-1] + 1 if away else 0
    return f"arrived at step {since}" if since < len(losses) else "on its way"


class OptimizerRace(Interaction):
    """Five optimizers on a loss of two weights, from the same start.

    In the page a reader chooses the surface, moves the learning rate, the momentum and
    the start, and lets the race run step by step.

    Args:
        surface: "valley", "rosenbrock" or "saddle".
        lr: the learning rate of all; None for one that suits the surface.
        momentum: the momentum of the two optimizers that use it.
        start: the initial weights; None for the surface's own.
        step: the number of steps shown initially, at most 300.

    Raises:
        KeyError: no surface has this name.

    Example:
        >>> print(OptimizerRace("valley", lr=0.101, step=300).text().splitlines()[1])
          SGD       step 271: loss 1.03e+06    diverged at step 271
    """

    kind: ClassVar[str] = "optimizer_race"

    def __init__(
        self,
        surface: str = "valley",
        lr: float | None = None,
        momentum: float = 0.9,
        start: Point | None = None,
        step: int = 60,
    ) -> None:
        chosen = SURFACES[surface]
        x, y = start or chosen.start
        super().__init__(
            data={
                "surface": surface,
                "lr": float(chosen.lr if lr is None else lr),
                "momentum": float(momentum),
                "start": [float(x), float(y)],
                "step": max(0, min(STEPS, int(step))),
            }
        )

    def picture(self, note: str = "") -> Picture:
        """The paths on the surface, and each loss by step."""
        return _draw(self.data, _race(self.data), note)

    def text(self) -> str:
        """The position of each optimizer after these steps."""
        data = self.data
        surface = SURFACES[data["surface"]]
        lines = [_caption(data)]
        for name, losses in _losses(surface, _race(data)).items():
            at, words = len(losses) - 1, verdict(losses, surface.least)
            lines.append(
                f"  {name:<9} step {at}: loss {number(losses[-1]):<11} {words}"
            )
        return "\n".join(lines)


def _race(data: Mapping[str, Any]) -> dict[str, list[Point]]:
    """The path of each optimizer."""
    surface, (x, y) = SURFACES[data["surface"]], data["start"]
    return {
        name: walk(surface, name, data["lr"], data["momentum"], (x, y), data["step"])
        for name in OPTIMIZERS
    }


def _losses(
    surface: Surface, race: Mapping[str, list[Point]]
) -> dict[str, list[float]]:
    return {
        name: [float(surface.loss(*point)) for point in path]
        for name, path in race.items()
    }


def _caption(data: Mapping[str, Any]) -> str:
    surface, (x, y) = SURFACES[data["surface"]], data["start"]
    return (
        f"{surface.title}, loss = {surface.formula}, from ({number(x)}, {number(y)}), "
        f"learning rate {number(data['lr'])}, momentum {number(data['momentum'])}"
    )


# ---- the still picture

WIDTH, HEIGHT = 760.0, 420.0
MAP = (16.0, 40.0, 400.0, 300.0)  # left, top, width, height
CHART = (476.0, 40.0, 268.0, 276.0)
BANDS = 12
LOWEST, HIGHEST = -4, 4  # powers of ten at the ends of the chart
HIGH, LOW = (247, 249, 252), (168, 190, 220)


def _draw(
    data: Mapping[str, Any], race: Mapping[str, list[Point]], note: str
) -> Picture:
    surface = SURFACES[data["surface"]]
    losses = _losses(surface, race)
    title = _caption(data) + (f" ({note})" if note else "")
    picture = Picture(WIDTH, HEIGHT, title)
    picture.text(16, 24, fit_text(title, WIDTH - 32, 12), size=12, fill=MUTED)
    picture.image(*MAP, _bands(surface))
    for goal in surface.goals:
        x, y = _on_map(surface, goal)
        picture.text(x, y + 4, "✕", size=13, anchor="middle", fill=TEXT)
    for i, path in enumerate(race.values()):
        _path(picture, [_on_map(surface, p) for p in path], COLOURS[i], DASHES[i])
    _chart(picture, losses, surface.least, data["step"])
    for i, (name, values) in enumerate(losses.items()):
        _legend(picture, i, name, verdict(values, surface.least))
    return picture


def _bands(surface: Surface) -> np.ndarray:
    """The surface as contour bands on a log scale; dark is low."""
    left, right, bottom, top = surface.extent
    x, y = np.meshgrid(np.linspace(left, right, 200), np.linspace(top, bottom, 150))
    height = np.log10(surface.loss(x, y) - surface.least + NEAR)
    share = (height - height.min()) / (height.max() - height.min())
    level = np.floor(share * BANDS).clip(0, BANDS - 1)[..., None] / (BANDS - 1)
    mixed = np.array(LOW) * (1 - level) + np.array(HIGH) * level
    return np.asarray(mixed.round(), dtype=np.uint8)


def _on_map(surface: Surface, point: Point) -> Point:
    """The position at which a point is drawn; distant points are off the map."""
    left, right, bottom, top = surface.extent
    x = MAP[0] + MAP[2] * (point[0] - left) / (right - left)
    y = MAP[1] + MAP[3] * (top - point[1]) / (top - bottom)
    return x, y


def _path(picture: Picture, points: list[Point], colour: str, dash: str) -> None:
    """The part of a path on the map, up to the first distant point, and a dot."""
    _curve(picture, points[: _far(points) + 1], MAP, colour, dash)
    x, y = points[-1]
    if _clipped((x, y), (x, y), MAP):
        picture.rect(x - 4, y - 4, 8, 8, fill=colour, stroke="#ffffff", radius=4)


def _far(points: list[Point]) -> int:
    """The index of the first point farther from the map than the map's size."""
    x, y = MAP[0] + MAP[2] / 2, MAP[1] + MAP[3] / 2
    for i, point in enumerate(points):
        across, down = abs(point[0] - x) / MAP[2], abs(point[1] - y) / MAP[3]
        if not (across < 1.5 and down < 1.5):
            return i
    return len(points)


def _curve(
    picture: Picture, points: list[Point], box: Box, colour: str, dash: str
) -> None:
    """The pieces of a polyline inside a box."""
    piece: list[Point] = []
    for a, b in pairwise(points):
        part = _clipped(a, b, box)
        if piece and (part is None or piece[-1] != part[0]):
            picture.line(piece, stroke=colour, width=1.8, dash=dash)
            piece = []
        if part is not None:
            piece = [*piece, part[1]] if piece else list(part)
    if piece:
        picture.line(piece, stroke=colour, width=1.8, dash=dash)


def _clipped(a: Point, b: Point, box: Box) -> tuple[Point, Point] | None:
    """The part of a line segment inside a box."""
    begin, end = 0.0, 1.0
    for axis in (0, 1):
        low, high = box[axis], box[axis] + box[axis + 2]
        step = b[axis] - a[axis]
        if not math.isfinite(step) or (step == 0 and not low <= a[axis] <= high):
            return None
        if step:
            ends = sorted(((low - a[axis]) / step, (high - a[axis]) / step))
            begin, end = max(begin, ends[0]), min(end, ends[1])
    if begin > end:
        return None
    x, y = b[0] - a[0], b[1] - a[1]
    first = a if begin == 0 else (a[0] + begin * x, a[1] + begin * y)
    last = b if end == 1 else (a[0] + end * x, a[1] + end * y)
    return first, last


def _chart(
    picture: Picture, losses: Mapping[str, list[float]], least: float, steps: int
) -> None:
    """Draw each loss above the minimum by step, on a log scale."""
    left, top, width, height = CHART
    for power in range(LOWEST, HIGHEST + 1, 2):
        y = top + height * (HIGHEST - power) / (HIGHEST - LOWEST)
        picture.line([(left, y), (left + width, y)], stroke=GRID)
        label = f"1e{power}" if power else "1"
        picture.text(left - 6, y + 4, label, size=10, fill=MUTED, anchor="end")
    for i, values in enumerate(losses.values()):
        points = []
        for step, loss in enumerate(values):
            share = (HIGHEST - _power(loss - least)) / (HIGHEST - LOWEST)
            points.append((left + width * step / max(1, steps), top + height * share))
        _curve(picture, points, CHART, COLOURS[i], DASHES[i])
    y = top + height + 18
    picture.text(left, y, "step 0", size=10, fill=MUTED)
    picture.text(left + width, y, str(steps), size=10, fill=MUTED, anchor="end")
    title = "loss above the lowest"
    picture.text(left + width, top - 6, title, size=10, fill=MUTED, anchor="end")


def _power(above: float) -> float:
    """The logarithm of a distance, clipped to be finite."""
    return math.log10(min(1e300, max(1e-300, above))) if above == above else 300.0


def _legend(picture: Picture, i: int, name: str, words: str) -> None:
    x, y = 16 + (i % 3) * 246, 368 + (i // 3) * 24
    line = [(x, y - 4), (x + 26, y - 4)]
    picture.line(line, stroke=COLOURS[i], width=2.4, dash=DASHES[i])
    picture.text(x + 32, y, f"{name}: {words}", size=12)
