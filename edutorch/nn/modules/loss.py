"""Losses, as layers. `reduction` is "mean", "sum" or "none"."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from ..module import Module

__all__ = [
    "BCELoss",
    "BCEWithLogitsLoss",
    "CTCLoss",
    "CosineEmbeddingLoss",
    "CrossEntropyLoss",
    "GaussianNLLLoss",
    "HingeEmbeddingLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "MSELoss",
    "MarginRankingLoss",
    "MultiLabelMarginLoss",
    "MultiLabelSoftMarginLoss",
    "MultiMarginLoss",
    "NLLLoss",
    "NLLLoss2d",
    "PoissonNLLLoss",
    "SmoothL1Loss",
    "SoftMarginLoss",
    "TripletMarginLoss",
    "TripletMarginWithDistanceLoss",
]


def _reduction(size_average: Any, reduce: Any, reduction: str) -> str:
    """The two old switches, where given, in the words of the new one."""
    if size_average is None and reduce is None:
        return reduction
    if reduce is False:
        return "none"
    return "sum" if size_average is False else "mean"


class _Loss(Module):
    """A loss with a reduction.

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
        self.reduction = _reduction(size_average, reduce, reduction)


class _WeightedLoss(_Loss):
    """A loss with a weight for each class or element, kept as a buffer."""

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None,
        reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.weight: Tensor | None


class L1Loss(_Loss):
    """`L1Loss`, as a layer.

    Math: mean |x - y|

    Example:
        >>> import edutorch as torch
        >>> torch.nn.L1Loss()(torch.zeros(2), torch.ones(2)).shape
        torch.Size([])
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Loss):
    """`MSELoss`, as a layer.

    Math: mean (x - y)²

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MSELoss()(torch.zeros(2, 2), torch.ones(2, 2)).shape
        torch.Size([])
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """`SmoothL1Loss`, as a layer.

    Math: mean of ½ d²/beta where d = |x - y| < beta, else d - ½ beta

    Example:
        >>> import edutorch as torch
        >>> torch.nn.SmoothL1Loss()(torch.zeros(2, 2), torch.ones(2, 2)).shape
        torch.Size([])
    """

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None,
        reduction: str = "mean", beta: float = 1.0,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """`HuberLoss`, as a layer.

    Math: mean of ½ d² where d = |x - y| <= delta, else delta · (d - ½ delta)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.HuberLoss()(torch.zeros(2, 2), torch.ones(2, 2)).shape
        torch.Size([])
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class KLDivLoss(_Loss):
    """`KLDivLoss`, as a layer.

    Math: mean of y · (log y - x), x being log-probabilities

    Example:
        >>> import edutorch as torch
        >>> torch.nn.KLDivLoss()(torch.zeros(2, 2), torch.ones(2, 2)).shape
        torch.Size([])
    """

    def __init__(
        self, size_average: bool | None = None, reduce: bool | None = None,
        reduction: str = "mean", log_target: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.kl_div(
            input, target, reduction=self.reduction, log_target=self.log_target
        )


class SoftMarginLoss(_Loss):
    """`SoftMarginLoss`, as a layer.

    Math: mean log(1 + exp(-y · x))

    Example:
        >>> import edutorch as torch
        >>> torch.nn.SoftMarginLoss()(torch.zeros(2, 2), torch.ones(2, 2)).shape
        torch.Size([])
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.soft_margin_loss(input, target, reduction=self.reduction)


class HingeEmbeddingLoss(_Loss):
    """`HingeEmbeddingLoss`, as a layer.

    Math: mean of x where y = 1, max(0, margin - x) where y = -1

    Example:
        >>> import edutorch as torch
        >>> torch.nn.HingeEmbeddingLoss()(torch.zeros(2, 2), torch.ones(2, 2)).shape
        torch.Size([])
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


class MultiLabelMarginLoss(_Loss):
    """`MultiLabelMarginLoss`, as a layer.

    Math: mean over i, j of max(0, 1 - (x[y_j] - x[i])) / C

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MultiLabelMarginLoss()(torch.zeros(1, 2), torch.tensor([[1, -1]])).shape
        torch.Size([])
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.multilabel_margin_loss(input, target, reduction=self.reduction)


class BCELoss(_WeightedLoss):
    """`BCELoss`, as a layer.

    Math: -mean w · (y · log x + (1 - y) · log(1 - x))

    Example:
        >>> import edutorch as torch
        >>> torch.nn.BCELoss()(torch.full((2,), 0.5), torch.ones(2)).shape
        torch.Size([])
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.binary_cross_entropy(
            input, target, weight=self.weight, reduction=self.reduction
        )


class NLLLoss(_WeightedLoss):
    """`NLLLoss`, as a layer.

    Math: -mean w[y] · x[y], x being log-probabilities

    Example:
        >>> import edutorch as torch
        >>> torch.nn.NLLLoss()(torch.zeros(1, 2), torch.tensor([1])).shape
        torch.Size([])
    """

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None,
        ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.nll_loss(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
        )


class CrossEntropyLoss(_WeightedLoss):
    """`CrossEntropyLoss`, as a layer.

    Math: -mean w[y] · log softmax(x)[y]

    Example:
        >>> import edutorch as torch
        >>> torch.nn.CrossEntropyLoss()(torch.zeros(1, 2), torch.tensor([1])).shape
        torch.Size([])
    """

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None,
        ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean", label_smoothing: float = 0.0,
    ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.cross_entropy(
            input,
            target,
            weight=self.weight,
            ignore_index=self.ignore_index,
            reduction=self.reduction,
            label_smoothing=self.label_smoothing,
        )


class MultiLabelSoftMarginLoss(_WeightedLoss):
    """`MultiLabelSoftMarginLoss`, as a layer.

    Math: -mean over C of y · log σ(x) + (1 - y) · log σ(-x)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MultiLabelSoftMarginLoss()(torch.zeros(2, 2), torch.ones(2, 2)).shape
        torch.Size([])
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.multilabel_soft_margin_loss(
            input, target, weight=self.weight, reduction=self.reduction
        )


NLLLoss2d = NLLLoss


class BCEWithLogitsLoss(_Loss):
    """`BCEWithLogitsLoss`, as a layer: cross entropy of a sigmoid, stable.

    Math: -mean w · (p · y · log σ(x) + (1 - y) · log(1 - σ(x))), p = pos_weight

    Example:
        >>> import edutorch as torch
        >>> torch.nn.BCEWithLogitsLoss()(torch.zeros(2), torch.ones(2))
        tensor(0.6931)
    """

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None,
        reduce: bool | None = None, reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.binary_cross_entropy_with_logits(
            input,
            target,
            self.weight,
            pos_weight=self.pos_weight,
            reduction=self.reduction,
        )


class PoissonNLLLoss(_Loss):
    """`PoissonNLLLoss`, as a layer.

    Math: mean of exp(x) - y · x (log_input), else x - y · log(x + eps)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.PoissonNLLLoss()(torch.zeros(2), torch.ones(2))
        tensor(1.)
    """

    def __init__(
        self, log_input: bool = True, full: bool = False,
        size_average: bool | None = None, eps: float = 1e-8, reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_input, self.full, self.eps = log_input, full, eps

    def forward(self, log_input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.poisson_nll_loss(
            log_input, target, log_input=self.log_input, full=self.full, eps=self.eps,
            reduction=self.reduction,
        )  # fmt: skip


class GaussianNLLLoss(_Loss):
    """`GaussianNLLLoss`, as a layer.

    Math: mean of ½ (log v + (x - y)² / v), v = max(var, eps)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.GaussianNLLLoss()(torch.zeros(2), torch.ones(2), torch.ones(2))
        tensor(0.5000)
    """

    def __init__(
        self, *, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
    ) -> None:
        super().__init__(reduction=reduction)
        self.full, self.eps = full, eps

    def forward(self, input: Tensor, target: Tensor, var: Tensor) -> Tensor:
        """The loss."""
        return F.gaussian_nll_loss(
            input, target, var, full=self.full, eps=self.eps, reduction=self.reduction
        )


class CosineEmbeddingLoss(_Loss):
    """`CosineEmbeddingLoss`, as a layer.

    Math: mean of 1 - cos(x₁, x₂) where y = 1, max(0, cos(x₁, x₂) - margin) where y = -1

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


class MarginRankingLoss(_Loss):
    """`MarginRankingLoss`, as a layer.

    Math: mean max(0, -y · (x₁ - x₂) + margin)

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


class MultiMarginLoss(_WeightedLoss):
    """`MultiMarginLoss`, as a layer.

    Math: mean over i ≠ y of max(0, margin - x[y] + x[i])^p / C

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


class TripletMarginLoss(_Loss):
    """`TripletMarginLoss`, as a layer.

    Math: mean max(0, d(a, p) - d(a, n) + margin), d the p-norm distance

    Example:
        >>> import edutorch as torch
        >>> a, n = torch.zeros(1, 2), torch.ones(1, 2) * 9
        >>> torch.nn.TripletMarginLoss()(a, a, n)
        tensor(0.)
    """

    def __init__(
        self, margin: float = 1.0, p: float = 2.0, eps: float = 1e-6, swap: bool = False,
        size_average: bool | None = None, reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        if margin <= 0:
            raise ValueError(
                f"TripletMarginLoss: expected margin to be greater than 0, got {margin} "
                "instead"
            )
        self.margin, self.p, self.eps, self.swap = margin, p, eps, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """The loss."""
        return F.triplet_margin_loss(
            anchor, positive, negative, margin=self.margin, p=self.p, eps=self.eps,
            swap=self.swap, reduction=self.reduction,
        )  # fmt: skip


class TripletMarginWithDistanceLoss(_Loss):
    """`TripletMarginLoss` with any distance.

    Math: mean max(0, d(a, p) - d(a, n) + margin)

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
        self.distance_function = distance_function
        self.margin, self.swap = margin, swap

    def forward(self, anchor: Tensor, positive: Tensor, negative: Tensor) -> Tensor:
        """The loss."""
        return F.triplet_margin_with_distance_loss(
            anchor, positive, negative, distance_function=self.distance_function,
            margin=self.margin, swap=self.swap, reduction=self.reduction,
        )  # fmt: skip


class CTCLoss(_Loss):
    """`CTCLoss`, as a layer: -log of the probability of all alignments of a label sequence.

    Reference: Graves et al., 2006.

    Example:
        >>> import edutorch as torch
        >>> x = torch.zeros(4, 1, 3).log_softmax(2)
        >>> torch.nn.CTCLoss()(x, torch.tensor([[1, 2]]), (4,), (2,)).shape
        torch.Size([])
    """

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction=reduction)
        self.blank, self.zero_infinity = blank, zero_infinity

    def forward(
        self,
        log_probs: Tensor,
        targets: Tensor,
        input_lengths: Any,
        target_lengths: Any,
    ) -> Tensor:
        """The loss."""
        return F.ctc_loss(
            log_probs, targets, input_lengths, target_lengths, self.blank, self.reduction,
            self.zero_infinity,
        )  # fmt: skip
