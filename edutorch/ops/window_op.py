"""What ops on windows share, whether they pool them or make them columns."""

from __future__ import annotations

from ..autograd.dispatch import Op

__all__ = ["Numbers", "WindowOp"]

Numbers = tuple[int, ...]


class WindowOp(Op):
    """An op on windows of images: how they lie."""

    saves = ()

    def __init__(
        self, kernel: Numbers, stride: Numbers, padding: Numbers, dilation: Numbers
    ) -> None:
        self.kernel, self.stride = kernel, stride
        self.padding, self.dilation = padding, dilation

    @property
    def params(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """What the kernels want to know."""
        return self.kernel, self.stride, self.padding, self.dilation
