"""Named results of ops with several outputs, printed as in PyTorch."""

from __future__ import annotations

import functools
from collections import namedtuple
from typing import Any

__all__ = ["RETURN_TYPES", "out_type", "rebuilt", "return_type"]

RETURN_TYPES: dict[str, Any] = {}  # by name


def return_type(name: str, *fields: str) -> Any:
    """A named tuple class with the name `torch.return_types.<name>`.

    Example:
        >>> return_type("max", "values", "indices")(3, 1)
        torch.return_types.max(
        values=3,
        indices=1)
    """
    make: Any = namedtuple  # noqa: PYI024  # its fields come as arguments
    kind = make(name, fields)
    kind.__module__ = "torch.return_types"
    kind.__doc__ = f"The result of `{name}`: {', '.join(fields)}."
    kind.__repr__ = _repr
    kind.__reduce__ = _reduce
    RETURN_TYPES[name] = kind
    return kind


def _reduce(self: Any) -> Any:
    return rebuilt, (type(self).__name__, tuple(self))


def rebuilt(name: str, values: Any, _rest: Any = None) -> Any:
    """Rebuild a pickled result by its name."""
    return RETURN_TYPES[name]._make(values)


@functools.cache
def out_type(kind: Any) -> Any:
    """The class of results written to `out=`, which has a name of its own.

    Example:
        >>> out_type(return_type("max", "values", "indices")).__name__
        'max_out'
    """
    return return_type(f"{kind.__name__}_out", *kind._fields)


def _repr(self: Any) -> str:
    lines = (f"{f}={getattr(self, f)!r}" for f in self._fields)
    return f"torch.return_types.{type(self).__name__}(\n" + ",\n".join(lines) + ")"
