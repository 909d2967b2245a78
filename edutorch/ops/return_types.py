"""Named results of ops that return several tensors, printed as PyTorch prints them."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

__all__ = ["return_type"]


def return_type(name: str, *fields: str) -> Any:
    """A named tuple class called `torch.return_types.<name>`.

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
    return kind


def _repr(self: Any) -> str:
    lines = (f"{f}={getattr(self, f)!r}" for f in self._fields)
    return f"torch.return_types.{type(self).__name__}(\n" + ",\n".join(lines) + ")"
