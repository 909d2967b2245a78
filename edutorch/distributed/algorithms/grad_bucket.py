"""GradBucket: gradients that are sent together, as communication hooks see them."""

from __future__ import annotations

from ...tensor.tensor import Tensor

__all__ = ["GradBucket", "StepCounter"]


class GradBucket:
    """Some gradients of `DistributedDataParallel` in one flat tensor.

    Args:
        index: its number; the gradients that are ready first are in bucket 0.
        buffer: the gradients, one after the other.
        parameters: the parameters that the gradients belong to.
        last: whether it is the last one of this backward.

    Example:
        >>> import edutorch as torch
        >>> w = torch.nn.Parameter(torch.zeros(2, 2))
        >>> bucket = torch.distributed.GradBucket(0, torch.arange(4.0), [w], True)
        >>> bucket.gradients()[0]
        tensor([[0., 1.],
                [2., 3.]])
    """

    def __init__(
        self, index: int, buffer: Tensor, parameters: list[Tensor], last: bool
    ) -> None:
        self._index, self._buffer = index, buffer
        self._parameters, self._last = parameters, last

    def index(self) -> int:
        """The bucket's number."""
        return self._index

    def buffer(self) -> Tensor:
        """All gradients in one flat tensor."""
        return self._buffer

    def set_buffer(self, buffer: Tensor) -> None:
        """Replace the flat tensor."""
        self._buffer = buffer

    def gradients(self) -> list[Tensor]:
        """Views of the buffer, in the shapes of the parameters."""
        found, start = [], 0
        for p in self._parameters:
            found.append(self._buffer[start : start + p.numel()].view(p.shape))
            start += p.numel()
        return found

    def parameters(self) -> list[Tensor]:
        """The parameters, in the order of their gradients."""
        return list(self._parameters)

    def is_last(self) -> bool:
        """Whether this is the last bucket of the backward pass."""
        return self._last


class StepCounter:
    """Base class of the states of communication hooks: counts training steps.

    Attributes:
        iter: the number of steps so far.

    Example:
        >>> counter = StepCounter()
        >>> counter.maybe_increase_iter(GradBucket(0, None, [], last=True))
        >>> counter.iter
        1
    """

    iter = 0

    def maybe_increase_iter(self, bucket: GradBucket) -> None:
        """Count a step at its last bucket."""
        if bucket.is_last():
            self.iter += 1
