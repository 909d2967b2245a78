"""Inherited methods under the name of the class that a program knows.

Layers of one kind share the `__init__` of a class with a leading underscore, and Module
has its methods from several parts. Python's messages about wrong arguments name the
function: to a program that wrote `ZeroPad2d(1, 2)` it would say `_Pad.__init__()`.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

__all__ = ["OwnInit", "named_as_one", "own_init"]


def named_as_one(cls: Any) -> Any:
    """Name the methods that a class has from its parts after the class.

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


def own_init(cls: Any) -> Any:
    """Give a class the `__init__` that it inherits, under its own name.

    Example:
        >>> from edutorch.nn.own_init import own_init
        >>> class _Base:
        ...     def __init__(self, size): self.size = size
        >>> own_init(type("Small", (_Base,), {}))()
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


class OwnInit:
    """Makes public subclasses `own_init`, where theirs comes from a private class."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        public = not cls.__name__.startswith("_")
        if public and cls.__init__.__qualname__.startswith("_"):
            own_init(cls)
