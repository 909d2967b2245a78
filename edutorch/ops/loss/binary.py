"""Losses for two classes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import dtypes
from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply
from ...autograd.foreign_operands import accept_arrays
from ...autograd.half_precision import half_rounding, no_rounding
from ...autograd.op_errors import (
    broadcast_error,
    cast_error,
    check_fits,
    check_fits_shape,
)
from ...backends import array_module
from ...errors import raise_if
from ...kernels.memory_format import match_strides
from ...tensor.tensor import Tensor
from ..activations import logsigmoid
from ..argument_checks import (
    need_optional,
    need_tensors,
    refuse_gradients,
    refuse_kinds,
)
from ..pointwise import clamp_min, log, neg, sigmoid, sub
from ..promotion import common_dtype, result_type
from ..reduce import sum
from ..registration import composite
from ..shape.broadcasting import broadcast_shapes
from .reduction import legacy_reduction, reduce_losses, reduction_name

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "multilabel_soft_margin_loss",
    "soft_margin_loss",
]


class BinaryCrossEntropy(Op):
    """Binary cross entropy of probabilities.

    Logarithms are not taken below −100.

    Math: y = −w (t log x + (1 − t) log(1 − x)), their mean or sum
          ∂L/∂x = g w (x − t) / (x (1 − x))      ∂L/∂t = g w (log(1 − x) − log x)
    Shape: (*), (*), (*) -> (*) or ()
    """

    constants = (2,)
    same_device = slice(None)
    attributes = ("reduction",)

    def __init__(self, reduction: str) -> None:
        self.reduction = reduction

    def check(self, x: Any, t: Any, w: Any) -> None:
        """Check that both operands are probabilities of one dtype."""
        if t.dtype != x.dtype:
            raise RuntimeError(
                f"Found dtype {t.dtype.short} but expected {x.dtype.short}"
            )
        if not x.dtype.is_floating_point:
            raise NotImplementedError(
                f"\"binary_cross_entropy\" not implemented for '{x.dtype.short}'"
            )
        wrong_x, wrong_t = (~((v._data >= 0) & (v._data <= 1)) for v in (x, t))
        if wrong_x.any() or wrong_t.any():
            first = (wrong_x | wrong_t).argmax()
            name = "input" if wrong_x.reshape(-1)[first] else "target"
            raise RuntimeError(f"all elements of {name} should be between 0 and 1")
        if w is not None:  # by which the losses are multiplied in place
            if w.dtype.is_complex:
                kind = dtypes.of_numpy[np.result_type(x._data, w._data)]
                raise cast_error(kind.short, x.dtype.short)
            check_fits_shape(x.shape, w.shape)
            check_fits(tuple(x.shape), result_type(x, w), x)

    def forward(self, x: Any, t: Any, w: Any) -> Any:
        xp, least = array_module(x), x.dtype.type(-100)
        with np.errstate(divide="ignore"):
            yes, no = xp.maximum(xp.log(x), least), xp.maximum(xp.log1p(-x), least)
        y = (t - 1) * no - t * yes
        y = y if w is None else (y * w).astype(y.dtype, copy=False)
        self.n = y.size if self.reduction == "mean" else 1
        if self.reduction == "none":
            return y
        return xp.add.reduce(y, axis=None) / y.dtype.type(self.n)

    def backward(self, g: Any) -> Any:
        x, t, w = self.inputs
        g = g / self.n if self.n != 1 else g
        g = g if w is None else g * w
        gx = gt = None
        if self.needs[0]:
            gx = g * (x - t) / clamp_min(x * (1 - x), 1e-12)
        if self.needs[1]:
            gt = g * (log(1 - x) - log(x))
        return gx, gt, None


def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Binary cross entropy of probabilities.

    Math: L = −mean w (t log x + (1 − t) log(1 − x))
          ∂L/∂x = g w (x − t) / (x (1 − x)), over n for the mean
          ∂L/∂t = g w (log(1 − x) − log x)
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Args:
        input: probabilities of the second class.
        target: 0 or 1, or a probability.
        weight: of each element, broadcast.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: for different sizes or an unknown reduction.
        RuntimeError: for anything other than a probability.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.binary_cross_entropy
        >>> f(torch.tensor([0.5]), torch.tensor([1.0]))
        tensor(0.6931)
    """
    if _m.special_modes and binary_cross_entropy in _m.modes.autocast:
        return _m.autocast(
            binary_cross_entropy, input, target, weight, size_average, reduce, reduction
        )
    reduction = reduction_name(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(
            f"Using a target size (torch.Size({list(target.shape)})) that is different "
            f"to the input size (torch.Size({list(input.shape)})) is deprecated. "
            "Please ensure they have the same size."
        )
    if weight is not None:
        broadcast_shapes(target.size(), weight.size())
    refuse_gradients("binary_cross_entropy", weight=weight)
    loss: Tensor = apply(BinaryCrossEntropy(reduction), input, target, weight)
    return loss


class BinaryCrossEntropyWithLogits(Op):
    """Binary cross entropy of logits, computed without overflow.

    Math: y = w ((1 − t) x − (1 + (p − 1) t) log σ(x)), their mean or sum
          ∂L/∂x = g w ((1 + (p − 1) t) σ(x) − p t)
          ∂L/∂t = g w (log σ(−x) − p log σ(x))
    Shape: (*), (*), (*), (*) -> (*) or ()
    """

    constants = (2, 3)
    attributes = ("reduction",)
    rounded: Any = None  # if all are 16-bit floats
    roundings: tuple[Any, ...] = (no_rounding,) * 4  # if some are

    def __init__(self, reduction: str) -> None:
        self.reduction = reduction

    def check(self, x: Any, t: Any, w: Any, p: Any) -> None:
        """Reject weights that would broadcast the losses to another shape.

        16-bit floats are rounded at every step, as in PyTorch.
        """
        if p is not None:
            wide = np.broadcast_shapes(tuple(x.shape), tuple(p.shape))
            check_fits(wide, common_dtype(x._data, t._data, p._data), x)
        if w is not None:
            check_fits_shape(x.shape, w.shape)
            check_fits(tuple(x.shape), result_type(x, w), x)
        given = [v for v in (x, t, w, p) if v is not None]
        if any(v._data.dtype.itemsize == 2 for v in given):
            self.rounded = half_rounding(*given)
            kinds = (x,), (t,), (t if p is None else p,), (t, t if p is None else p)
            self.roundings = tuple(half_rounding(*k) or no_rounding for k in kinds)

    def forward(self, x: Any, t: Any, w: Any, p: Any) -> Any:
        r_x, r_t, r_p, r_both = self.roundings
        dtype = t.dtype
        x, t, w, p = (
            v.astype(np.float32) if v is not None and v.itemsize == 2 else v
            for v in (x, t, w, p)
        )
        with accept_arrays():
            yes = r_x(logsigmoid(x))
        if p is not None:
            yes = r_x(yes * r_both(1 + r_both(r_p(p - 1) * t)))
        y = r_t(r_t(r_t(1 - t) * x) - yes)  # as in PyTorch, which writes into 1 − t
        y = y if w is None else r_t(y * w)
        y = y.astype(dtype, copy=False)
        self.n = y.size if self.reduction == "mean" else 1
        if self.reduction == "none":
            return match_strides(y, t)
        return _scaled_sum(y, self.n)

    def backward(self, g: Any) -> Any:
        x, t, w, p = self.inputs
        if self.rounded and not isinstance(g, Tensor) and not self.needs[1]:
            return self._gradient_in_steps(g, x, t, w, p), None, None, None
        g = g / self.n if self.n != 1 else g
        g = g if w is None else g * w
        gx = gt = None
        if self.needs[0]:
            yes = t if p is None else p * t
            share = 1 if p is None else 1 + yes - t
            gx = g * (share * sigmoid(x) - yes)
        if self.needs[1]:
            yes = logsigmoid(x) if p is None else p * logsigmoid(x)
            gt = g * (logsigmoid(-x) - yes)
        return gx, gt, None, None

    def _gradient_in_steps(self, g: Any, x: Any, t: Any, w: Any, p: Any) -> Any:
        """∂L/∂x for 16-bit floats, with PyTorch's roundings."""
        r, score = self.rounded, self.rounded(sigmoid(x))
        if p is None:
            gx = r(score - t)
        else:
            yes = r(p * t)
            gx = r(r(r(r(yes + 1) - t) * score) - yes)
        gx = r(gx * g)
        gx = gx if w is None else r(gx * w)
        return gx / self.n


def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """Binary cross entropy of logits, computed without overflow.

    Math: L = −mean w (p t log σ(x) + (1 − t) log(1 − σ(x)))
          ∂L/∂x = g w (σ(x) (1 + (p − 1) t) − p t), over n for the mean
          ∂L/∂t = g w (log(1 − σ(x)) − p log σ(x)), over n for the mean
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Args:
        input: scores; their sigmoid is the probability of the second class.
        target: 0 or 1, or a probability.
        weight: of each element, broadcast.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".
        pos_weight: p, how much the second class counts, broadcast.

    Raises:
        ValueError: for different sizes or an unknown reduction.
        RuntimeError: for targets that are not floating-point numbers.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.binary_cross_entropy_with_logits
        >>> f(torch.tensor([0.0]), torch.tensor([1.0]))
        tensor(0.6931)
    """
    if _m.special_modes and binary_cross_entropy_with_logits in _m.modes.autocast:
        return _m.autocast(
            binary_cross_entropy_with_logits, input, target, weight, size_average,
            reduce, reduction, pos_weight,
        )  # fmt: skip
    need_tensors("binary_cross_entropy_with_logits", input=input, target=target)
    need_optional(
        "binary_cross_entropy_with_logits", 3, weight=weight, pos_weight=pos_weight
    )
    reduction = reduction_name(size_average, reduce, reduction)
    if tuple(target.shape) != tuple(input.shape):
        raise ValueError(
            f"Target size (torch.Size({list(target.shape)})) must be the same as input "
            f"size (torch.Size({list(input.shape)}))"
        )
    refuse_gradients(
        "binary_cross_entropy_with_logits", weight=weight, pos_weight=pos_weight
    )
    refuse_kinds("log_sigmoid_cpu", "iubc", input)
    if pos_weight is not None:
        if pos_weight.dtype.short == "Bool":
            sub(pos_weight, 1)  # raises the error
        raise_if(broadcast_error([pos_weight.shape, target.shape]))
    inexact = target.is_floating_point() or target.is_complex()
    if input.is_floating_point() and not inexact:
        if target.dtype.short == "Bool":
            sub(target, target)  # raises the error
        raise cast_error(input.dtype.short, target.dtype.short)
    op = BinaryCrossEntropyWithLogits(reduction)
    loss: Tensor = apply(op, input, target, weight, pos_weight)
    return loss


class SoftMarginLoss(Op):
    """Logistic loss of scores for targets −1 and 1.

    Math: y = log(1 + exp(−t·x)), their mean or sum      ∂L/∂x = −g t σ(−t·x)
    Shape: (*), (*) -> (*) or ()
    """

    constants = (1,)
    attributes = ("reduction",)
    forward_in_single = False  # exp overflows in 16 bits, as PyTorch's

    def __init__(self, reduction: str) -> None:
        self.reduction = reduction

    def check(self, x: Any, t: Any) -> None:
        if x.dtype.is_floating_point or x.dtype.is_complex:
            return
        found = result_type(x, t)
        inexact = found.is_floating_point or found.is_complex
        raise cast_error(found.short if inexact else "Float", x.dtype.short)

    def promote(self, x: Any, t: Any) -> Any:
        """Use the dtype of the scores for the loss."""
        return x, t.astype(x.dtype, copy=False)

    def forward(self, x: Any, t: Any) -> Any:
        y = array_module(x).asarray(np.log1p(np.exp(-(x * t))))
        self.n = y.size if self.reduction == "mean" else 1
        return y if self.reduction == "none" else _scaled_sum(y, self.n)

    def backward(self, g: Any) -> Any:
        x, t = self.inputs
        g = g / self.n if self.n != 1 else g
        return -g * (t * sigmoid(-(x * t))), None


def _scaled_sum(y: Any, n: int) -> Any:
    """The sum of losses divided by `n`, in single precision for 16-bit floats."""
    wide = np.float32 if y.dtype.itemsize == 2 else y.dtype
    total = array_module(y).add.reduce(y, axis=None, dtype=wide)
    return (total / total.dtype.type(n)).astype(y.dtype)


@composite
def soft_margin_loss(
    input: Tensor,
    target: Tensor,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Logistic loss of scores for targets −1 and 1.

    Math: L = mean log(1 + exp(−t·x))      ∂L/∂x = −g t σ(−t·x), over n for the mean
    Shape: (*), (*) -> (), or (*) with reduction "none"

    Args:
        input: scores.
        target: −1 or 1.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none".

    Raises:
        ValueError: for an unknown reduction.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.soft_margin_loss
        >>> f(torch.tensor([0.0]), torch.tensor([1.0]))
        tensor(0.6931)
    """
    if _m.special_modes and soft_margin_loss in _m.modes.autocast:
        return _m.autocast(
            soft_margin_loss, input, target, size_average, reduce, reduction
        )
    need_tensors("soft_margin_loss", input=input, target=target)
    reduction = reduction_name(size_average, reduce, reduction)
    if input._data.dtype.kind == "b":
        neg(input)  # raises the error
    refuse_gradients("soft_margin_loss", target=target)
    check_fits_shape(input.shape, target.shape)
    if target.is_complex() and input.is_floating_point():
        check_fits(tuple(input.shape), result_type(input, target), input)
    loss: Tensor = apply(SoftMarginLoss(reduction), input, target)
    return loss


@composite
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: bool | None = None,
    reduce: bool | None = None,
    reduction: str = "mean",
) -> Tensor:
    """Binary cross entropy of several labels, averaged over the labels.

    Math: L = −mean (t log σ(x) + (1 − t) log σ(−x))
          ∂L/∂x = g w (σ(x) − t) / C, over N for the mean
    Shape: (N, C), (N, C) -> (), or (N) with reduction "none"

    Args:
        input: a score for each label.
        target: 0 or 1 for each label.
        weight: of each label.
        size_average: deprecated; use `reduction`.
        reduce: deprecated; use `reduction`.
        reduction: "mean", "sum" or "none", over the samples.

    Raises:
        ValueError: for an unknown reduction.

    Example:
        >>> import edutorch as torch
        >>> f = torch.nn.functional.multilabel_soft_margin_loss
        >>> f(torch.zeros(1, 2), torch.tensor([[1.0, 0.0]]))
        tensor(0.6931)
    """
    reduction = legacy_reduction(size_average, reduce, reduction)
    if not isinstance(input, Tensor):
        raise TypeError(
            "log_sigmoid(): argument 'input' (position 1) must be Tensor, not "
            f"{type(input).__name__}"
        )
    yes, no = target * logsigmoid(input), (1 - target) * logsigmoid(-input)
    losses = -(yes + no)
    if weight is not None:
        losses = losses * weight
    if not input.ndim:
        raise IndexError("Dimension specified as -1 but tensor has no dimensions")
    classes = input.ndim - 1  # without the dimensions that the target adds in front
    losses = sum(losses, (classes,)) / input.shape[classes]
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")  # a TypeError unless it is text
    return reduce_losses(losses, reduction)
