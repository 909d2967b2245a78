"""Which library an array belongs to: NumPy, CuPy, or the meta device's."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .meta import META, MetaArray

__all__ = ["array_module"]


def array_module(x: Any) -> Any:
    """The library that made `x`: CuPy for an array on a GPU, else NumPy.

    Sparse arrays and numbers are NumPy's; arrays on the meta device have a module of
    their own, which computes shapes and dtypes only.

    Example:
        >>> array_module(np.zeros(3)).__name__
        'numpy'
    """
    kind = type(x)
    if kind is np.ndarray:
        return np
    if kind is MetaArray:
        return META.xp
    if kind.__module__.partition(".")[0] == "cupy":
        return sys.modules["cupy"]
    return np
