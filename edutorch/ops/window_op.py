"""The base class of ops on sliding windows: pooling, unfold and fold."""

from __future__ import annotations

from ..autograd.dispatch import Op

__all__ = ["Numbers", "WindowOp"]

Numbers = tuple[int, ...]


class WindowOp(Op):
    """An op on sliding windows, with the window parameters."""

    saves = ()

    def __init__(
        self, kernel: Numbers, stride: Numbers, padding: Numbers, dilation: Numbers
    ) -> None:
        self.kernel, self.stride = kernel, stride
        self.padding, self.dilation = padding, dilation

    @property
    def params(self) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """The parameters passed to the kernels."""
        return self.kernel, self.stride, self.padding, self.dilation
