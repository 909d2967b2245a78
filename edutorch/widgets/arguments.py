"""Checks of what views are given: most of them need no model."""

from __future__ import annotations

from numbers import Integral, Real
from types import NoneType
from typing import Any, Final

import numpy as np

from ..nn import Module

__all__ = ["check_argument"]

# NumPy's numbers are accepted, too.
ACCEPTED: Final[dict[type, Any]] = {int: Integral, float: Real, bool: (bool, np.bool_)}


def check_argument(
    view: str, name: str, value: Any, *kinds: type, of_models: bool = True
) -> None:
    """Refuse an argument of another type.

    Args:
        view: the view's name.
        name: the argument's name.
        value: what was given.
        kinds: the types that are accepted.
        of_models: whether the view watches what models compute.

    Raises:
        TypeError: if it has none of them.

    Example:
        >>> check_argument("Timeline", "steps", "all", int)
        Traceback (most recent call last):
        TypeError: Timeline(): steps should be int, got str
    """
    if any(isinstance(value, ACCEPTED.get(kind, kind)) for kind in kinds):
        return
    names = [kind.__name__ for kind in kinds if kind is not NoneType]
    words = f"{view}(): {name} should be {' or '.join(names)}"
    hint = f"\n  Hint: it watches every model; {view}() needs none"
    misled = of_models and isinstance(value, Module) and Module not in kinds
    more = hint if misled else ""
    raise TypeError(f"{words}, got {type(value).__name__}{more}")
