"""Random numbers that are bit for bit equal in Python and in the page."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["noise", "size"]

Array = npt.NDArray[Any]


def noise(seed: int, *shape: int) -> Array:
    """Uniform random numbers with mean 0 and variance 1.

    Example:
        >>> noise(1, 2).round(3).tolist()
        [-1.705, 0.424]
    """
    count = math.prod(shape)
    x = np.arange(count, dtype=np.uint32) + np.uint32(seed * 0x9E3779B9 & 0xFFFFFFFF)
    x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D)
    x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
    x = x ^ (x >> np.uint32(16))
    return np.asarray(((x / 2**31 - 1) * math.sqrt(3)).reshape(shape))


def size(values: Array) -> float:
    """The root mean square.

    Example:
        >>> size(np.array([3.0, -3.0]))
        3.0
    """
    return float(np.sqrt((values**2).mean()))
