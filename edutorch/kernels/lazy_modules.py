"""Optional libraries loaded on first use.

`import edutorch` must stay fast, so slow imports are deferred until a kernel needs
them.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

import numpy as np

from ..backends.array_modules import on_gpu

__all__ = ["LazyModule", "scipy_special", "special_module"]


class LazyModule:
    """A placeholder for a module, imported at the first attribute access.

    Example:
        >>> from edutorch.kernels.lazy_modules import LazyModule
        >>> fractions = LazyModule("fractions")
        >>> fractions.Fraction(1, 2) + 1
        Fraction(3, 2)
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):  # looked up by tools that inspect every object
            raise AttributeError(attribute)
        value = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, value)  # so that the next lookup finds it directly
        return value

    def __repr__(self) -> str:
        state = "loaded" if self._name in sys.modules else "not loaded"
        return f"<LazyModule {self._name} ({state})>"


scipy_special = LazyModule("scipy.special")
_cupy_special = LazyModule("cupyx.scipy.special")


def special_module(x: Any) -> LazyModule:
    """The special functions for an array: SciPy's, or CuPy's on a GPU.

    Example:
        >>> import numpy as np
        >>> from edutorch.kernels.lazy_modules import special_module
        >>> special_module(np.zeros(1)).erf(0.0).item()
        0.0
    """
    if isinstance(x, np.ndarray) or not on_gpu(x):
        return scipy_special
    return _cupy_special
