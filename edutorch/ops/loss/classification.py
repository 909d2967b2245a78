"""Losses for several classes: cross entropy and nll_loss."""

from __future__ import annotations

from math import nan, prod
from typing import Any, ClassVar

import numpy as np

from ...autograd import modes as _m
from ...autograd.batched_tensor import (
    Batched,
    any_batched,
    batched,
    common_levels,
    expand_to_levels,
)
from ...autograd.dispatch import Op, apply1
from ...autograd.save_for_backward import save_version
from ...backends import array_module
from ...kernels import softmax as kernels
from ...kernels.memory_format import row_major
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import (
    need_one_device,
    need_optional,
    need_tensors,
    refuse_gradients,
)
from ..dims import dim_unless_scalar
from ..index import masked_fill
from ..int_arguments import int_of
from ..reduce import sum
from ..shape import unsqueeze
from ..softmax import log_softmax, softmax
from .reduction import reduction_name, smoothing_error, smoothing_of
from .targets import (
    check_classes,
    check_probabilities,
    check_scores,
    check_target_dtype,
    class_weights,
    need_weight_of_classes,
    share_of_0,
    total_weight,
)

__all__ = ["cross_entropy", "cross_entropy_reference", "nll_loss"]


class NllLoss(Op):
    """The negated input at the target class, weighted and reduced.

    Math: y_i = −f_i x[i, t_i], or their sum over n
          ∂L/∂x[i, t_i] = −f_i g / n, 0 elsewhere
    Shape: (N, C, *S) -> (N, *S) or ()
    """

    double_backward = "zeros"
    attributes = ("target", "factors", "ignored", "n", "shape", "result")
    saves: ClassVar[tuple[int, ...] | None] = ()

    def __init__(
        self, target: Any, factors: Any, ignored: Any, n: Any, shape: Any, result: Any
    ) -> None:
        self.target, self.factors, self.ignored = target, factors, ignored
        self.n = n  # the divisor of the sum; None: no sum
        self.shape = shape  # of the scores: (C) for a single row
        self.result = result  # shape of the losses

    def name(self) -> str:
        """PyTorch's name of the node, which depends on the rank."""
        if len(self.shape) not in (1, 2, 4) and self.n is None:
            return "ViewBackward0"
        return "NllLossBackward0" if len(self.shape) < 3 else "NllLoss2DBackward0"

    def forward(self, x: Any) -> Any:
        xp = array_module(x)
        x = self.batch(x)
        chosen = xp.take_along_axis(x, self.target[:, None], axis=1)[:, 0]
        return self.total(xp.negative(chosen, order="C"))

    def batch(self, x: Any) -> Any:
        """The scores as a batch: (N, C, *S)."""
        return x[None] if len(self.shape) == 1 else x

    def total(self, losses: Any) -> Any:
        """Weighted losses; with n, their sum divided by n."""
        if self.ignored is not None:
            zero = losses.dtype.type(0)
            losses = array_module(losses).where(self.ignored, zero, losses)
        if self.factors is not None:
            losses = losses * self.factors
        if self.n is None:
            return losses.reshape(self.result)
        total = losses.sum()
        return total / self.n if self.n else total * np.inf  # nan if all are ignored

    def loss_gradients(self, g: Any) -> Any:
        """The gradient of each loss: g times its factor, divided by n."""
        if self.n is None:
            share = g.reshape(self.target.shape)
        else:
            share = g / self.n if self.n else g * share_of_0(self.factors, self.ignored)
        return share if self.factors is None else share * self.factors

    def backward(self, g: Any) -> Any:
        return apply1(NllScatter(*self.constructor_args), g)

    @property
    def constructor_args(self) -> tuple[Any, ...]:
        """The arguments of `__init__`."""
        return self.target, self.factors, self.ignored, self.n, self.shape, self.result


class NllScatter(NllLoss):
    """The gradient of `NllLoss`: its transpose, as a differentiable op.

    Math: y[i, t_i] = −f_i x_i / n, 0 elsewhere      ∂L/∂x = nll(g)
    Shape: (N, *S) or () -> (N, C, *S)
    """

    torch_name = "NllLossBackward"

    def forward(self, x: Any) -> Any:
        xp = array_module(x)
        y = xp.zeros(self.shape, x.dtype)
        kernels.check_labels(self.target, self.batch(y).shape[1])
        losses = -self.loss_gradients(x)
        losses = losses[:, None] if losses.ndim else losses
        xp.put_along_axis(self.batch(y), self.target[:, None], losses, axis=1)
        return y

    def backward(self, h: Any) -> Any:
        return apply1(NllLoss(*self.constructor_args), h)


class CrossEntropy(NllLoss):
    """Negative log likelihood of the target classes under the softmax of scores.

    One pass over the scores instead of one for the logarithm of the softmax and one
    for the likelihood; `cross_entropy_reference` says the same in steps.

    Math: y_i = f_i (log Σ_j exp(x_ij) − x[i, t_i]), or their sum over n
          ∂L/∂x_ij = f_i g / n · (softmax(x_i)_j − [j = t_i])
    Shape: (N, C, *S) -> (N, *S) or ()
    """

    saves = None  # all: the scores
    saves_extra = True

    def check(self, x: Any) -> None:
        """Raise unless the scores are floating-point."""
        if not x.dtype.is_floating_point:
            last = "lastdim_" if x.ndim == 2 else ""
            raise NotImplementedError(
                f'"log_softmax_{last}kernel_impl" not implemented for '
                f"'{x.dtype.short}'"
            )

    def forward(self, x: Any) -> Any:
        flat = self.target.reshape(-1)
        losses, self.saved = kernels.cross_entropy_rows(self.rows(x), flat)
        return self.total(losses.reshape(self.target.shape))

    def backward(self, g: Any) -> Any:
        x = self.inputs[0]
        c = self.loss_gradients(g)  # (N, *S), or () if it is the same for all
        if isinstance(g, Tensor):
            p = softmax(self.batch(x), 1) * (unsqueeze(c, 1) if c.ndim else c)
            return p.reshape(self.shape) + apply1(NllScatter(*self.constructor_args), g)
        rows, flat = self.rows(x), self.target.reshape(-1)
        c = c.reshape(-1) if c.ndim else c
        gx = kernels.cross_entropy_rows_backward(c, rows, self.saved, flat)
        if x.ndim <= 2:
            return gx.reshape(self.shape)
        gx = gx.reshape(x.shape[0], *x.shape[2:], x.shape[1])  # (N, *S, C)
        return row_major(array_module(x).moveaxis(gx, -1, 1))  # (N, C, *S)

    def rows(self, x: Any) -> Any:
        """The scores as a matrix with a row per target."""
        if x.ndim < 3:
            return x if x.ndim == 2 else x[None]
        return array_module(x).moveaxis(x, 1, -1).reshape(-1, x.shape[1])


def _index_loss(
    kind: Any, x: Any, target: Any, weight: Any, ignore_index: int, reduction: str
) -> Tensor:
    """Run `NllLoss` or `CrossEntropy` on scores and class indices."""
    if _m.special_modes and any_batched((x, target, weight)):
        found: Tensor = _index_loss_in_vmap(
            kind, x, target, weight, ignore_index, reduction
        )
        return found
    shape, result = x._data.shape, target._data.shape
    name = "nll_loss2d_forward" if len(shape) > 2 else "nll_loss_forward"
    if target._device is not x._device:
        need_one_device(name, x, target=target)
    if weight is not None:
        need_one_device(name, x, weight=weight)
        refuse_gradients(name, weight=weight)
    if len(shape) == 1:
        target, result = target.reshape((1,)), ()
    classes = shape[1] if len(shape) > 1 else shape[0]
    t, factors, ignored = class_weights(classes, x, target, weight, ignore_index)
    n = None if reduction == "none" else 1
    if reduction == "mean":
        n = t.size if factors is None else total_weight(factors)
    loss: Tensor = apply1(kind(t, factors, ignored, n, shape, result), x)
    save_version(loss, target)
    if weight is not None:
        save_version(loss, weight)
    return loss


def _index_loss_in_vmap(
    kind: Any, x: Any, target: Any, weight: Any, ignore_index: int, reduction: str
) -> Any:
    """`_index_loss` inside `vmap`: the rows of all samples form one batch."""
    if type(weight) is Batched or (weight is not None and weight._requires_grad):
        return _cross_entropy_unfused(kind, x, target, weight, ignore_index, reduction)
    levels, shape = common_levels((x, target)), x._data.shape
    scores, labels = (expand_to_levels(t, levels) for t in (x, target))
    vmap_sizes = labels._data.shape[: len(levels)]  # the size of each vmap
    rows = prod(vmap_sizes) * (shape[0] if len(shape) > 1 else 1)
    scores = scores.reshape(rows, *(shape[1:] or shape))
    labels = labels.reshape(rows, *target._data.shape[1:])
    t, factors, ignored = class_weights(
        scores._data.shape[1], x, labels, weight, ignore_index
    )
    result = (*vmap_sizes, *target._data.shape)
    op = kind(t, factors, ignored, None, scores._data.shape, result)
    losses = apply1(op, scores)
    save_version(losses, labels)
    if reduction != "none" and target._data.ndim:
        losses = losses.reshape(*vmap_sizes, -1).sum(-1)
    if reduction == "mean":
        losses = losses / _sample_counts(vmap_sizes, t, factors, losses)
    return batched(losses, levels)


def _sample_counts(
    vmap_sizes: tuple[int, ...], t: Any, factors: Any, losses: Any
) -> Any:
    """The total weight of each sample's losses, by which the mean is divided."""
    if factors is None:
        return t.size // max(1, prod(vmap_sizes))
    return wrap(total_weight(factors, *vmap_sizes), losses._device)


def _cross_entropy_unfused(
    kind: Any, x: Any, target: Any, weight: Any, ignore_index: int, reduction: str
) -> Any:
    """Cross entropy composed of ops, for `vmap` with weights per sample."""
    dim = 1 if x.ndim > 1 else 0
    logs = log_softmax(x, dim) if kind is CrossEntropy else x
    counts = target != ignore_index
    index = masked_fill(target, ~counts, 0)
    chosen = logs.gather(dim, unsqueeze(index, dim)).squeeze(dim)
    factors = counts.to(x.dtype)
    if weight is not None:
        factors = factors * weight.expand(index.numel(), -1).gather(
            1, index.reshape(-1, 1)
        ).reshape(index.shape)  # fmt: skip
    losses = -chosen * factors
    if reduction == "none":
        return losses
    return sum(losses) / sum(factors) if reduction == "mean" else sum(losses)


def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Negative log likelihood of the target classes, given log probabilities.

    Math: L = −Σ_i w[t_i] x[i, t_i] / Σ_i w[t_i]
          ∂L/∂x[i, t_i] = −g w[t_i] / Σ w[t], 0 elsewhere
    Shape: (N, C, *S), (N, *S) -> (), or (N, *S) with reduction "none"; N may be absent

    Args:
        input: logarithms of probabilities.
        target: class indices.
        weight: of each class.
        size_average, reduce: deprecated; use `reduction`.
        ignore_index: a target that does not count.
        reduction: "mean", "sum" or "none".

    Raises:
        IndexError: for a class that does not exist.
        ValueError: for another batch size or an unknown reduction.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[-0.5, -2.0]])
        >>> torch.nn.functional.nll_loss(x, torch.tensor([1]))
        tensor(2.)
    """
    if _m.special_modes and nll_loss in _m.modes.autocast:
        return _m.autocast(
            nll_loss, input, target, weight, size_average, ignore_index, reduce,
            reduction,
        )  # fmt: skip
    if not (isinstance(input, Tensor) and isinstance(target, Tensor)):
        need_tensors("nll_loss_nd", input=input, target=target)
    need_optional("nll_loss_nd", 3, weight=weight)
    ignore_index = int_of(ignore_index, "ignore_index", "nll_loss_nd")
    reduction = reduction_name(size_average, reduce, reduction)
    check_classes(input, target, weight)
    if weight is not None:
        refuse_gradients(f"nll_loss{'2d' * (input.ndim > 2)}_forward", weight=weight)
    check_target_dtype(target)
    check_scores(input, weight)
    return _index_loss(NllLoss, input, target, weight, ignore_index, reduction)


def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    ignore_index: int = -100,
    reduce: bool | None = None,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Cross entropy of scores and target classes or probabilities.

    Math: L = −Σ_i w[t_i] log softmax(x_i)[t_i] / Σ_i w[t_i]
          ∂L/∂x_i = w[t_i] / Σ w · (softmax(x_i) − one_hot(t_i)) · g
    Shape: (N, C, *S), (N, *S) -> (), or (N, *S) with reduction "none"; N may be
        absent. Targets may be probabilities (N, C, *S)

    Args:
        input: scores, not normalised.
        target: class indices, or probabilities of the classes.
        weight: of each class.
        size_average, reduce: deprecated; use `reduction`.
        ignore_index: a target that does not count.
        reduction: "mean", "sum" or "none".
        label_smoothing: how much of each target is spread over all classes.

    Raises:
        IndexError: for a class that does not exist.
        ValueError: for another batch size or an unknown reduction.
        RuntimeError: for targets of the wrong kind.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([[0.0, 0.0]])
        >>> torch.nn.functional.cross_entropy(x, torch.tensor([1]))
        tensor(0.6931)
    """
    if _m.special_modes and cross_entropy in _m.modes.autocast:
        return _m.autocast(
            cross_entropy, input, target, weight, size_average, ignore_index, reduce,
            reduction, label_smoothing,
        )  # fmt: skip
    if not (isinstance(input, Tensor) and isinstance(target, Tensor)):
        need_tensors("cross_entropy_loss", input=input, target=target)
    if weight is not None:
        need_optional("cross_entropy_loss", 3, weight=weight)
    if type(ignore_index) is not int:
        ignore_index = int_of(ignore_index, "ignore_index", "cross_entropy")
    reduction = reduction_name(size_average, reduce, reduction)
    if input._data.shape == target._data.shape:
        check_probabilities(target, ignore_index)
        return _soft_targets(input, target, weight, reduction, label_smoothing)
    if label_smoothing > 1:
        raise smoothing_error(label_smoothing)
    try:
        check_classes(input, target, weight)
        check_target_dtype(target)
        if label_smoothing > 0:
            return _smooth(
                input, target, weight, ignore_index, reduction, label_smoothing
            )
        return _index_loss(CrossEntropy, input, target, weight, ignore_index, reduction)
    except (IndexError, RuntimeError, ValueError):
        logs = log_softmax(input, int(input.ndim != 1))  # which PyTorch computes first
        if input.ndim == 4 and target.ndim == 3:
            check_target_dtype(target)
        nll_loss(logs, target, weight, ignore_index=ignore_index, reduction=reduction)
        raise


def cross_entropy_reference(
    input: Tensor, target: Tensor, weight: Tensor | None = None
) -> Tensor:
    """`cross_entropy` as `log_softmax` followed by `nll_loss`.

    Math: L = nll(log softmax(x))
    Shape: (N, C), (N) -> ()

    Example:
        >>> import edutorch as torch
        >>> from edutorch.ops.loss import cross_entropy_reference
        >>> cross_entropy_reference(torch.tensor([[0.0, 0.0]]), torch.tensor([1]))
        tensor(0.6931)
    """
    return nll_loss(log_softmax(input, 1), target, weight)


def _broadcast_weight(weight: Any, ndim: int) -> Any:
    """Class weights, shaped to broadcast along the class dimension."""
    return weight.reshape((1, -1, *(1,) * (ndim - 2)) if ndim > 1 else (-1,))


def _soft_targets(
    x: Any, target: Any, weight: Any, reduction: str, smoothing: float
) -> Tensor:
    """Cross entropy with probabilities as targets."""
    dim = 0 if x.ndim == 1 else dim_unless_scalar(1, x.ndim)
    need_weight_of_classes(weight, x.shape[dim])
    if smoothing > 0:
        if smoothing > 1:
            raise smoothing_error(smoothing)
        target = target * (1 - smoothing) + smoothing / (x.shape[dim] or 1)
    products = log_softmax(x, dim) * target
    if weight is not None:
        products = products * _broadcast_weight(weight, x.ndim)
    if reduction == "none":
        return -sum(products, (dim,))
    if reduction == "mean" and not x.numel():
        return -sum(products).fill_(nan)
    total: Tensor = -sum(products)
    return total / (x.numel() // x.shape[dim]) if reduction == "mean" else total


def _smooth(
    x: Any, target: Any, weight: Any, ignore_index: int, reduction: str, s: float
) -> Tensor:
    """Cross entropy with smoothed labels."""
    s, dim = smoothing_of(s), 0 if x.ndim == 1 else 1
    logs = log_softmax(x, dim)
    nll = nll_loss(logs, target, weight, ignore_index=ignore_index, reduction=reduction)
    weighted = logs if weight is None else logs * _broadcast_weight(weight, x.ndim)
    spread = -sum(weighted, (dim,))
    spread = masked_fill(spread, (target == ignore_index).reshape(spread.shape), 0.0)
    if reduction != "none":
        spread = sum(spread)
    if reduction == "mean":
        t, f, _ = class_weights(x.shape[dim], x, target, weight, ignore_index)
        spread = spread / (t.size if f is None else float(total_weight(f)))
    loss: Tensor = (1 - s) * nll + s / x.shape[dim] * spread
    return loss
