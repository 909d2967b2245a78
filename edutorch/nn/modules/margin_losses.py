"""Margin losses: right answers must score higher than wrong ones by a margin."""

from __future__ import annotations

from collections.abc import Callable

from ...tensor.tensor import Tensor
from .. import functional as F
from .distance import PairwiseDistance
from .loss_base import _Loss, _WeightedLoss

__all__ = [
    "CosineEmbeddingLoss", "HingeEmbeddingLoss", "MarginRankingLoss",
    "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss",
    "SoftMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss",
]  # fmt: skip


class SoftMarginLoss(_Loss):
    """The logistic loss of labels 1 and -1.

    Math: mean log(1 + exp(-y · x))      ∂L/∂x = −g · y · σ(−y · x) / n
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Example:
        >>> import edutorch as torch
        >>> torch.nn.SoftMarginLoss()(torch.zeros(2, 2), torch.ones(2, 2))
        tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    """Distances should be small for label 1, and exceed a margin for label -1.

    Math: mean of x where y = 1, max(0, margin - x) where y = -1
          ∂L/∂x = g / n where y = 1, −g / n where y = -1 and x <= margin
    Shape: (*), (*) -> (), or (*) with reduction "none"
    Reference: Hadsell, Chopra and LeCun, 2006.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.HingeEmbeddingLoss()(torch.zeros(2, 2), torch.ones(2, 2))
        tensor(0.)
    """

    def __init__(
        self, margin: float = 1.0, size_average: bool | None = None,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.hinge_embedding_loss(
            input, target, margin=self.margin, reduction=self.reduction
        )


class MarginRankingLoss(_Loss):
    """One input should exceed the other by a margin.

    Math: mean max(0, -y · (x₁ - x₂) + margin)
          ∂L/∂x₁ = −∂L/∂x₂ = −g · y / n where the term is not cut off at 0
    Shape: (*), (*), (*) -> (), or (*) with reduction "none"

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MarginRankingLoss()(torch.ones(2), torch.zeros(2), torch.ones(2))
        tensor(0.)
    """

    def __init__(
        self, margin: float = 0.0, size_average: bool | None = None,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.margin_ranking_loss(
            input1, input2, target, margin=self.margin, reduction=self.reduction
        )


class CosineEmbeddingLoss(_Loss):
    """Vectors should be similar for label 1, and dissimilar for label -1.

    Math: mean of 1 - cos(x₁, x₂) where y = 1, max(0, cos(x₁, x₂) - margin) where y = -1
          ∂L/∂x₁ = −g · y / n · ∂cos/∂x₁ where the term is not cut off at 0
    Shape: (N, D), (N, D), (N) -> (), or (N) with reduction "none"; N may be absent

    Example:
        >>> import edutorch as torch
        >>> a = torch.ones(1, 3)
        >>> torch.nn.CosineEmbeddingLoss()(a, a, torch.ones(1)).abs() < 1e-6
        tensor(True)
    """

    def __init__(
        self, margin: float = 0.0, size_average: bool | None = None,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.margin = margin

    def forward(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.cosine_embedding_loss(
            input1, input2, target, margin=self.margin, reduction=self.reduction
        )


class MultiMarginLoss(_WeightedLoss):
    """The score of the true class should exceed every other one by a margin.

    Math: mean of Σ_(i ≠ y) w[y] · m_i^p / C where m_i = margin - x[y] + x[i] > 0
          ∂L/∂x[i] = g · w[y] · p · m_i^(p-1) / C / N      ∂L/∂x[y] = −Σ_i ∂L/∂x[i]
    Shape: (N, C), (N) -> (), or (N) with reduction "none"; N may be absent
    Reference: Crammer and Singer, 2001.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MultiMarginLoss()(torch.zeros(1, 2), torch.tensor([1]))
        tensor(0.5000)
    """

    def __init__(
        self, p: int = 1, margin: float = 1.0, weight: Tensor | None = None,
        size_average: bool | None = None, reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        if p not in (1, 2):
            raise ValueError("only p == 1 and p == 2 supported")
        if weight is not None and weight.dim() != 1:
            raise ValueError(
                f"MultiMarginLoss: expected weight to be None or 1D tensor, got "
                f"{weight.dim()}D instead"
            )
        self.p, self.margin = p, margin

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.multi_margin_loss(
            input, target, p=self.p, margin=self.margin, weight=self.weight,
            reduction=self.reduction,
        )  # fmt: skip


class MultiLabelMarginLoss(_Loss):
    """The score of every true class should exceed every other one by a margin.

    Math: mean of Σ_j Σ_i max(0, 1 - (x[y_j] - x[i])) / C, i not among the y_j
          for each term above 0: ∂L/∂x[i] += g / (C · N), ∂L/∂x[y_j] −= g / (C · N)
    Shape: (N, C), (N, C) -> (), or (N) with reduction "none"; N may be absent

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MultiLabelMarginLoss()(torch.zeros(1, 2), torch.tensor([[1, -1]]))
        tensor(0.5000)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """The mean binary cross entropy over classes.

    Math: -mean over C of y · log σ(x) + (1 - y) · log σ(-x)
          ∂L/∂x = g · w · (σ(x) - y) / (C · N)
    Shape: (N, C), (N, C) -> (), or (N) with reduction "none"

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MultiLabelSoftMarginLoss()(torch.zeros(2, 2), torch.ones(2, 2))
        tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.multilabel_soft_margin_loss(
            input, target, weight=self.weight, reduction=self.reduction
        )


class TripletMarginLoss(_Loss):
    """An anchor should be closer to the positive than to the negative, by a margin.

    Math: mean max(0, d(a, p) - d(a, n) + margin), d the p-norm distance
          ∂L/∂a = g / n · (∂d(a, p)/∂a - ∂d(a, n)/∂a) where the term is not cut off at 0
    Shape: (N, D) three times -> (), or (N) with reduction "none"; N may be absent
    Reference: Balntas, Riba, Ponsa and Mikolajczyk, 2016.

    Example:
        >>> import edutorch as torch
        >>> a, n = torch.zeros(1, 2), torch.ones(1, 2) * 9
        >>> torch.nn.TripletMarginLoss()(a, a, n)
        tensor(0.)
    """

    def __init__(
        self, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6,
        swap: bool = False, size_average: bool | None = None,
        reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ValueError(
                "TripletMarginLoss: expected margin to be greater than 0, got "
                f"{margin} instead"
            )
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """The loss."""
        return F.triplet_margin_loss(
            anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps,
            swap=self.swap, reduction=self.reduction,
        )  # fmt: skip


class TripletMarginWithDistanceLoss(_Loss):
    """`TripletMarginLoss` with a custom distance.

    Math: mean max(0, d(a, p) - d(a, n) + margin)
          ∂L/∂a = g / n · (∂d(a, p)/∂a - ∂d(a, n)/∂a) where the term is not cut off at 0
    Shape: (N, *) three times -> (), or (N) with reduction "none"

    Example:
        >>> import edutorch as torch
        >>> a, n = torch.zeros(1, 2), torch.ones(1, 2) * 9
        >>> torch.nn.TripletMarginWithDistanceLoss()(a, a, n)
        tensor(0.)
    """

    def __init__(
        self, *, distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
        margin: float = 1.0, swap: bool = False, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(reduction=reduction)
        if margin <= 0:
            raise ValueError(
                "TripletMarginWithDistanceLoss: expected margin to be greater than 0, "
                f"got {margin} instead"
            )
        self.distance_function = distance_function or PairwiseDistance()
        self.margin, self.swap = margin, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """The loss."""
        return F.triplet_margin_with_distance_loss(
            anchor, positive, negative, distance_function=self.distance_function,
            margin=self.margin, swap=self.swap, reduction=self.reduction,
        )  # fmt: skip
