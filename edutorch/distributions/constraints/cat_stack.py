"""Constraints of the pieces of a tensor."""

from __future__ import annotations

from typing import Any

from ...ops import cat, stack
from ...tensor.tensor import Tensor
from .base import Constraint, need

__all__: list[str] = []


class _Pieces(Constraint):
    """A constraint for each piece of a tensor along a dimension."""

    def __init__(self, cseq: Any, dim: int = 0) -> None:
        need(
            all(isinstance(c, Constraint) for c in cseq),
            "All elements of cseq must be Constraint instances",
        )
        self.cseq, self.dim = list(cseq), dim

    @property
    def is_discrete(self) -> Any:
        """Whether any of them is a set of separate values."""
        return any(c.is_discrete for c in self.cseq)

    @property
    def event_dim(self) -> Any:
        """The number of last dimensions that make up one value."""
        return max(c.event_dim for c in self.cseq)

    def _need_dim(self, value: Tensor) -> None:
        need(
            -value.ndim <= self.dim < value.ndim,
            f"dim {self.dim} out of range for value with {value.ndim} dimensions",
        )


class _Cat(_Pieces):
    """Pieces that lie side by side along a dimension."""

    def __init__(self, cseq: Any, dim: int = 0, lengths: Any = None) -> None:
        super().__init__(cseq, dim)
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        need(
            len(self.lengths) == len(self.cseq),
            f"lengths ({len(self.lengths)}) must match cseq ({len(self.cseq)})",
        )

    def check(self, value: Tensor) -> Tensor:
        self._need_dim(value)
        found, start = [], 0
        for constraint, length in zip(self.cseq, self.lengths, strict=True):
            found.append(constraint.check(value.narrow(self.dim, start, length)))
            start += length
        return cat(found, self.dim)


class _Stack(_Pieces):
    """Pieces that are the entries of a dimension."""

    @property
    def event_dim(self) -> Any:
        """The number of last dimensions that make up one value."""
        inside: int = super().event_dim
        return inside + 1 if self.dim + inside < 0 else inside

    def check(self, value: Tensor) -> Tensor:
        self._need_dim(value)
        pieces = zip(self.cseq, value.unbind(self.dim), strict=False)
        return stack([c.check(v) for c, v in pieces], self.dim)
