"""Triplet losses of an anchor, a positive and a negative sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograd import modes as _m
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import (
    need_tensors,
    number_of,
    type_error,
)
from ..distance import pairwise_distance
from ..pointwise import add, clamp_min, minimum
from ..pointwise.with_numbers import add_number
from ..registration import composite
from .reduction import reduce_losses, reduction_name

__all__ = ["triplet_margin_loss", "triplet_margin_with_distance_loss"]


@composite
@reported
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2,
    eps: float = 1e-6,
    swap: bool = False,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Triplet loss: the anchor should be closer to the positive by `margin`.

    Math: L = mean max(0, d(a, p) − d(a, n) + margin), d the p-norm of the difference
          ∂L/∂a = g (∂d(a, p)/∂a − ∂d(a, n)/∂a) where the term is not cut off at 0, over
          n for the mean      ∂L/∂p = g ∂d(a, p)/∂p      ∂L/∂n = −g ∂d(a, n)/∂n
    Shape: (N, D) three times -> (), or (N) with reduction "none"; N may be absent

    Args:
        anchor: the vectors to compare with.
        positive: vectors that should be near.
        negative: vectors that should be far.
        margin: the difference that is wanted.
        p: which norm.
        eps: added to the differences, against a norm of 0.
        swap: use the distance of positive and negative where it is smaller.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: for a margin that is not positive, or an unknown reduction.
        RuntimeError: for different numbers of dimensions.

    Reference: Balntas, Riba, Ponsa and Mikolajczyk (2016), "Learning local feature
    descriptors with triplets and shallow convolutional neural networks".

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.triplet_margin_loss
        >>> f(torch.zeros(1, 1), torch.ones(1, 1), torch.ones(1, 1) * 1.5)
        tensor(0.5000)
    """
    if _m.special_modes and triplet_margin_loss in _m.modes.autocast:
        return _m.autocast(
            triplet_margin_loss, anchor, positive, negative, margin, p, eps, swap,
            size_average, reduce, reduction,
        )  # fmt: skip
    if swap is not False and swap is not True:
        raise type_error("bool", "swap", swap, "triplet_margin_loss")
    need_tensors(
        "triplet_margin_loss", anchor=anchor, positive=positive, negative=negative
    )
    reduction = reduction_name(size_average, reduce, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    margin = number_of(margin, "margin", "triplet_margin_loss", "float")

    def distance(a: Tensor, b: Tensor) -> Tensor:
        return pairwise_distance(a, b, p, eps)

    losses = _triplets(
        distance, anchor, positive, negative, margin, swap, plus=add_number
    )
    return reduce_losses(losses, reduction)


@composite
def triplet_margin_with_distance_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    *,
    distance_function: Callable[[Tensor, Tensor], Tensor] | None = None,
    margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:
    """Triplet loss with a custom distance function.

    Math: L = mean max(0, d(a, p) − d(a, n) + margin)
          ∂L/∂a = g (∂d(a, p)/∂a − ∂d(a, n)/∂a) where the term is not cut off at 0, over
          n for the mean      ∂L/∂p = g ∂d(a, p)/∂p      ∂L/∂n = −g ∂d(a, n)/∂n
    Shape: (N, *) three times -> (), or (N) with reduction "none"

    Args:
        anchor: the samples to compare with.
        positive: samples that should be close.
        negative: samples that should be far.
        distance_function: d; by default `pairwise_distance`.
        margin: the difference that is wanted.
        swap: use the distance of positive and negative where it is smaller.
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: for a margin that is not positive, or an unknown reduction.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.triplet_margin_with_distance_loss
        >>> f(torch.zeros(1, 1), torch.ones(1, 1), torch.ones(1, 1) * 1.5)
        tensor(0.5000)
    """
    reduction = reduction_name(None, None, reduction)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    distance = distance_function or pairwise_distance
    losses = _triplets(distance, anchor, positive, negative, margin, swap)
    return reduce_losses(losses, reduction)


def _triplets(
    distance: Any,
    anchor: Any,
    positive: Any,
    negative: Any,
    margin: float,
    swap: bool,
    plus: Any = add,
) -> Any:
    dims = anchor.ndim, positive.ndim, negative.ndim
    if len(set(dims)) != 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same "
            f"number of dimensions, but got: anchor {dims[0]}D, positive {dims[1]}D, "
            f"and negative {dims[2]}D inputs"
        )
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = minimum(far, distance(positive, negative))
    return clamp_min(plus(near, margin) - far, 0)
