"""Qualified names of inherited methods, which appear in error messages.

Layers of one kind inherit `__init__` from a private class, and Module's methods come
from several classes. Python's messages about wrong arguments give the qualified name:
without these functions `ZeroPad2d(1, 2)` would read `_Pad.__init__()` in the error.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

__all__ = ["RequalifyInit", "requalify_init", "requalify_methods"]


def requalify_methods(cls: Any) -> Any:
    """Give the methods that a class inherits qualified names in that class.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.ReLU().apply()
        Traceback (most recent call last):
        TypeError: Module.apply() missing 1 required positional argument: 'fn'
    """
    for part in cls.__mro__[1:-1]:
        for f in vars(part).values():
            if isinstance(f, FunctionType):
                f.__qualname__ = f"{cls.__qualname__}.{f.__name__}"
    return cls


def requalify_init(cls: Any) -> Any:
    """Give a class a copy of its inherited `__init__`, named after the class.

    Example:
        >>> from edutorch.nn.qualnames import requalify_init
        >>> class _Base:
        ...     def __init__(self, size): self.size = size
        >>> requalify_init(type("Small", (_Base,), {}))()
        Traceback (most recent call last):
        TypeError: Small.__init__() missing 1 required positional argument: 'size'
    """
    f = cls.__init__
    own = FunctionType(
        f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__
    )
    own.__kwdefaults__ = f.__kwdefaults__
    own.__annotations__ = f.__annotations__
    own.__qualname__ = f"{cls.__qualname__}.__init__"
    own.__module__ = cls.__module__
    cls.__init__ = own
    return cls


class RequalifyInit:
    """Applies `requalify_init` to public subclasses of private classes."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        public = not cls.__name__.startswith("_")
        if public and cls.__init__.__qualname__.startswith("_"):
            requalify_init(cls)
