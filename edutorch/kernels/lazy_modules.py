"""Optional libraries loaded on first use, and the array module of an array.

`import edutorch` must stay fast, so nothing here imports anything heavy until a
kernel really needs it.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import Any

import numpy as np

from edutorch.backends.meta import META, MetaArray

__all__ = ["LazyModule", "array_module", "scipy_special", "special"]


class LazyModule:
    """Stands for a module that is imported when its first attribute is asked for.

    Example:
        >>> from edutorch.kernels.lazy_modules import LazyModule
        >>> fractions = LazyModule("fractions")
        >>> fractions.Fraction(1, 2) + 1
        Fraction(3, 2)
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("__"):  # asked by tools that look at every object
            raise AttributeError(attribute)
        value = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, value)  # the next lookup does not come here
        return value

    def __repr__(self) -> str:
        state = "loaded" if self._name in sys.modules else "not loaded"
        return f"<LazyModule {self._name} ({state})>"


scipy_special = LazyModule("scipy.special")
_cupy_special = LazyModule("cupyx.scipy.special")


def array_module(x: Any) -> ModuleType:
    """The library that made `x`: NumPy, or CuPy for an array on a GPU.

    Example:
        >>> import numpy as np
        >>> from edutorch.kernels.lazy_modules import array_module
        >>> array_module(np.zeros(3)).__name__
        'numpy'
    """
    kind = type(x)
    if kind is np.ndarray:
        return np
    if kind is MetaArray:
        return META.xp  # type: ignore[no-any-return]  # stands for a module
    library = kind.__module__.partition(".")[0]
    if library == "edutorch":  # a sparse array, made of NumPy's
        return np
    return sys.modules.get(library, np)


def special(x: Any) -> LazyModule:
    """The special functions for an array: SciPy's, or CuPy's on a GPU.

    Example:
        >>> import numpy as np
        >>> from edutorch.kernels.lazy_modules import special
        >>> special(np.zeros(1)).erf(0.0).item()
        0.0
    """
    return scipy_special if isinstance(x, np.ndarray) else _cupy_special
