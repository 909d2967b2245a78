"""Gamma and Dirichlet samples, by rejection."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .discrete import UniformStream
from .generator import Generator

__all__ = ["dirichlet", "gamma"]

SQUEEZE = float(np.float32(0.0331))  # PyTorch's constants have 24 bits
THIRD = np.float32(1) / np.float32(3)


def gamma(generator: Generator, shapes: Any) -> Any:
    """Gamma numbers of rate 1 with a shape parameter each, never below `tiny`."""
    small = shapes < 1
    with np.errstate(all="ignore"):
        powers = np.where(small, 1 / shapes, 0)
        # The method needs a shape of 1 or more; x · u^(1/a) leads back to a smaller a.
        d = np.where(small, shapes + shapes.dtype.type(1), shapes) - THIRD
        c = 1 / np.sqrt(9 * d.astype(np.float64))
    numbers = _GammaSampler(generator, shapes.size)
    rows = zip(
        shapes.reshape(-1).tolist(), powers.reshape(-1).tolist(),
        d.reshape(-1).tolist(), c.reshape(-1).tolist(), strict=True,
    )  # fmt: skip
    found = [numbers.sample(*row) for row in rows]
    numbers.uniform.close()
    least = np.finfo(shapes.dtype).tiny
    return np.maximum(np.array(found).astype(shapes.dtype), least).reshape(shapes.shape)


def dirichlet(generator: Generator, shapes: Any) -> Any:
    """Points of the simplex: gamma numbers over their sum along the last dimension."""
    x = gamma(generator, shapes.astype(np.float64))
    x = (x / x.sum(-1, keepdims=True)).astype(shapes.dtype)
    below_one = np.nextafter(shapes.dtype.type(1), shapes.dtype.type(0))
    return np.clip(x, np.finfo(shapes.dtype).tiny, below_one)


class _GammaSampler:
    """Gamma numbers one by one.

    Reference: Marsaglia and Tsang, "A simple method for generating gamma variables",
        2000.
    """

    def __init__(self, generator: Generator, n: int) -> None:
        self.generator, self.uniform = generator, UniformStream(generator, n)

    def sample(self, shape: float, power: float, d: float, c: float) -> float:
        if shape == 0 or not d > 0:  # rejection would never end
            return 0.0 if shape == 0 else math.nan
        scale = (1 - self.uniform()) ** power if power else 1.0
        while True:
            x = self.normal()
            while 1 + c * x <= 0:
                x = self.normal()
            v = (1 + c * x) ** 3
            u = 1 - self.uniform()
            if u < 1 - SQUEEZE * x**4:
                return scale * d * v
            if math.log(u) < 0.5 * x * x + d * (1 - v + math.log(v)):
                return scale * d * v

    def normal(self) -> float:
        """A normal number: the one kept of the last pair, or the first of a new one."""
        cached = self.generator.take_normal()
        if cached is not None:
            return cached
        angle, u = 2 * math.pi * self.uniform(), self.uniform()
        radius = math.sqrt(-2 * math.log1p(-u))
        self.generator.keep_normal(radius * math.sin(angle))
        return radius * math.cos(angle)
