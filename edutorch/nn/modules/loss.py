"""Loss layers. `reduction` is "mean", "sum" or "none".

As in PyTorch, this file also has the losses with margins.
"""

from __future__ import annotations

import warnings
from typing import Any

from ...tensor.tensor import Tensor
from .. import functional as F
from . import margin_losses
from .loss_base import _Loss, _WeightedLoss
from .margin_losses import *

__all__ = [
    "BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CrossEntropyLoss",
    "GaussianNLLLoss", "HuberLoss", "KLDivLoss", "L1Loss", "MSELoss", "NLLLoss",
    "NLLLoss2d", "PoissonNLLLoss", "SmoothL1Loss", *margin_losses.__all__,
]  # fmt: skip


class L1Loss(_Loss):
    """The mean absolute error.

    Math: mean |x - y|      ∂L/∂x = g · sign(x - y) / n      ∂L/∂y = −∂L/∂x
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Example:
        >>> import edutorch as torch
        >>> torch.nn.L1Loss()(torch.zeros(2), torch.ones(2))
        tensor(1.)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.l1_loss(input, target, reduction=self.reduction)


class MSELoss(_Loss):
    """The mean squared error.

    Math: mean (x - y)²      ∂L/∂x = 2 g · (x - y) / n      ∂L/∂y = −∂L/∂x
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Example:
        >>> import edutorch as torch
        >>> torch.nn.MSELoss()(torch.zeros(2, 2), torch.ones(2, 2))
        tensor(1.)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.mse_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """Quadratic for errors below `beta`, linear for larger ones.

    Math: mean of ½ d²/beta where d = |x - y| < beta, else d - ½ beta
          ∂L/∂x = g · clamp((x - y) / beta, −1, 1) / n      ∂L/∂y = −∂L/∂x
    Shape: (*), (*) -> (), or (*) with reduction "none"
    Reference: Girshick, 2015.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.SmoothL1Loss()(torch.zeros(2, 2), torch.ones(2, 2))
        tensor(0.5000)
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
    """Quadratic for errors below `delta`, linear for larger ones.

    Math: mean of ½ d² where d = |x - y| <= delta, else delta · (d - ½ delta)
          ∂L/∂x = g · clamp(x - y, −delta, delta) / n      ∂L/∂y = −∂L/∂x
    Shape: (*), (*) -> (), or (*) with reduction "none"
    Reference: Huber, 1964.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.HuberLoss()(torch.zeros(2, 2), torch.ones(2, 2))
        tensor(0.5000)
    """

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        if not isinstance(delta, (float, int)):
            raise TypeError(f"delta must be a float or int, got: {type(delta)}")
        self.delta = delta

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence D(target ‖ input).

    Math: mean of y · (log y - x), x being log-probabilities
          ∂L/∂x = −g · y / n      ∂L/∂y = g · (log y + 1 - x) / n
    Shape: (*), (*) -> (), or (*) with reduction "none"
    Reference: Kullback and Leibler, 1951.

    Example:
        >>> import edutorch as torch
        >>> half = torch.tensor([[0.5, 0.5]])
        >>> loss = torch.nn.KLDivLoss(reduction="batchmean")
        >>> loss(half.log(), torch.tensor([[1.0, 0.0]]))
        tensor(0.6931)
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


class BCELoss(_WeightedLoss):
    """The binary cross entropy of probabilities.

    Math: -mean w · (y · log x + (1 - y) · log(1 - x))
          ∂L/∂x = g · w · (x - y) / (x · (1 - x)) / n
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Example:
        >>> import edutorch as torch
        >>> torch.nn.BCELoss()(torch.full((2,), 0.5), torch.ones(2))
        tensor(0.6931)
    """

    def forward(self, input: Tensor, target: Tensor) -> Tensor:
        """The loss."""
        return F.binary_cross_entropy(
            input, target, weight=self.weight, reduction=self.reduction
        )


class BCEWithLogitsLoss(_Loss):
    """The binary cross entropy of logits, computed without overflow.

    Math: -mean w · (p · y · log σ(x) + (1 - y) · log(1 - σ(x))), p = pos_weight
          ∂L/∂x = g · w · (σ(x) · (1 + (p - 1) · y) - p · y) / n
    Shape: (*), (*) -> (), or (*) with reduction "none"

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


class NLLLoss(_WeightedLoss):
    """The negative log-likelihood of the true classes.

    Math: -Σ w[y] · x[y] / Σ w[y], x being log-probabilities
          ∂L/∂x[y] = −g · w[y] / Σ w[y], 0 elsewhere
    Shape: (N, C, *S), (N, *S) -> (), or (N, *S) with reduction "none"; N may be absent

    Example:
        >>> import edutorch as torch
        >>> torch.nn.NLLLoss()(torch.zeros(1, 2), torch.tensor([1]))
        tensor(0.)
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


class NLLLoss2d(NLLLoss):
    """A deprecated alias of `NLLLoss`.

    Math: as `NLLLoss`
    Shape: as `NLLLoss`

    Example:
        >>> import warnings, edutorch as torch
        >>> warnings.simplefilter("ignore")
        >>> torch.nn.NLLLoss2d()
        NLLLoss2d()
    """

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None,
        ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean",
    ) -> None:  # fmt: skip
        warnings.warn(
            "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in"
            " replacement and see https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss"
            " for more details.",
            FutureWarning,
            stacklevel=2,
        )
        super().__init__(weight, size_average, ignore_index, reduce, reduction)


class CrossEntropyLoss(_WeightedLoss):
    """The cross entropy of softmax scores and classes (or probabilities).

    Math: -Σ w[y] · log softmax(x)[y] / Σ w[y]
          ∂L/∂x = g · w[y] / Σ w[y] · (softmax(x) - one_hot(y))
    Shape: (N, C, *S), (N, *S) -> (), or (N, *S) with reduction "none"; N may be
           absent. Targets may be probabilities (N, C, *S)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.CrossEntropyLoss()(torch.zeros(1, 2), torch.tensor([1]))
        tensor(0.6931)
    """

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None,
        ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean",
        label_smoothing: float = 0.0,
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


class PoissonNLLLoss(_Loss):
    """The negative log-likelihood of counts under Poisson distributions.

    Math: mean of exp(x) - y · x (log_input), else x - y · log(x + eps)
          ∂L/∂x = g · (exp(x) - y) / n, else g · (1 - y / (x + eps)) / n
    Shape: (*), (*) -> (), or (*) with reduction "none"

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
    """The negative log-likelihood under normal distributions with given variances.

    Math: mean of ½ (log v + (x - y)² / v), v = max(var, eps)
          ∂L/∂x = g · (x - y) / v / n      ∂L/∂var = g · (1 - (x - y)² / v) / (2 v) / n
    Shape: (*), (*), (*) or without the last dimension -> (), or (*)
    Reference: Nix and Weigend, 1994.

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


class CTCLoss(_Loss):
    """The negative log-probability of all alignments of a label sequence.

    Math: L_n = −log Σ_readings Π_t p_t(reading_t); the mean divides by lengths first
          ∂L/∂x_t(c) = g · (p_t(c) - P(c at t | labels))
    Shape: (T, N, C), (N, S) or (Σ lengths), (N), (N) -> (), or (N); N may be absent
    Reference: Graves et al., 2006.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([0.5, 0.25, 0.25]).log().expand(2, 1, 3)  # 2 steps
        >>> loss = torch.nn.CTCLoss()(x, torch.tensor([[1]]), (2,), (1,))
        >>> loss.neg().exp()  # label 1: as 11, 1-blank or blank-1
        tensor(0.3125)
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
            log_probs, targets, input_lengths, target_lengths, self.blank,
            self.reduction, self.zero_infinity,
        )  # fmt: skip
