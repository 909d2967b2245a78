"""The layout of the components of a nested tensor in one dense tensor."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..ops import cat
from ..tensor.size import size_of
from ..tensor.tensor import Tensor

__all__ = ["Irregular", "Jagged", "Strided", "ragged_size"]

_numbers = itertools.count(1)


class Irregular:
    """A size that is another one for every part; equal only to itself.

    Example:
        >>> from edutorch.nested.layouts import Irregular
        >>> size = Irregular("j7")
        >>> size, 3 * size, size == size, size == 3
        (j7, 3*j7, True, False)
    """

    def __init__(self, name: str = "") -> None:
        self.name = name or f"j{next(_numbers)}"

    def __repr__(self) -> str:
        return self.name

    def __mul__(self, factor: int) -> Irregular:
        return Irregular(f"{factor}*{self.name}")

    __rmul__ = __mul__

    def __ge__(self, other: Any) -> bool:
        return bool(other <= 2)  # as PyTorch takes a size that is not known

    def __gt__(self, other: Any) -> bool:
        return bool(other < 2)


_known: dict[int, tuple[Tensor, Irregular]] = {}


def ragged_size(offsets: Tensor) -> Irregular:
    """The size that belongs to these offsets: the same object, the same size."""
    cached = _known.get(id(offsets))
    if cached is None or cached[0] is not offsets:
        if len(_known) > 1000:
            _known.clear()
        cached = _known[id(offsets)] = offsets, Irregular()
    return cached[1]


@dataclass(frozen=True)
class Strided:
    """Parts of any shapes with as many dimensions each, one after the other."""

    shapes: tuple[tuple[int, ...], ...]

    @property
    def ndim(self) -> int:
        """The dimensions, that of the parts counted."""
        return 1 + (len(self.shapes[0]) if self.shapes else 0)

    @property
    def batch(self) -> int:
        """The number of parts."""
        return len(self.shapes)

    def parts(self, values: Tensor) -> list[Tensor]:
        """The parts, as views of the flat values."""
        sizes = [math.prod(s) for s in self.shapes]
        pieces = values.split(sizes) if sizes else []
        return [v.view(s) for v, s in zip(pieces, self.shapes, strict=True)]

    def joined(self, parts: Sequence[Tensor]) -> tuple[Tensor, Strided]:
        """Values and structure of other parts."""
        shapes = tuple(tuple(p.shape) for p in parts)
        return cat([p.reshape(-1) for p in parts]), Strided(shapes)

    def size(self, dim: int) -> int:
        """A size that all parts have."""
        if dim == 0:
            return self.batch
        found = {s[dim - 1] for s in self.shapes}
        if len(found) != 1:
            raise RuntimeError(
                f"Given dimension {dim} is irregular and does not have a size."
            )
        return found.pop()


@dataclass(frozen=True)
class Jagged:
    """Parts that differ in one dimension, side by side along it.

    Attributes:
        offsets: where each part begins, and the end of the last one.
        lengths: how long the parts are, if there are holes between them.
        ragged: the dimension in which parts differ.
    """

    offsets: Tensor
    lengths: Tensor | None = None
    ragged: int = 1

    @property
    def batch(self) -> int:
        """The number of parts."""
        return int(self.offsets.shape[0]) - 1

    @property
    def symbol(self) -> Irregular:
        """The size of the dimension in which parts differ."""
        return ragged_size(self.offsets)

    def spans(self) -> list[tuple[int, int]]:
        """Begin and length of each part."""
        begins = self.offsets.tolist()
        if self.lengths is not None:
            return list(zip(begins, self.lengths.tolist(), strict=False))
        return [(a, b - a) for a, b in itertools.pairwise(begins)]

    def parts(self, values: Tensor) -> list[Tensor]:
        """The parts, as views of the values."""
        axis = self.ragged - 1
        return [values.narrow(axis, start, size) for start, size in self.spans()]

    def joined(self, parts: Sequence[Tensor]) -> tuple[Tensor, Jagged]:
        """Values and structure of parts as long as these."""
        made = self
        if self.lengths is not None:
            ends = self.lengths.cumsum(0)
            made = replace(self, offsets=cat([ends.new_zeros(1), ends]), lengths=None)
        return cat(list(parts), self.ragged - 1), made

    def shape(self, values: Any) -> Any:
        """The shape, with a name for the size that differs."""
        sizes: list[Any] = [self.batch, *values.shape]
        sizes[self.ragged] = self.symbol
        return size_of(sizes)

    def text(self, values: Any) -> str:
        """The shape as messages show it."""
        return f"({', '.join(map(str, self.shape(values)))})"
