"""Activations that plain NumPy does slowly, or not quite right, when written naively.

# Note [Masking bits]
`g * mask` would turn an infinite gradient into nan where the mask is 0. `masked`
multiplies the bit patterns by 0 or 1 as integers instead: exact, and as fast.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy import maximum, ndarray

from edutorch.kernels.lazy import array_module

__all__ = ["masked", "relu", "relu_gradient"]

# From this size on `clip` beats `maximum`, whose comparison with one number is not
# vectorised; below it, its cost of being called matters more.
CLIP_FROM = 4096

# Up to this size writing zeros beats multiplying bits, which takes more calls.
SMALL = 1024


class Zeros(dict[Any, Any]):
    """A zero of each dtype: as arrays they are cheaper to combine with than numbers."""

    def __missing__(self, dtype: Any) -> Any:
        self[dtype] = np.zeros((), dtype)
        return self[dtype]


ZERO = Zeros()


def masked(g: Any, mask: Any, out: Any = None) -> Any:
    """`g` where `mask`, else 0, see Note [Masking bits].

    Shape: (*), (*) -> (*)

    Example:
        >>> masked(np.array([1.0, np.inf]), np.array([True, False]))
        array([1., 0.])
    """
    xp = array_module(g)
    bits = _bits(g.dtype)
    target = None if out is None else out.view(bits)
    return xp.multiply(g.view(bits), mask, out=target).view(g.dtype)


def relu(x: Any) -> Any:
    """The positive part; nan stays nan.

    Math: y = max(x, 0)
    Shape: (*) -> (*)

    Example:
        >>> relu(np.array([-1.0, 2.0]))
        array([0., 2.])
    """
    if x.size < CLIP_FROM and type(x) is ndarray:
        return maximum(x, ZERO[x.dtype])
    if x.dtype.kind != "f":
        return array_module(x).maximum(x, x.dtype.type(0))
    return array_module(x).clip(x, 0, np.inf)


def relu_gradient(g: Any, y: Any) -> Any:
    """The gradient of `relu`, from its result.

    Math: gx = g where y > 0, else 0
    Shape: (*), (*) -> (*)

    Example:
        >>> relu_gradient(np.array([1.0, 2.0]), np.array([0.0, 3.0]))
        array([0., 2.])
    """
    if type(g) is not ndarray or type(y) is not ndarray or g.size > SMALL:
        return masked(g, y > 0)
    gx = g.copy()
    zero = ZERO[y.dtype]
    np.putmask(gx, y <= zero, zero)
    return gx


@cache
def _bits(dtype: Any) -> Any:
    return np.dtype(f"u{dtype.itemsize}")
