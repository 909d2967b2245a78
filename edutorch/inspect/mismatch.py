"""Data classes for a failed op and the mismatch between its operands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = ["FailedCall", "Operand", "Mismatch"]


@dataclass
class Operand:
    """A tensor passed to an op; `role` is the name of the parameter."""

    role: str
    shape: tuple[int, ...]
    dtype: str
    device: str


@dataclass
class Mismatch:
    """The disagreement between operands.

    Attributes:
        marked: dimensions by the operand's position, counted from the first.
        wrong: what else is wrong ("dtype", "device"), by the operand's position.
        rule: what must hold, in words.
        right: whether dimensions are compared from the last on.
    """

    marked: dict[int, set[int]] = field(default_factory=dict)
    wrong: dict[int, str] = field(default_factory=dict)
    rule: str = ""
    right: bool = False

    def mark(self, i: int, *dims: int) -> None:
        """Mark dimensions of an operand."""
        self.marked.setdefault(i, set()).update(dims)


@dataclass
class FailedCall:
    """A failed call of an op: its name, tensors, message and attributes."""

    op: str
    operands: list[Operand]
    message: str
    attributes: dict[str, Any]

    def find(self, *roles: str) -> int | None:
        """The index of the first operand with one of these roles."""
        found = (i for i, o in enumerate(self.operands) if o.role in roles)
        return next(found, None)

    def shape(self, i: int) -> tuple[int, ...]:
        """The shape of an operand."""
        return self.operands[i].shape
