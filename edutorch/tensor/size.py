"""Size: the shape of a tensor."""

from __future__ import annotations

import math
from typing import Any

__all__ = ["Size"]


class Size(tuple[int, ...]):
    """A tuple of ints that counts elements and prints like PyTorch's.

    Example:
        >>> import edutorch as torch
        >>> torch.zeros(2, 3).shape, torch.zeros(2, 3).shape.numel()
        (torch.Size([2, 3]), 6)
    """

    __slots__ = ()

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Any:
        return Size(super().__add__(tuple(other)))

    def __radd__(self, other: Any) -> Any:
        return Size(tuple(other).__add__(tuple(self)))

    def __mul__(self, count: Any) -> Any:
        return Size(super().__mul__(count))

    __rmul__ = __mul__

    def __reduce__(self) -> Any:
        return Size, (tuple(self),)
