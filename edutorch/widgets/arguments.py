"""Checks of what views are given: most of them need no model."""

from __future__ import annotations

from types import NoneType
from typing import Any

from ..nn import Module

__all__ = ["check_argument"]


def check_argument(view: str, name: str, value: Any, *kinds: type) -> None:
    """Refuse an argument of another type.

    Args:
        view: the view's name.
        name: the argument's name.
        value: what was given.
        kinds: the types that are accepted.

    Raises:
        TypeError: if it has none of them.

    Example:
        >>> check_argument("Timeline", "steps", "all", int)
        Traceback (most recent call last):
        TypeError: Timeline(): steps should be int, got str
    """
    if isinstance(value, kinds):
        return
    names = [kind.__name__ for kind in kinds if kind is not NoneType]
    words = f"{view}(): {name} should be {' or '.join(names)}"
    hint = f"\n  Hint: it watches every model; {view}() needs none"
    more = hint if isinstance(value, Module) and Module not in kinds else ""
    raise TypeError(f"{words}, got {type(value).__name__}{more}")
