"""`FlatShard`: the part of a tensor that one of several ranks has."""

from __future__ import annotations

from collections.abc import Sequence

from ...autograd.modes import no_grad
from ...tensor.size import Size
from ...tensor.tensor import Tensor

__all__ = ["FlatShard"]


class FlatShard:
    """A range of the elements of a tensor, in the order of the flattened tensor.

    Args:
        local: the elements, as a tensor of one dimension.
        start: where they begin.
        shape: of the whole tensor.

    Raises:
        ValueError: for elements that are not within the tensor.

    Example:
        >>> import edutorch as torch
        >>> from edutorch.distributed.checkpoint import FlatShard
        >>> FlatShard(torch.ones(2), start=4, shape=(3, 2))  # the last row
        FlatShard(elements 4 to 6 of (3, 2), torch.float32)
    """

    def __init__(self, local: Tensor, start: int, shape: Sequence[int]) -> None:
        self.local, self.start, self.shape = local, start, Size(shape)
        if local.ndim != 1 or not 0 <= start <= self.end <= self.shape.numel():
            raise ValueError(
                f"a shard of shape {tuple(local.shape)} from element {start} is not "
                f"within a tensor of shape {tuple(shape)}"
            )

    @property
    def end(self) -> int:
        """The end of its elements (exclusive)."""
        return self.start + self.local.numel()

    def fill(self, start: int, values: Tensor) -> int:
        """Copy the elements that lie in this range; returns how many.

        Args:
            start: where `values` begin in the flattened tensor.
        """
        first, last = max(start, self.start), min(start + values.numel(), self.end)
        if first >= last:
            return 0
        with no_grad():
            self.local.detach()[first - self.start : last - self.start].copy_(
                values[first - start : last - start]
            )
        return last - first

    def __repr__(self) -> str:
        return (
            f"FlatShard(elements {self.start} to {self.end} of {tuple(self.shape)}, "
            f"{self.local.dtype})"
        )
