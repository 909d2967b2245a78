"""Connectionist temporal classification: unaligned labels."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd import modes as _m
from ...autograd.dispatch import Op, apply1
from ...autograd.save_for_backward import save_version
from ...backends import array_module, host_array
from ...kernels import ctc as kernels
from ...tensor.tensor import Tensor, wrap
from ..argument_checks import need_one_device, need_tensors, refuse_kinds
from ..argument_errors import check_call
from ..pointwise import where
from ..reduce import mean, sum
from .reduction import reduction_name

__all__ = ["ctc_loss"]


class CtcLoss(Op):
    """Negative log probability of label sequences, summed over all alignments.

    Math: y_n = −log Σ_readings Π_t p_t
          ∂L/∂x_t(c) = g (p_t(c) − P(c at t | labels))
    Shape: (T, N, C) -> (N)
    """

    attributes = ("targets", "steps", "lengths", "blank", "zero_infinity")
    saves_extra = True

    def __init__(
        self, targets: Any, steps: Any, lengths: Any, blank: int, zero_infinity: bool
    ) -> None:
        self.targets, self.steps, self.lengths = targets, steps, lengths
        self.blank, self.zero_infinity = blank, zero_infinity

    def check(self, x: Any) -> None:
        """Raise unless the log probabilities are floating-point."""
        if not x.dtype.is_floating_point:
            raise NotImplementedError(
                f"\"ctc_loss_cpu\" not implemented for '{x.dtype.short}'"
            )

    def forward(self, x: Any) -> Any:
        self.saved = kernels.ctc_forward(
            x, self.targets, self.steps, self.lengths, self.blank
        )
        return self.saved[0]

    def backward(self, g: Any) -> Any:
        if isinstance(g, Tensor):
            raise RuntimeError(
                "derivative for aten::_ctc_loss_backward is not implemented"
            )
        x = self.inputs[0]
        loss, alpha = self.saved
        gx = kernels.ctc_backward(
            g, x, self.targets, self.steps, self.lengths, self.blank, loss, alpha
        )
        if self.zero_infinity:
            gx = array_module(x).where((loss == np.inf)[:, None], x.dtype.type(0), gx)
        return gx


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Negative log probability of unaligned label sequences.

    Math: L_n = −log Σ_readings Π_t p_t(reading_t); "mean" divides by the lengths
          ∂L/∂x_t(c) = g (p_t(c) − P(c at t | labels))
    Shape: (T, N, C), (N, S) or (Σ lengths), (N), (N) -> (), or (N); N may be absent

    Args:
        log_probs: log probabilities of the classes at each step.
        targets: labels, padded to (N, S) or one after the other.
        input_lengths: how many steps of each sample count.
        target_lengths: how many labels each sample has.
        blank: the class of no label.
        reduction: "mean", "sum" or "none".
        zero_infinity: no loss, and no gradient, where the steps are too few.

    Raises:
        ValueError: for an unknown reduction.
        RuntimeError: for lengths or sizes that do not fit.

    Reference: Graves, Fernández, Gomez and Schmidhuber (2006), "Connectionist
    temporal classification".

    Example:
        >>> import edutorch as torch
        >>> x = torch.log(torch.full((2, 1, 2), 0.5))
        >>> torch.nn.functional.ctc_loss(x, torch.tensor([[1]]), (2,), (1,))
        tensor(0.2877)
    """
    if _m.special_modes and ctc_loss in _m.modes.autocast:
        return _m.autocast(
            ctc_loss, log_probs, targets, input_lengths, target_lengths, blank,
            reduction, zero_infinity,
        )  # fmt: skip
    need_tensors("ctc_loss", log_probs=log_probs, targets=targets)
    if targets.dtype.short != "Int":  # lengths may be on the CPU
        need_one_device("___ctc_loss", log_probs, targets=targets)
    reduction = reduction_name(None, None, reduction)
    tensors = [isinstance(n, Tensor) for n in (input_lengths, target_lengths)]
    check_call(type(blank) is int and all(tensors))
    single = log_probs.ndim == 2
    steps = _lengths_array("input_lengths", input_lengths)
    lengths = _lengths_array("target_lengths", target_lengths)
    _check_scores(log_probs)
    x = log_probs.reshape((-1, 1, log_probs.shape[1])) if single else log_probs
    labels = targets._data.astype(np.int64)
    _check(x, labels, steps, lengths, blank)
    xp = array_module(x._data)
    padded = _padded_labels(labels, lengths)
    op = CtcLoss(padded, xp.asarray(steps), xp.asarray(lengths), blank, zero_infinity)
    losses = apply1(op, x)
    save_version(losses, targets)
    if zero_infinity:
        losses = where(losses == float("inf"), 0.0, losses)
    if reduction == "mean":
        share = np.maximum(lengths, 1).astype(x._data.dtype)
        return mean(losses / wrap(xp.asarray(share), x._device))
    if reduction == "sum":
        return sum(losses)
    return losses.reshape(()) if single else losses


def _lengths_array(name: str, lengths: Any) -> Any:
    data = getattr(lengths, "_data", lengths)
    if isinstance(lengths, Tensor) and data.dtype.kind not in "iu":
        raise RuntimeError(f"{name} must be integral")
    return np.array(host_array(data), np.int64).reshape(-1)


def _padded_labels(labels: Any, lengths: Any) -> Any:
    """Labels as (N, S), given padded or concatenated."""
    if labels.ndim == 2:
        return labels
    xp = array_module(labels)
    y = xp.zeros((len(lengths), int(max(lengths, default=0))), np.int64)
    start = 0
    for i, n in enumerate(lengths):
        y[i, :n] = labels[start : start + n]
        start += n
    return y


def _check_scores(log_probs: Tensor) -> None:
    """Check that there are scores (T, N, C) or (T, C)."""
    n = log_probs.ndim
    if not log_probs._data.size:
        raise RuntimeError("log_probs tensor must not be empty")
    refuse_kinds("ctc_loss_cpu", "hiubc", log_probs)
    if n not in (2, 3):  # PyTorch adds a batch to all but the latter
        raise RuntimeError(
            f"Expected 3-dimensional tensor, but got {n + 1}-dimensional tensor for "
            "argument #1 'log_probs' (while checking arguments for "
            "ctc_loss_allocate_outputs)"
        )


def _check(x: Any, labels: Any, steps: Any, lengths: Any, blank: int) -> None:
    most, batch, classes = x.shape
    where = "(while checking arguments for ctc_loss_allocate_outputs)"
    if not 0 <= blank < classes:
        raise RuntimeError("blank must be in label range")
    for name, given in (("input_lengths", steps), ("target_lengths", lengths)):
        if len(given) != batch:
            raise RuntimeError(f"{name} must be of size batch_size")
    for n in lengths[lengths < 0]:
        raise RuntimeError(
            f"Expected target_lengths to have value at least 0, but got value {n} "
            + where
        )
    longest = int(lengths.max(initial=0))
    if labels.ndim not in (1, 2):
        raise RuntimeError(
            f"Expected 1 to 2 dimensions, but got {labels.ndim}-dimensional tensor for "
            f"argument #2 'targets' {where}"
        )
    if labels.ndim == 2 and len(labels) != batch:
        raise RuntimeError(
            f"Expected tensor to have size {batch} at dimension 0, but got size "
            f"{len(labels)} for argument #2 'targets' {where}"
        )
    if labels.ndim == 2 and labels.shape[1] < longest:
        raise RuntimeError(
            f"Expected tensor to have size at least {longest} at dimension 1, but got "
            f"size {labels.shape[1]} for argument #2 'targets' {where}"
        )
    if labels.ndim == 1 and labels.size != lengths.sum():
        raise RuntimeError(
            f"Expected tensor to have size {lengths.sum()} at dimension 0, but got "
            f"size {labels.size} for argument #2 'targets' {where}"
        )
    _check_steps(steps, most, where)


def _check_steps(steps: Any, most: int, where: str) -> None:
    for limit, wrong in (
        (f"most {most}", steps[steps > most]), ("least 0", steps[steps < 0])
    ):  # fmt: skip
        if wrong.size:
            raise RuntimeError(
                f"Expected input_lengths to have value at {limit}, but got value "
                f"{wrong[0]} {where}"
            )
