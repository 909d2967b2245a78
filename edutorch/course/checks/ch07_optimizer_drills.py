"""Test cases for optimizers: parameters, gradients and settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .ch07_optimizer_rules import Array, Settings
from .optimizer_steps import Drill

__all__ = ["adam_drills", "momentum_drills", "sgd_drills"]


def sgd_drills(rng: np.random.Generator) -> Iterator[Drill]:
    """The example, None among the gradients, a generator; then random sizes."""
    example = np.array([1, 2], np.float32), np.array([10, -10], np.float32)
    yield Drill([example[0]], [[example[1]]], {"lr": 0.1})
    for lr in (0.5, 0.01):
        yield _drill(rng, [(3,), (2, 2), ()], 1, {"lr": lr})
    yield _drill(rng, [(3,), (2,), (2, 3)], 1, {"lr": 0.25}, none=((0, 1),))
    yield _drill(rng, [(2,), (2,)], 1, {"lr": 0.5}, none=((0, 0),))
    yield _drill(rng, [(2, 3), (2,)], 1, {"lr": 0.3}, generator=True)
    yield _drill(rng, [(0,), (3,)], 2, {"lr": 0.3}, dtype=np.float64)
    for _ in range(3):
        yield _fresh(rng, {"lr": float(rng.uniform(0.01, 1))})


def momentum_drills(rng: np.random.Generator) -> Iterator[Drill]:
    """The example, other settings, overwritten gradients, a new state."""
    one = np.array([1], np.float32)
    example = [[one], [one], [one]]
    usual = {"lr": 0.1, "momentum": 0.9}
    yield Drill([5 * one], example, usual)
    yield _drill(rng, [(3,), (3,)], 3, {"lr": 0.1, "momentum": 0.5})
    yield _drill(rng, [(2,), (2,)], 3, {"lr": 0.5, "momentum": 0.9})
    yield _drill(rng, [(2,), (2, 2)], 3, {"lr": 0.2, "momentum": 0.8}, reused=True)
    none = ((0, 1), (2, 0))
    yield _drill(rng, [(2,), (2,)], 4, {"lr": 0.2, "momentum": 0.7}, none=none)
    yield _drill(rng, [(3,), (2,)], 4, {"lr": 0.2, "momentum": 0.7}, none=((1, 1),))
    yield _drill(rng, [(3,), (3,)], 3, {"lr": 0.3, "momentum": 0.8}, none=((1, 0),))
    for lrs in ((0.5, 0.1, 0.2), (0.1, 0.4, 0.05)):
        yield _drill(rng, [(2,), (2,)], 3, usual, lrs=lrs)
    for _ in range(2):
        yield _drill(rng, [(2,), (2, 2)], 4, usual, restart=2)
    yield _drill(rng, [(2, 3), (1,)], 3, usual, generator=True)
    yield _drill(rng, [(3,)], 3, {"lr": 0.2, "momentum": 0.0}, dtype=np.float64)
    yield _drill(rng, [(2, 1)], 3, {"lr": 0.2, "momentum": 0.6}, reused=True)
    for _ in range(3):
        lr, mu = rng.uniform(0.01, 1), rng.uniform(0.1, 0.95)
        yield _fresh(rng, {"lr": float(lr), "momentum": float(mu)})


def adam_drills(rng: np.random.Generator) -> Iterator[Drill]:
    """The example, other settings, zero gradients, separate counts, a new state."""
    usual = {"lr": 0.1, "betas": (0.9, 0.999), "eps": 1e-8}
    other = {"lr": 0.05, "betas": (0.8, 0.95), "eps": 1e-8}
    rough = {"lr": 0.2, "betas": (0.7, 0.9), "eps": 0.1}
    example = [[np.array([g], np.float32)] for g in (4, -2)]
    yield Drill([np.array([1], np.float32)], example, usual)
    yield _drill(rng, [(3,), (3,)], 4, other)
    yield _drill(rng, [(2,), (2,)], 4, rough)
    yield _drill(rng, [(3,)], 3, rough)
    yield _drill(rng, [(4,)], 3, usual, zero=True)
    yield _drill(rng, [(3,)], 3, other, zero=True)
    yield _drill(rng, [(2,), (2,)], 5, other, none=((0, 1), (1, 1), (3, 0)))
    yield _drill(rng, [(3,), (2,)], 4, usual, none=((1, 0),))
    yield _drill(rng, [(3,), (3,)], 4, other, none=((1, 0),))
    for _ in range(2):
        yield _drill(rng, [(2,), (2, 2)], 4, usual, restart=2)
    yield _drill(rng, [(2, 3), (1,)], 3, rough, generator=True)
    yield _drill(rng, [(3,)], 12, other, dtype=np.float64, reused=True)
    for _ in range(3):
        betas = float(rng.uniform(0.5, 0.95)), float(rng.uniform(0.8, 0.999))
        lr, eps = float(rng.uniform(0.01, 1)), float(10 ** rng.uniform(-8, -1))
        yield _fresh(rng, {"lr": lr, "betas": betas, "eps": eps})


def _fresh(rng: np.random.Generator, settings: Settings) -> Drill:
    """Any number of parameters of any sizes, over several steps."""
    shapes = [
        tuple(int(n) for n in rng.integers(1, 5, size=rng.integers(1, 4)))
        for _ in range(rng.integers(1, 5))
    ]
    steps = int(rng.integers(1, 6))
    none = tuple(
        (step, i)
        for step in range(steps)
        for i in range(len(shapes))
        if rng.random() < 0.15
    )
    dtype = np.float64 if rng.random() < 0.5 else np.float32
    reused = rng.random() < 0.5
    return _drill(rng, shapes, steps, settings, none=none, dtype=dtype, reused=reused)


def _drill(
    rng: np.random.Generator,
    shapes: list[tuple[int, ...]],
    steps: int,
    settings: Settings,
    *,
    none: tuple[tuple[int, int], ...] = (),
    zero: bool = False,
    dtype: Any = np.float32,
    **also: Any,
) -> Drill:
    """Random numbers in these shapes; `none` lists (step, parameter) with grad None."""
    rounded = {k: round(v, 3) if k == "lr" else v for k, v in settings.items()}
    values = [_numbers(rng, shape, dtype) for shape in shapes]
    gradients: list[list[Array | None]] = []
    for step in range(steps):
        row = [_numbers(rng, shape, dtype) for shape in shapes]
        if zero:
            row[0][:1] = 0
        gradients.append([None if (step, i) in none else g for i, g in enumerate(row)])
    return Drill(values, gradients, rounded, **also)


def _numbers(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Array:
    """Numbers with few digits, so that messages are short, and not close to 0."""
    size = rng.integers(2, 40, size=shape) / 10
    return np.asarray(size * rng.choice([-1, 1], size=shape), dtype=dtype)
