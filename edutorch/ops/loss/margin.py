"""Losses with a margin between scores or distances."""

from __future__ import annotations

from typing import Any

from ...autograd import modes as _m
from ...autograd.one_node import as_one_node
from ...autograd.save_for_backward import save_version
from ...backends import array_module
from ...op_events import reported
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import (
    need_floats,
    need_one_device,
    need_tensors,
    number_of,
    refuse_gradients,
    refuse_kinds,
)
from ..argument_errors import parser_errors
from ..index import gather
from ..number_ranges import checked_number
from ..pointwise import clamp_min, mul, sqrt, where
from ..pointwise.with_numbers import add_number, number_minus, sub_number
from ..reduce import sum
from ..reduce.min_max import refuse_complex
from ..registration import composite
from ..shape import unsqueeze
from .margin_nodes import MultilabelMarginLoss, MultiMarginLoss
from .reduction import reduce_losses, reduction_name

__all__ = [
    "cosine_embedding_loss",
    "hinge_embedding_loss",
    "margin_ranking_loss",
    "multi_margin_loss",
    "multilabel_margin_loss",
]


@composite
@parser_errors
@reported
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """The distance for targets 1, and its distance below `margin` for targets −1.

    Math: L = mean of x where t = 1, max(0, margin − x) where t = −1
          ∂L/∂x = g where t = 1, −g where t = −1 and x ≤ margin; over n for the mean
    Shape: (*), (*) -> (), or (*) with reduction "none"
    Reference: Hadsell, Chopra and LeCun (2006), "Dimensionality reduction by learning
        an invariant mapping".

    Raises:
        ValueError: for an unknown reduction.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.hinge_embedding_loss
        >>> f(torch.tensor([0.25, 0.25]), torch.tensor([1.0, -1.0]))
        tensor(0.5000)
    """
    if _m.special_modes and hinge_embedding_loss in _m.modes.autocast:
        return _m.autocast(
            hinge_embedding_loss, input, target, margin, size_average, reduce, reduction
        )
    need_tensors("hinge_embedding_loss", input=input, target=target)
    reduction = reduction_name(size_average, reduce, reduction)
    # PyTorch makes a tensor of the margin, with the dtype of the input.
    margin = number_of(margin, "margin", "hinge_embedding_loss", "float")
    if input.is_floating_point():
        margin = float(margin)
    else:
        margin = _margin_of_kind(margin, input)
    far = where(target != 1, clamp_min(number_minus(margin, input), 0), 0)
    near = where(target != -1, input, 0)
    return reduce_losses(far + near, reduction)


def _margin_of_kind(margin: Any, input: Tensor) -> Any:
    """The margin for integers.

    Raises:
        RuntimeError: for booleans, and numbers that their dtype cannot represent.
        NotImplementedError: for complex numbers.
    """
    if input._data.dtype.kind == "b":
        input.sub(input)  # raises for two bool tensors
    if input.is_complex():
        clamp_min(input, 0)  # raises, too
    return checked_number(float(margin), input.dtype)


@composite
@parser_errors
@reported
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Penalises scores that are not ordered by at least `margin` as the target says.

    Math: L = mean max(0, −t (a − b) + margin)
          ∂L/∂a = −t g where the term is not cut off at 0, over n for the mean
          ∂L/∂b = −∂L/∂a
    Shape: (*), (*), (*) -> (), or (*) with reduction "none"

    Raises:
        ValueError: for an unknown reduction.
        RuntimeError: for operands with different numbers of dimensions.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.margin_ranking_loss
        >>> f(torch.tensor([1.0]), torch.tensor([3.0]), torch.tensor([1.0]))
        tensor(2.)
    """
    if _m.special_modes and margin_ranking_loss in _m.modes.autocast:
        return _m.autocast(
            margin_ranking_loss, input1, input2, target, margin, size_average, reduce,
            reduction,
        )  # fmt: skip
    reduction = reduction_name(size_average, reduce, reduction)
    if not input1.ndim == input2.ndim == target.ndim:
        sizes = [f"torch.Size({list(t.shape)})" for t in (input1, input2, target)]
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but "
            f"got sizes: input1: {sizes[0]}, input2: {sizes[1]}, target: {sizes[2]} "
        )
    difference = input1 - input2
    margin = number_of(margin, "margin", "margin_ranking_loss", "float")
    losses = clamp_min(add_number(-target * difference, float(margin)), 0)
    return reduce_losses(losses, reduction)


@composite
@parser_errors
@reported
def multi_margin_loss(
    input: Tensor,
    target: Tensor,
    p: int = 1,
    margin: float = 1.0,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Penalises classes whose score is within `margin` of the target's.

    Math: L = mean_i Σ_(j ≠ t) w[t] max(0, m_j)^p / C, m_j = margin − x_t + x_j
          ∂L/∂x_j = g w[t] p m_j^(p−1) / C where m_j > 0, else 0; over N for the mean
          ∂L/∂x_t = −Σ_(j≠t) ∂L/∂x_j
    Shape: (N, C), (N) -> (), or (N) with reduction "none"; N may be absent
    Reference: Crammer and Singer (2001), "On the algorithmic implementation of
        multiclass kernel-based vector machines".

    Args:
        input: a score for each class.
        target: class indices.
        p: 1 or 2.
        margin: the desired difference.
        weight: of each class.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: for another p or an unknown reduction.
        RuntimeError: for other sizes.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.multi_margin_loss
        >>> f(torch.tensor([[1.0, 1.5]]), torch.tensor([0]))
        tensor(0.7500)
    """
    if _m.special_modes and multi_margin_loss in _m.modes.autocast:
        return _m.autocast(
            multi_margin_loss, input, target, p, margin, weight, size_average, reduce,
            reduction,
        )  # fmt: skip
    need_tensors("multi_margin_loss", input=input, target=target)
    reduction = reduction_name(size_average, reduce, reduction)
    _check_options(p, weight)
    refuse_gradients("multi_margin_loss", weight=weight)
    _check_multi_margin(input, target, weight)
    need_floats("multi_margin_loss_cpu_kernel", input)
    refuse_kinds("multi_margin_loss_cpu_kernel", "h", input)
    _check_classes(input, target, weight)
    margin = number_of(margin, "margin", "multi_margin_loss")
    margin = int(margin) if isinstance(margin, bool) else margin
    margin = checked_number(margin, input.dtype)
    node = MultiMarginLoss(p, margin, reduction, target, weight)

    def loss(x: Tensor) -> Tensor:
        return _multi_margin(x, target, p, margin, weight, reduction)

    result = as_one_node(node, loss, input)
    save_version(result, target)
    return result


def _multi_margin(
    input: Tensor, target: Tensor, p: int, margin: float, weight: Any, reduction: str
) -> Tensor:
    x = input if input.ndim == 2 else input.reshape((1, -1))
    t = target.reshape((-1, 1))
    gaps = margin - gather(x, 1, t) + x
    gaps = where(gaps > 0, gaps, 0.0)
    if p == 2:
        gaps = gaps * gaps
    if weight is not None:
        gaps = gaps * weight[t]
    classes = wrap(array_module(t._data).arange(x.shape[1]), t._device)
    losses = sum(where(classes == t, 0.0, gaps), (1,)) / x.shape[1]
    if input.ndim < 2 and target.ndim == 0:
        losses = losses.reshape(())
    return reduce_losses(losses, reduction)


def _check_options(p: int, weight: Any) -> None:
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.ndim != 1:
        raise ValueError("weight must be one-dimensional")


def _check_multi_margin(x: Any, target: Any, weight: Any) -> None:
    if x.ndim > 2 or 0 in x.shape[-1:]:
        raise RuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but "
            f"got: {list(x.shape)}"
        )
    batch, classes = (x.shape[0] if x.ndim == 2 else 1), (x.shape[-1] if x.ndim else 1)
    if target.ndim > 1 or target.numel() != batch:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the "
            "number of input samples (batch size). Expected target size "
            f"[{batch}], but got {list(target.shape)}. Input has shape {list(x.shape)}."
        )
    if weight is not None and weight.numel() != classes:
        raise RuntimeError(
            f"inconsistent weight size, expected {classes} but got {list(weight.shape)}"
        )


def _check_classes(x: Any, target: Any, weight: Any) -> None:
    """Check what the kernel of `multi_margin_loss` reads."""
    if target.dtype.short != "Long":
        raise RuntimeError(f"expected scalar type Long but found {target.dtype.short}")
    if weight is not None and weight.dtype is not x.dtype:
        raise RuntimeError(
            f"expected scalar type {x.dtype.short} but found {weight.dtype.short}"
        )
    classes = x.shape[-1] if x.ndim else 1
    if ((target._data < 0) | (target._data >= classes)).any():
        raise RuntimeError("target out of range")


@composite
def multilabel_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Penalises other classes whose scores are within 1 of those of the targets.

    Math: L = mean_i Σ_(k target) Σ_(j no target) max(0, 1 − (x_k − x_j)) / C
          for each term above 0: ∂L/∂x_j += g / C, ∂L/∂x_k −= g / C; over N for the mean
    Shape: (N, C), (N, C) -> (), or (N) with reduction "none"; N may be absent

    Args:
        input: a score for each class.
        target: class indices, up to the first −1.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: for an unknown reduction.
        RuntimeError: for other sizes or classes that do not exist.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.multilabel_margin_loss
        >>> f(torch.tensor([0.5, 0.0]), torch.tensor([0, -1]))
        tensor(0.2500)
    """
    if _m.special_modes and multilabel_margin_loss in _m.modes.autocast:
        return _m.autocast(
            multilabel_margin_loss, input, target, size_average, reduce, reduction
        )
    need_tensors("multilabel_margin_loss", input=input, target=target)
    need_one_device("__multilabel_margin_loss_forward", input, target=target)
    reduction = reduction_name(size_average, reduce, reduction)
    _check_multilabel(input, target)
    shape = input.shape if input.ndim == 2 else (1, input.numel())
    times = _target_counts(target._data.reshape(shape))  # (N, C)

    def loss(x: Tensor) -> Tensor:
        return _multilabel_margin(x, times, reduction)

    result = as_one_node(MultilabelMarginLoss(reduction, times), loss, input)
    save_version(result, target)
    return result


def _multilabel_margin(input: Tensor, times: Any, reduction: str) -> Tensor:
    x = input if input.ndim == 2 else input.reshape((1, -1))
    target_counts = wrap(times.astype(x._data.dtype), x._device)
    others = 1 * (target_counts == 0).to(x.dtype)
    gaps = clamp_min(1 - unsqueeze(x, 2) + unsqueeze(x, 1), 0)  # (N, C, C)
    losses = sum(gaps * unsqueeze(target_counts, 2) * unsqueeze(others, 1), (1, 2))
    losses = losses / x.shape[1]
    return reduce_losses(losses.reshape(()) if input.ndim < 2 else losses, reduction)


def _check_multilabel(x: Any, target: Any) -> None:
    if x.ndim > 2 or 0 in x.shape[-1:]:
        raise RuntimeError(
            "Expected non-empty vector or matrix with optional 0-dim batch size, but "
            f"got: {list(x.shape)}"
        )
    if (tuple(target.shape) or (1,)) != (tuple(x.shape) or (1,)):
        raise RuntimeError(
            f"inconsistent target size: {list(target.shape)} for input of size: "
            f"{list(x.shape)}"
        )
    refuse_complex(target._data, "min_all")
    _check_labels(target, x)
    need_floats("multilabel_margin_loss_forward_out_frame", x)
    refuse_kinds("multilabel_margin_loss_forward_out_frame", "h", x)
    if target.dtype.short != "Long":
        raise RuntimeError(f"expected scalar type Long but found {target.dtype.short}")


def _check_labels(target: Any, x: Any) -> None:
    t, classes = target._data, x.shape[-1] if x.ndim else 1
    if t.size and (int(t.min()) < -1 or int(t.max()) >= classes):  # both truncated
        raise RuntimeError("argument #2 'target' is out of range")


def _target_counts(target: Any) -> Any:
    """How often each class occurs among the targets before the first −1."""
    xp = array_module(target)
    listed = xp.cumsum(target == -1, axis=1) == 0
    times = xp.zeros(target.shape, xp.int64)
    rows = xp.nonzero(listed)[0]
    xp.add.at(times, (rows, target[listed]), 1)
    return times


@composite
@parser_errors
@reported
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Cosine distance for targets 1, cosine similarity above `margin` for −1.

    Math: L = mean of 1 − cos(a, b) where t = 1, max(0, cos(a, b) − margin) where t = −1
          ∂L/∂a = −t g · ∂cos/∂a where the term is not cut off at 0, over n for the
          mean; ∂L/∂b likewise
    Shape: (N, D), (N, D), (N) -> (), or (N) with reduction "none"; N may be absent

    Raises:
        ValueError: for an unknown reduction.
        RuntimeError: for operands with the wrong numbers of dimensions.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.cosine_embedding_loss
        >>> a, b = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 2.0]])
        >>> f(a, b, torch.tensor([1.0]))
        tensor(1.)
    """
    if _m.special_modes and cosine_embedding_loss in _m.modes.autocast:
        return _m.autocast(
            cosine_embedding_loss, input1, input2, target, margin, size_average, reduce,
            reduction,
        )  # fmt: skip
    need_tensors("cosine_embedding_loss", input1=input1, input2=input2, target=target)
    margin = float(number_of(margin, "margin", "cosine_embedding_loss", "float"))
    reduction = reduction_name(size_average, reduce, reduction)
    if target.ndim > 1:
        raise RuntimeError(
            "0D or 1D target tensor expected, multi-target not supported"
        )
    ndim = target.ndim + 1
    if not input1.ndim == input2.ndim == ndim:
        raise RuntimeError(
            f"{target.ndim}D target tensor expects {ndim}D input tensors, but found "
            f"inputs with sizes {list(input1.shape)} and {list(input2.shape)}."
        )
    dim = (target.ndim,)
    tiny = 1e-12  # against division by 0
    product = sum(input1 * input2, dim)
    squares = (add_number(sum(x * x, dim), tiny) for x in (input1, input2))
    cosine = product / sqrt(mul(*squares))
    positive = where(target == 1, number_minus(1, cosine), 0.0)
    negative = where(target == -1, clamp_min(sub_number(cosine, margin), 0), 0.0)
    return reduce_losses(positive + negative, reduction)
