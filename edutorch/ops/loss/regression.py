"""Regression losses: functions of the difference between input and target."""

from __future__ import annotations

from typing import Any, ClassVar

from ...autograd import modes as _m
from ...autograd.dispatch import apply2
from ...autograd.op_errors import cast_error
from ...backends import array_module
from ...dtypes import bool_
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import number_of
from ..argument_errors import check_call, parser_errors
from ..pointwise import abs, clamp, pow, where
from ..promotion import Pointwise, result_type
from ..registration import composite
from ..shape.broadcasting import broadcast_tensors
from .reduction import (
    check_reduction,
    legacy_reduction,
    reduce_losses,
    require_floating,
    warn_of_broadcasting,
)

__all__ = ["huber_loss", "l1_loss", "mse_loss", "smooth_l1_loss"]


class Distance(Pointwise):
    """A loss of the difference r between input and target, with its reduction.

    Math: L = mean or sum of f(r), r = x − t
          ∂L/∂x = f′(r) · g (/ n for the mean)      ∂L/∂t = −∂L/∂x
    Shape: (*), (*) -> () or (*)
    """

    attributes: ClassVar[tuple[str, ...]] = ("reduction",)
    kernel = ""  # PyTorch's name of it, in messages

    def __init__(self, reduction: str) -> None:
        self.reduction = reduction

    def check(self, x: Any, t: Any) -> None:
        """Raise for integers."""
        if not (x.dtype.is_floating_point or t.dtype.is_floating_point):
            raise NotImplementedError(
                f"\"{self.kernel}\" not implemented for '{x.dtype.short}'"
            )

    def loss(self, r: Any) -> Any:
        """The loss f on arrays."""
        raise NotImplementedError(f"{type(self).__name__}.loss")

    def derivative(self, r: Any) -> Any:
        """The derivative f′, written with operators."""
        raise NotImplementedError(f"{type(self).__name__}.derivative")

    def forward(self, x: Any, t: Any) -> Any:
        losses = self.loss(x - t)
        self.n = max(1, losses.size)
        if self.reduction == "none":
            return losses
        total = array_module(x).add.reduce(losses, axis=None)
        if self.reduction == "sum":
            return total
        return total / losses.dtype.type(losses.size)

    def backward(self, g: Any) -> Any:
        x, t = self.inputs
        gx = self.derivative(x - t) * (g / self.n if self.reduction == "mean" else g)
        return gx, -gx if self.needs[1] else None


class MseLoss(Distance):
    """Squared error.

    Math: f(r) = r²      f′(r) = 2 r      ∂L/∂x = f′(x − t) g      ∂L/∂t = −∂L/∂x
    """

    kernel = "mse_cpu"

    def loss(self, r: Any) -> Any:
        return r * r

    def derivative(self, r: Any) -> Any:
        return 2 * r


def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Mean squared error.

    Math: L = mean (x − t)²      ∂L/∂x = 2 (x − t) g / n      ∂L/∂t = −∂L/∂x
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Args:
        input: the predictions.
        target: the target values.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".
        weight: of each element; the mean divides by their sum.

    Raises:
        ValueError: for an unknown reduction.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.mse_loss(torch.tensor([1.0, 2.0]), torch.zeros(2))
        tensor(2.5000)
    """
    if _m.special_modes and mse_loss in _m.modes.autocast:
        return _m.autocast(
            mse_loss, input, target, size_average, reduce, reduction, weight
        )
    reduction = legacy_reduction(size_average, reduce, reduction)
    warn_of_broadcasting(input, target)
    x, target = broadcast_tensors(input, target)
    if weight is not None:
        _need_same_size(weight, input)
        return _weighted(pow(x - target, 2), weight, reduction)
    check_reduction(reduction)
    require_floating("mse_cpu", x, target)
    loss: Tensor = apply2(MseLoss(reduction), x, target)
    return loss


def _need_same_size(weight: Any, input: Tensor) -> None:
    if weight.size() != input.size():
        raise ValueError("Weights and input must have the same size.")


def _weighted(losses: Any, weight: Any, reduction: str) -> Tensor:
    """Weighted losses, or their sum, or their sum divided by that of the weights."""
    _check_mode(reduction)
    total = losses * weight
    if reduction == "mean":
        average: Tensor = total.sum() / weight.sum()
        return average
    return reduce_losses(total, reduction)


def _check_mode(reduction: Any) -> None:
    """Raise unless it is the name of a reduction, in the words for weighted losses."""
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(
            f"Invalid reduction mode: {reduction}. "
            "Expected one of 'none', 'mean', 'sum'."
        )


@composite
@reported
def l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:
    """Mean absolute error.

    Math: L = mean |x − t|      ∂L/∂x = sign(x − t) g / n      ∂L/∂t = −∂L/∂x
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Args:
        input: the predictions.
        target: the target values.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".
        weight: of each element; the mean divides by their sum.

    Raises:
        ValueError: for an unknown reduction.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.l1_loss(torch.tensor([1.0, -2.0]), torch.zeros(2))
        tensor(1.5000)
    """
    if _m.special_modes and l1_loss in _m.modes.autocast:
        return _m.autocast(
            l1_loss, input, target, size_average, reduce, reduction, weight
        )
    reduction = legacy_reduction(size_average, reduce, reduction)
    warn_of_broadcasting(input, target)
    x, target = broadcast_tensors(input, target)
    if weight is not None:
        _need_same_size(weight, input)
        return _weighted(abs(x - target), weight, reduction)
    check_reduction(reduction)
    losses = abs(x - target)
    return reduce_losses(losses, reduction)


def clipped_gradient(r: Any, most: float) -> Any:
    """A gradient clipped to [-most, most]; the derivative at the ends is 0."""
    if isinstance(r, Tensor):
        return where(r.abs() < most, r, clamp(r.detach(), -most, most))
    return clamp(r, -most, most)


class SmoothL1Loss(Distance):
    """Quadratic for errors below `beta`, linear for larger ones.

    Math: f(r) = r² / (2 beta) where |r| < beta, else |r| − beta/2
          f′(r) = r / beta, limited to [−1, 1]
          ∂L/∂x = f′(x − t) g      ∂L/∂t = −∂L/∂x
    """

    attributes = ("reduction", "beta")
    kernel = "smooth_l1_cpu"

    def __init__(self, reduction: str, beta: float) -> None:
        self.reduction, self.beta = reduction, beta

    def loss(self, r: Any) -> Any:
        beta, xp = r.dtype.type(self.beta), array_module(r)
        size = xp.abs(r)
        near = r.dtype.type(0.5) * size * size / beta
        return xp.where(size < beta, near, size - beta / 2).astype(r.dtype, copy=False)

    def derivative(self, r: Any) -> Any:
        return clipped_gradient(r / self.beta, 1)


def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Quadratic for errors below `beta`, linear for larger ones; robust to outliers.

    Math: L = mean of r² / (2 beta) where |r| < beta, else |r| − beta/2, r = x − t
          ∂L/∂x = g · clamp(r / beta, −1, 1), over n for the mean      ∂L/∂t = −∂L/∂x
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Args:
        input: the predictions.
        target: the target values.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".
        beta: where the two meet.

    Raises:
        ValueError: for an unknown reduction.
        RuntimeError: for a negative `beta`.

    Reference: Girshick (2015), "Fast R-CNN", equation 3.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.smooth_l1_loss(torch.tensor([3.0]), torch.zeros(1))
        tensor(2.5000)
    """
    if _m.special_modes and smooth_l1_loss in _m.modes.autocast:
        return _m.autocast(
            smooth_l1_loss, input, target, size_average, reduce, reduction, beta
        )
    reduction = legacy_reduction(size_average, reduce, reduction)
    warn_of_broadcasting(input, target)
    input, target = broadcast_tensors(input, target)
    check_reduction(reduction)
    if beta == 0:
        return l1_loss(input, target, reduction=reduction)
    check_call(isinstance(beta, (int, float)))
    if not beta >= 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    require_floating("smooth_l1_cpu", input, target)
    loss: Tensor = apply2(SmoothL1Loss(reduction, beta), input, target)
    return loss


class HuberLoss(Distance):
    """Quadratic for errors below `delta`, linear for larger ones.

    Math: f(r) = r²/2 where |r| ≤ delta, else delta (|r| − delta/2)
          f′(r) = r, limited to [−delta, delta]
          ∂L/∂x = f′(x − t) g      ∂L/∂t = −∂L/∂x
    """

    attributes = ("reduction", "delta")
    kernel = "huber_cpu"

    def __init__(self, reduction: str, delta: float) -> None:
        self.reduction, self.delta = reduction, delta

    def loss(self, r: Any) -> Any:
        delta, xp = r.dtype.type(self.delta), array_module(r)
        size = xp.abs(r)
        near, far = r.dtype.type(0.5) * size * size, delta * (size - delta / 2)
        return xp.where(size <= delta, near, far).astype(r.dtype, copy=False)

    def derivative(self, r: Any) -> Any:
        return clipped_gradient(r, self.delta)


@parser_errors
def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """Quadratic for errors below `delta`, linear for larger ones; robust to outliers.

    Math: L = mean of r²/2 where |r| ≤ delta, else delta (|r| − delta/2), r = x − t
          ∂L/∂x = g · clamp(r, −delta, delta), over n for the mean      ∂L/∂t = −∂L/∂x
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Args:
        input: the predictions.
        target: the target values.
        reduction: "mean", "sum" or "none".
        delta: where the two meet.
        weight: of each element.

    Raises:
        ValueError: for an unknown reduction.
        RuntimeError: unless `delta` is positive.

    Reference: Huber (1964), "Robust estimation of a location parameter".

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.huber_loss(torch.tensor([3.0]), torch.zeros(1))
        tensor(2.5000)
    """
    if _m.special_modes and huber_loss in _m.modes.autocast:
        return _m.autocast(huber_loss, input, target, reduction, delta, weight)
    warn_of_broadcasting(input, target)
    given = input
    input, target = broadcast_tensors(input, target)
    if weight is None:
        check_reduction(reduction)
    else:
        _need_same_size(weight, given)
    delta = number_of(delta, "delta", "huber_loss", "float")
    if not delta > 0:  # nor nan
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    _check_huber(input, target)
    if weight is not None:
        losses = apply2(HuberLoss("none", delta), input, target).to(input.dtype)
        _check_mode(reduction)
        return reduce_losses(losses * weight, reduction)
    loss: Tensor = apply2(HuberLoss(reduction, delta), input, target)
    return loss.to(input.dtype)


def _check_huber(x: Tensor, target: Tensor) -> None:
    common = result_type(x, target)
    wider = common.is_complex and not x.dtype.is_complex
    wider = wider or (x.dtype is bool_ and common is not bool_)
    if wider or (common.is_floating_point and not x.dtype.is_floating_point):
        raise cast_error(common.short, x.dtype.short)
    require_floating("huber_cpu", x, target)
