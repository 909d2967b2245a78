"""Learning rate schedules, with known mistakes."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from edutorch.course.compare_functions import Mistake
from edutorch.course.random_cases import Draw

__all__ = [
    "COSINE_MISTAKES",
    "COSINE_SHOWN",
    "STEP_MISTAKES",
    "STEP_SHOWN",
    "fresh_cosine",
    "fresh_steps",
    "step_lr",
    "warmup_cosine",
]

STEP_SHOWN = (
    (7, 1.0, 3, 0.1),
    (0, 0.5, 4, 0.5),
    (3, 0.5, 4, 0.5),
    (4, 0.5, 4, 0.5),
    (12, 2.0, 4, 0.3),
    (9, 0.1, 1, 0.9),
)
COSINE_SHOWN = (
    (0, 1.0, 2, 6),
    (1, 1.0, 2, 6),
    (2, 1.0, 2, 6),
    (3, 1.0, 2, 6),
    (5, 0.2, 2, 6),
    (6, 1.0, 2, 6),
    (9, 1.0, 2, 6),
    (1, 0.5, 4, 8),
    (4, 0.5, 4, 8),
    (0, 0.3, 0, 10),
    (7, 0.3, 0, 10),
    (25, 0.3, 10, 100),
    (3, 0.3, 10, 100),
    (110, 0.3, 10, 100),
)


def fresh_steps(draw: Draw) -> tuple[int, float, int, float]:
    """A random step, lr, every and factor."""
    lr, factor = draw.number(0.01, 2.0), draw.number(0.1, 0.9)
    return draw.size(0, 60), lr, draw.size(1, 20), factor


def fresh_cosine(draw: Draw) -> tuple[int, float, int, int]:
    """A random step, lr, warmup and total."""
    warmup = draw.size(0, 20)
    total = warmup + draw.size(1, 60)
    return draw.size(0, total + 5), draw.number(0.01, 2.0), warmup, total


def step_lr(step: int, lr: float, every: int, factor: float = 0.1) -> float:
    """The learning rate lr · factor^(step // every)."""
    return float(lr * factor ** (step // every))


def warmup_cosine(
    step: int,
    lr: float,
    warmup: int,
    total: int,
    *,
    rise: Callable[[int, int], float] = lambda step, warmup: (step + 1) / warmup,
    late: int = 0,
    begin: float = 1.0,
    length: float = 1.0,
    fall: Callable[[float], float] = lambda done: (1 + math.cos(math.pi * done)) / 2,
    ends: bool = True,
) -> float:
    """Linear warm-up, half a cosine, then 0; keyword arguments make known mistakes.

    Args:
        step: the step.
        lr: the highest learning rate.
        warmup: steps of the rise.
        total: the step at which 0 is reached.
        rise: the share of lr during the warm-up.
        late: steps that the warm-up takes too long.
        begin: the share of the warm-up that the cosine leaves out.
        length: the share of the warm-up that its length leaves out.
        fall: the share of lr after a share of the cosine.
        ends: whether 0 follows.
    """
    if step < warmup + late:
        return lr * rise(step, warmup)
    if ends and step >= total:
        return 0.0
    done = (step - begin * warmup) / (total - length * warmup)
    return lr * fall(done)


STEP_MISTAKES: dict[str, Callable[..., float]] = {
    "round down to a whole number: it falls in steps, not all the time": (
        lambda step, lr, every, factor=0.1: lr * factor ** (step / every)
    ),
    "one step early: the first cut comes at step `every`": (
        lambda step, lr, every, factor=0.1: lr * factor ** ((step + 1) // every)
    ),
    "one step late: the first cut comes at step `every`": (
        lambda step, lr, every, factor=0.1: lr * factor ** (max(step - 1, 0) // every)
    ),
    "factor to the power of the cuts, not times their number": (
        lambda step, lr, every, factor=0.1: lr * factor * (step // every)
    ),
    "it is cut only once: cut it after every `every` steps": (
        lambda step, lr, every, factor=0.1: lr * factor if step >= every else lr
    ),
    "the first cut comes after `every` steps: step // every": (
        lambda step, lr, every, factor=0.1: lr * factor ** ((step - 1) // every)
    ),
    "factor was ignored": lambda step, lr, every, _=0.1: lr * 0.1 ** (step // every),
    "once it is cut, it must stay cut": lambda step, lr, every, factor=0.1: (
        lr * (factor if step % every == 0 else 1)
    ),
    "lr was ignored": lambda step, _, every, factor=0.1: factor ** (step // every),
}


def _cosine(**settings: Any) -> Callable[..., float]:
    """The schedule with a mistake."""

    def mistaken(step: int, lr: float, warmup: int, total: int) -> float:
        return warmup_cosine(step, lr, warmup, total, **settings)

    return mistaken


def _without_lr(step: int, lr: float, warmup: int, total: int) -> float:
    share = warmup_cosine(step, 1.0, warmup, total)
    return share if step < warmup else lr * share


def _from_zero(step: int, warmup: int) -> float:
    """A mistake: the share of lr during a warm-up that begins at 0."""
    return step / max(warmup, 1)


COSINE_MISTAKES: dict[str, Mistake] = {
    "step 0 has lr / warmup already: (step + 1) / warmup": (
        _cosine(rise=lambda step, warmup: step / warmup),
        _cosine(rise=_from_zero, late=1),
        _cosine(rise=_from_zero, ends=False),
        _cosine(rise=_from_zero, late=1, ends=False),
    ),
    "there is no warm-up": _cosine(rise=lambda _step, _warmup: 1.0),
    "the warm-up does not use lr": _without_lr,
    "the warm-up is one step too long": _cosine(late=1),
    "after `total` it rises again: there it stays 0": _cosine(ends=False),
    "the cosine begins when the warm-up ends, not at step 0": _cosine(
        begin=0.0, length=0.0
    ),
    "the cosine takes total - warmup steps, not total": _cosine(length=0.0),
    "it goes below 0: (1 + cos) / 2": _cosine(
        fall=lambda done: math.cos(math.pi * done)
    ),
    "half a turn of the cosine, not a quarter": _cosine(
        fall=lambda done: math.cos(math.pi * done / 2)
    ),
    "half a turn of the cosine, not a whole turn": _cosine(
        fall=lambda done: (1 + math.cos(2 * math.pi * done)) / 2
    ),
    "a straight line down is not a cosine": _cosine(fall=lambda done: 1 - done),
    "cos takes radians: half a turn is pi, not 180": _cosine(
        fall=lambda done: (1 + math.cos(180 * done)) / 2
    ),
    "it is upside down: 1 + cos, not 1 - cos": _cosine(
        fall=lambda done: (1 - math.cos(math.pi * done)) / 2
    ),
}
