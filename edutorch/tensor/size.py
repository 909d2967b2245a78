"""Size: the shape of a tensor."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

__all__ = ["Size"]


class Size(tuple[int, ...]):
    """A tuple of ints that counts elements and prints like PyTorch's.

    Raises:
        TypeError: for arguments that are not integers.

    Example:
        >>> import edutorch as torch
        >>> torch.zeros(2, 3).shape, torch.zeros(2, 3).shape.numel()
        (torch.Size([2, 3]), 6)
    """

    __slots__ = ()

    def __new__(cls, sizes: Iterable[Any] = (), /) -> Size:
        """Check sizes that come from outside; those of tensors skip this."""
        return size_of([_as_size(n, i) for i, n in enumerate(sizes)])

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return size_of(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            raise TypeError(
                f"can only concatenate tuple (not {type(other).__name__}) to torch.Size"
            )
        return Size(super().__add__(other))

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            return NotImplemented
        return Size(tuple(other) + tuple(self))

    def __mul__(self, count: Any) -> Any:
        if not hasattr(count, "__index__"):
            raise TypeError(
                f"can't multiply sequence by non-int of type '{type(count).__name__}'"
            )
        return size_of(super().__mul__(count))

    __rmul__ = __mul__

    def __reduce__(self) -> Any:
        return Size, (tuple(self),)


def size_of(shape: Iterable[int]) -> Size:
    """A Size of known integers, such as a NumPy shape."""
    return tuple.__new__(Size, shape)


def _as_size(value: Any, place: int) -> int:
    if isinstance(value, int):
        return int(value)
    if hasattr(value, "__index__") and not isinstance(value, str):
        try:
            return int(value.__index__())
        except TypeError:
            pass
    raise TypeError(
        f"torch.Size() takes an iterable of 'int' (item {place} is "
        f"'{type(value).__name__}')"
    )
