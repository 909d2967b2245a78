"""Base classes of losses: the reduction, and weights stored as a buffer."""

from __future__ import annotations

from ...ops.loss.reduction import legacy_reduction
from ...tensor.tensor import Tensor
from .module import Module

__all__ = ["_Loss", "_WeightedLoss"]


class _Loss(Module):
    """Base class of losses with a reduction.

    Args:
        size_average: old form; False means `reduction="sum"`.
        reduce: old form; False means `reduction="none"`.
        reduction: "mean", "sum" or "none".
    """

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__()
        self.reduction = legacy_reduction(size_average, reduce, reduction)


class _WeightedLoss(_Loss):
    """Base class of losses with a weight per class or element, stored as a buffer."""

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.weight: Tensor | None
