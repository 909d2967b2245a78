"""Chapter 6: losses and numerical stability."""

from __future__ import annotations

from typing import Any

from edutorch.course.compare import need_tuple
from edutorch.course.exercise import Exercise

from .ch06_losses import grade_bce, grade_smoothed
from .ch06_reductions import grade_masked, grade_weighted
from .ch06_softmax import grade_cross_entropy, grade_gradient, grade_log_softmax

__all__ = ["EXERCISES"]


def log_softmax(answer: Any) -> None:
    """06.1: log-softmax that does not overflow."""
    grade_log_softmax(answer)


def cross_entropy(answer: Any) -> None:
    """06.2: cross entropy, and its gradient p - y."""
    loss, gradient = need_tuple(answer, "cross_entropy, cross_entropy_gradient")
    grade_cross_entropy(loss)
    grade_gradient(gradient)


def bce_with_logits(answer: Any) -> None:
    """06.3: binary cross entropy for logits of any size."""
    grade_bce(answer)


def smooth_cross_entropy(answer: Any) -> None:
    """06.4: label smoothing."""
    grade_smoothed(answer)


def masked_mean(answer: Any) -> None:
    """06.5: the mean over valid elements."""
    grade_masked(answer)


def weighted_cross_entropy(answer: Any) -> None:
    """06.6: class weights."""
    grade_weighted(answer)


EXERCISES = (
    Exercise(
        "06.1",
        "a log-softmax that survives",
        2,
        (
            (
                "Which number can be subtracted from all logits of a row so that "
                "only the size of exp changes?"
            ),
            (
                "The logarithm of a quotient is a difference: z minus log-sum-exp. "
                "keepdim=True keeps the shape that broadcasting needs."
            ),
            (
                "shifted = logits - logits.amax(dim=-1, keepdim=True); then subtract "
                "shifted.exp().sum(dim=-1, keepdim=True).log() from shifted."
            ),
        ),
        log_softmax,
    ),
    Exercise(
        "06.2",
        "cross-entropy and its gradient",
        2,
        (
            "One number of each row counts: the one at its label.",
            (
                "Two lists as an index, [torch.arange(n), labels], take one number "
                "of each row. exp of log_softmax gives the probabilities back."
            ),
            (
                "-log_softmax(logits)[torch.arange(len(labels)), labels].mean(). "
                "The gradient: take p = log_softmax(logits).exp(), subtract 1 at "
                "[torch.arange(len(labels)), labels], divide by len(labels)."
            ),
        ),
        cross_entropy,
    ),
    Exercise(
        "06.3",
        "BCE with logits",
        2,
        (
            (
                "Which of the two exponentials, exp(z) and exp(-z), can overflow where "
                "z is large? And where it is very negative?"
            ),
            (
                "Write the loss as log(1 + exp(z)) - z y. Then "
                "log(1 + exp(z)) = max(z, 0) + log(1 + exp(-|z|)), for every z."
            ),
            (
                "(logits + logits.abs()) / 2 - logits * targets "
                "+ torch.log1p((-logits.abs()).exp()). max(z, 0) is (z + |z|) / 2, "
                "which has the right gradient at z = 0, too; that of clamp is 1 there."
            ),
        ),
        bce_with_logits,
    ),
    Exercise(
        "06.4",
        "label smoothing",
        1,
        (
            "What are the targets of one row, and what do they add up to?",
            (
                "The cross-entropy with any targets is -(targets · log_softmax) "
                "added up over the classes, then the mean over the rows."
            ),
            (
                "Per row: (1 - smoothing) times the log p of the label, plus smoothing "
                "times the mean of all log p; minus the mean of that over the rows."
            ),
        ),
        smooth_cross_entropy,
    ),
    Exercise(
        "06.5",
        "a masked loss",
        1,
        (
            (
                "You need two numbers: the sum of the losses that count, and how "
                "many there are."
            ),
            (
                "nan · 0 is nan, so select instead of multiplying: losses[mask] "
                "or torch.where. And what if none counts?"
            ),
            "losses[mask].sum() / mask.sum().clamp(min=1)",
        ),
        masked_mean,
    ),
    Exercise(
        "06.6",
        "class weights",
        1,
        (
            "What is the weight of a row? That of its class.",
            (
                "weights[labels] has one weight for each row. A weighted mean is "
                "divided by the sum of the weights that were used."
            ),
            (
                "each = -log_softmax(logits)[torch.arange(len(labels)), labels]; "
                "(weights[labels] * each).sum() / weights[labels].sum()"
            ),
        ),
        weighted_cross_entropy,
    ),
)
