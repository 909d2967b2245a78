"""Negative log likelihoods of counts and normal variables; divergences."""

from __future__ import annotations

import math
import warnings
from typing import Any

from ...autograd import modes as _m
from ...autograd.modes import no_grad
from ...callers import stack_level
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors, number_of, type_error
from ..argument_errors import parser_errors
from ..argument_parser import parse, signatures_of
from ..index import masked_fill
from ..pointwise import exp, log, xlogy
from ..pointwise.with_numbers import add_number, mul_number
from ..reduce.all_any import any
from ..registration import composite
from .reduction import reduce_losses, reduction_name

__all__ = ["gaussian_nll_loss", "kl_div", "poisson_nll_loss"]

REDUCTIONS = ("none", "mean", "sum")


@composite
@parser_errors
@reported
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    size_average: bool | None = None,
    eps: float = 1e-8,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Negative log likelihood of counts under Poisson distributions.

    Math: L = mean of exp(x) − t·x, with x the logarithm of the rate
          L = mean of x − t·log(x + eps), with x the rate
          ∂L/∂x = g (exp(x) − t), or g (1 − t / (x + eps)), over n for the mean
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Args:
        input: rates, or their logarithms.
        target: the counts.
        log_input: the input holds logarithms.
        full: add Stirling's approximation of log t!, for t > 1.
        size_average: deprecated; use `reduction`.
        eps: against the logarithm of 0.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: for an unknown reduction.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.poisson_nll_loss
        >>> f(torch.tensor([0.0]), torch.tensor([2.0]))
        tensor(1.)
    """
    if _m.special_modes and poisson_nll_loss in _m.modes.autocast:
        return _m.autocast(
            poisson_nll_loss, input, target, log_input, full, size_average, eps, reduce,
            reduction,
        )  # fmt: skip
    if log_input is not False and log_input is not True:
        raise type_error("bool", "log_input", log_input, "poisson_nll_loss")
    if full is not False and full is not True:
        raise type_error("bool", "full", full, "poisson_nll_loss")
    eps = number_of(eps, "eps", "poisson_nll_loss", "float")
    if size_average is None and reduce is None and reduction not in REDUCTIONS:
        raise ValueError(reduction + " is not a valid value for reduction")
    reduction = reduction_name(size_average, reduce, reduction)
    need_tensors("poisson_nll_loss", input=input, target=target)
    if log_input:
        losses = exp(input) - target * input
    else:
        losses = input - target * log(add_number(input, float(eps)))
    if full:
        spread = mul_number(log(mul_number(target, 2 * math.pi)), 0.5)
        stirling = target * log(target) - target + spread
        more = losses + masked_fill(stirling, target <= 1, 0)
        losses = more.to(losses.dtype)  # PyTorch adds in place
    return reduce_losses(losses, reduction)


@composite
def gaussian_nll_loss(
    input: Tensor,
    target: Tensor,
    var: Any,
    full: bool = False,
    eps: float = 1e-6,
    reduction: str = "mean",
) -> Tensor:
    """Negative log likelihood under normal distributions.

    Math: L = mean of (log v + (x − t)² / v) / 2, v = max(var, eps)
          ∂L/∂x = −∂L/∂t = g (x − t) / v      ∂L/∂var = g (1 − (x − t)² / v) / (2 v);
          all over n for the mean
    Shape: (*), (*), (*) or without the last dimension -> (), or (*)

    Args:
        input: the expectations.
        target: the numbers.
        var: the variances.
        full: add the constant log(2π) / 2.
        eps: the least variance.
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: for negative variances, a wrong size or an unknown reduction.

    Reference: Nix and Weigend (1994), "Estimating the mean and variance of the target
    probability distribution".

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.gaussian_nll_loss
        >>> f(torch.tensor([1.0]), torch.tensor([3.0]), torch.tensor([1.0]))
        tensor(2.)
    """
    _check_signs(var)
    var = _variances(input, var)
    if reduction not in REDUCTIONS:
        raise ValueError(reduction + " is not valid")
    var = _at_least(eps, var)
    losses = 0.5 * (log(var) + (input - target) ** 2 / var)
    if full:
        losses = losses + 0.5 * math.log(2 * math.pi)
    return reduce_losses(losses, reduction)


def _check_signs(var: Any) -> None:
    """Refuse negative variances, and numbers other than floats, as PyTorch does."""
    negative = var < 0
    if not isinstance(var, (float, Tensor)):
        raise TypeError(parse("any", signatures_of("any"), [negative], {}))
    if negative if isinstance(var, float) else any(negative):
        raise ValueError("var has negative entry/entries")


def _at_least(eps: Any, var: Any) -> Any:
    """The variances, of which none is below `eps`; gradients pass through."""
    var = var.clone()
    with no_grad():
        try:
            var.clamp_(min=eps)
        except TypeError as error:
            words = parse(
                "clamp_", signatures_of("clamp_", method=True), [], {"min": eps}
            )
            raise TypeError(words or str(error)) from None
    return var


def _variances(input: Any, var: Any) -> Any:
    if not isinstance(var, Tensor):
        return var * input.detach() * 0 + var
    if tuple(var.shape) == tuple(input.size()):
        return var
    if tuple(input.shape[:-1]) == tuple(var.shape):
        return var.reshape((*var.shape, 1))
    differ = [b for a, b in zip(input.shape, var.shape, strict=False) if a != b]
    if input.ndim == var.ndim and differ == [1]:
        return var
    raise ValueError("var is of incorrect size")


@composite
@reported
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """Kullback-Leibler divergence D(target ‖ input).

    Math: L = Σ t (log t − x), with x the logarithms of the input's probabilities
          ∂L/∂x = −g t      ∂L/∂t = g (log t + 1 − x)
          over n for "mean", over N for "batchmean"
    Shape: (N, *), (N, *) -> (), or (N, *) with reduction "none"

    Args:
        input: logarithms of probabilities.
        target: probabilities.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "batchmean" divides the sum by N; "mean" by the number of
            elements; "sum" or "none".
        log_target: the target holds logarithms, too.

    Raises:
        ValueError: for an unknown reduction.

    Reference: Kullback and Leibler (1951), "On information and sufficiency".

    Example:
        >>> import edutorch as torch
        >>> p, q = torch.tensor([[0.5, 0.5]]), torch.tensor([[1.0, 0.0]])
        >>> torch.nn.functional.kl_div(p.log(), q, reduction="batchmean")
        tensor(0.6931)
    """
    if _m.special_modes and kl_div in _m.modes.autocast:
        return _m.autocast(
            kl_div, input, target, size_average, reduce, reduction, log_target
        )
    need_tensors("kl_div", input=input, target=target)
    if log_target is not False and log_target is not True:
        raise type_error("bool", "log_target", log_target, "kl_div")
    if reduction == "mean" and size_average is None and reduce is None:
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the "
            "support size.'batchmean' divides only by the batch size, and aligns with "
            "the KL div math definition.'mean' will be changed to behave the same as "
            "'batchmean' in the next major release.",
            stacklevel=stack_level(),
        )
    by_batch = reduction == "batchmean"
    reduction = reduction_name(size_average, reduce, "sum" if by_batch else reduction)
    _check_floating(input, target)
    if log_target:
        losses = exp(target) * (target - input)
    else:
        losses = xlogy(target, target) - target * input
    total = reduce_losses(losses, reduction)
    divisor = input.shape[0] if by_batch and input.ndim else 1
    return total / divisor if divisor != 1 else total


def _check_floating(input: Tensor, target: Tensor) -> None:
    kinds = input._data.dtype.kind + target._data.dtype.kind
    for letters, word in (("c", "Complex"), ("iub", "Integral")):
        if set(letters) & set(kinds):
            raise RuntimeError(f"kl_div: {word} inputs not supported.")
