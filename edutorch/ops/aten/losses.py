"""Losses as in `torch`: the reduction is a number (0 none, 1 mean, 2 sum).

PyTorch documents the mean as the default, but its default is none, as here.
"""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .. import loss as losses
from ..argument_checks import need_flags
from ..registration import composite

__all__ = [
    "binary_cross_entropy_with_logits", "cosine_embedding_loss", "ctc_loss",
    "hinge_embedding_loss", "kl_div", "margin_ranking_loss", "poisson_nll_loss",
    "triplet_margin_loss",
]  # fmt: skip

REDUCTIONS = ("none", "mean", "sum")


def _reduction_name(function: str, reduction: Any) -> str:
    if isinstance(reduction, bool) or not isinstance(reduction, int):
        raise TypeError(
            f"{function}(): argument 'reduction' must be int, not "
            f"{type(reduction).__name__}"
        )
    if not 0 <= reduction < 3:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return REDUCTIONS[reduction]


@composite
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: int = 0,
) -> Tensor:
    """`nn.functional.binary_cross_entropy_with_logits` with a numeric reduction.

    Math: L = −mean w (p t log σ(x) + (1 − t) log(1 − σ(x)))
          ∂L/∂x = g w (σ(x) (1 + (p − 1) t) − p t) / n
    Shape: (*), (*) -> (*), or () with reduction 1 or 2

    Example:
        >>> import edutorch as torch
        >>> torch.binary_cross_entropy_with_logits(torch.zeros(1), torch.ones(1))
        tensor([0.6931])
    """
    reduction_name = _reduction_name("binary_cross_entropy_with_logits", reduction)
    return losses.binary_cross_entropy_with_logits(
        input, target, weight, reduction=reduction_name, pos_weight=pos_weight
    )


@composite
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: int = 0,
) -> Tensor:
    """`nn.functional.cosine_embedding_loss` with a numeric reduction.

    Math: L = mean of 1 − cos(a, b) where t = 1, max(0, cos(a, b) − margin) where t = −1
          ∂L/∂a = −t g / n · ∂cos/∂a where the term is not clipped      ∂L/∂b likewise
    Shape: (N, D), (N, D), (N) -> (N), or () with reduction 1 or 2; N may be absent

    Example:
        >>> import edutorch as torch
        >>> a, t = torch.ones(1, 2), torch.tensor([-1])
        >>> torch.cosine_embedding_loss(a, a, t, reduction=2)
        tensor(1.)
    """
    reduction_name = _reduction_name("cosine_embedding_loss", reduction)
    return losses.cosine_embedding_loss(
        input1, input2, target, margin, reduction=reduction_name
    )


@composite
def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: int = 0,
    zero_infinity: bool = False,
) -> Tensor:
    """`nn.functional.ctc_loss` with a numeric reduction.

    Math: L_n = −log Σ_readings Π_t p_t(reading_t); mean divides by the lengths
          ∂L/∂x_t(c) = g (p_t(c) − P(c at t | labels))
    Shape: (T, N, C), (N, S) or (Σ lengths), (N), (N) -> (), or (N); N may be absent

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> p = torch.zeros(1, 1, 2).log_softmax(2)
        >>> torch.ctc_loss(p, torch.tensor([[1]]), (1,), (1,), reduction=2)
        tensor(0.6931)
    """
    need_flags("ctc_loss", zero_infinity=zero_infinity)
    reduction_name = _reduction_name("ctc_loss", reduction)
    return losses.ctc_loss(
        log_probs,
        targets,
        input_lengths,
        target_lengths,
        blank,
        reduction_name,
        zero_infinity,
    )


@composite
def hinge_embedding_loss(
    input: Tensor, target: Tensor, margin: float = 1.0, reduction: int = 0
) -> Tensor:
    """`nn.functional.hinge_embedding_loss` with a numeric reduction.

    Math: L = mean of x where t = 1, max(0, margin − x) where t = −1
          ∂L/∂x = g / n where t = 1, −g / n where t = −1 and x ≤ margin, else 0
    Shape: (*), (*) -> (*), or () with reduction 1 or 2

    Example:
        >>> import edutorch as torch
        >>> torch.hinge_embedding_loss(torch.tensor([0.25]), torch.tensor([-1]))
        tensor([0.7500])
    """
    reduction_name = _reduction_name("hinge_embedding_loss", reduction)
    return losses.hinge_embedding_loss(input, target, margin, reduction=reduction_name)


@composite
def kl_div(
    input: Tensor, target: Tensor, reduction: int = 0, *, log_target: bool = False
) -> Tensor:
    """`nn.functional.kl_div` with a numeric reduction.

    Math: L = mean t (log t − x), with x the logarithms of the input's probabilities
          ∂L/∂x = −g t / n      ∂L/∂t = g (log t + 1 − x) / n
    Shape: (*), (*) -> (*), or () with reduction 1 or 2

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> torch.kl_div(torch.zeros(1), torch.ones(1), reduction=2)
        tensor(0.)
    """
    need_flags("kl_div", log_target=log_target)
    reduction_name = _reduction_name("kl_div", reduction)
    terms = losses.kl_div(input, target, reduction="none", log_target=log_target)
    if reduction_name == "none":
        return terms
    return terms.mean() if reduction_name == "mean" else terms.sum()


@composite
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0.0,
    reduction: int = 0,
) -> Tensor:
    """`nn.functional.margin_ranking_loss` with a numeric reduction.

    Math: L = mean max(0, −t (a − b) + margin)
          ∂L/∂a = −t g / n where the term is not cut off at 0      ∂L/∂b = −∂L/∂a
    Shape: (*), (*), (*) -> (*), or () with reduction 1 or 2

    Example:
        >>> import edutorch as torch
        >>> a, b = torch.tensor([1.0]), torch.tensor([3.0])
        >>> torch.margin_ranking_loss(a, b, torch.tensor([1]))
        tensor([2.])
    """
    reduction_name = _reduction_name("margin_ranking_loss", reduction)
    return losses.margin_ranking_loss(
        input1, input2, target, margin, reduction=reduction_name
    )


@composite
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool,
    full: bool,
    eps: float,
    reduction: int,
) -> Tensor:
    """`nn.functional.poisson_nll_loss` with a numeric reduction.

    Math: L = mean of exp(x) − t·x, with x the logarithm of the rate
          ∂L/∂x = g (exp(x) − t) / n
    Shape: (*), (*) -> (*), or () with reduction 1 or 2

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> x, t = torch.zeros(1), torch.ones(1)
        >>> torch.poisson_nll_loss(x, t, True, False, 1e-8, 1)
        tensor(1.)
    """
    need_flags("poisson_nll_loss", log_input=log_input, full=full)
    reduction_name = _reduction_name("poisson_nll_loss", reduction)
    return losses.poisson_nll_loss(
        input, target, log_input, full, eps=eps, reduction=reduction_name
    )


@composite
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = 0,
) -> Tensor:
    """`nn.functional.triplet_margin_loss` with a numeric reduction.

    Math: L = mean max(0, d(a, p) − d(a, n) + margin)
          ∂L/∂a = g / n (∂d(a, p)/∂a − ∂d(a, n)/∂a) where the term is not cut off at 0;
          ∂L/∂p and ∂L/∂n by one of the distances
    Shape: (N, D), (N, D), (N, D) -> (N), or () with reduction 1 or 2; N may be absent

    Raises:
        TypeError: for a flag that is not a bool.

    Example:
        >>> import edutorch as torch
        >>> a, far = torch.zeros(1, 2), torch.ones(1, 2) * 9
        >>> torch.triplet_margin_loss(a, a, far)
        tensor([0.])
    """
    need_flags("triplet_margin_loss", swap=swap)
    reduction_name = _reduction_name("triplet_margin_loss", reduction)
    return losses.triplet_margin_loss(
        anchor, positive, negative, margin, p, eps, swap, reduction=reduction_name
    )
