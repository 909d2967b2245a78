"""Connectionist temporal classification: the sum over all alignments of a sequence.

Labels are interleaved with blanks: a b becomes _ a _ b _. `alpha[t, n, s]` is the log
probability of all alignments of the first t + 1 steps that end at position s of that
sequence, `beta` that of all alignments of the rest. Each time step is computed for the
whole batch and all positions at once.

Reference: Graves, Fernández, Gomez, Schmidhuber (2006), "Connectionist temporal
classification", equations 6-16.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module

__all__ = ["ctc_backward", "ctc_forward", "interleave_blanks"]


def interleave_blanks(targets: Any, blank: int) -> tuple[Any, Any]:
    """Labels with blanks between them, and where an alignment may skip a blank.

    Shape: (N, S) -> (N, 2 S + 1), (N, 2 S + 1)

    Example:
        >>> places, skips = interleave_blanks(np.array([[1, 1, 2]]), 0)
        >>> places
        array([[0, 1, 0, 1, 0, 2, 0]])
        >>> skips.astype(int)
        array([[0, 0, 0, 0, 0, 1, 0]])
    """
    xp = array_module(targets)
    n, s = targets.shape
    places = xp.full((n, 2 * s + 1), blank, np.int64)
    places[:, 1::2] = targets
    skips = xp.zeros(places.shape, bool)
    skips[:, 2:] = places[:, 2:] != places[:, :-2]
    return places, skips


def ctc_forward(
    logp: Any, targets: Any, steps: Any, lengths: Any, blank: int
) -> tuple[Any, Any]:
    """Negative log probability of each label sequence, and alpha for the backward.

    Math: alpha_t(s) = log(sum of exp alpha_(t-1) at s, s-1, and s-2 where a blank may
          be skipped) + logp_t(l_s)
    Shape: (T, N, C), (N, S), (N), (N) -> (N), (T, N, 2 S + 1)

    Args:
        logp: log probabilities of the classes at each step.
        targets: labels, padded.
        steps: how many steps of each sample count.
        lengths: how many labels of each sample count.
        blank: the class of no label.
    """
    xp = array_module(logp)
    places, skips = interleave_blanks(targets, blank)
    chosen = xp.take_along_axis(logp, places[None], axis=2)  # (T, N, 2 S + 1)
    alpha = xp.full(chosen.shape, -np.inf, logp.dtype)
    if len(alpha):
        alpha[0, :, :2] = chosen[0, :, :2]
    for t in range(1, len(alpha)):
        alpha[t] = _forward_step(alpha[t - 1], skips) + chosen[t]
    rows = xp.arange(len(lengths))
    last = xp.where(steps > 0, steps - 1, 0)
    end = alpha[last, rows, 2 * lengths]
    before = xp.where(
        lengths > 0, alpha[last, rows, xp.maximum(2 * lengths - 1, 0)], -np.inf
    )
    loss = -xp.logaddexp(end, before).astype(logp.dtype)
    # Without steps there is one alignment, of no labels.
    nothing = xp.where(lengths == 0, logp.dtype.type(0), logp.dtype.type(np.inf))
    return xp.where(steps > 0, loss, nothing), alpha


def _forward_step(alpha: Any, skips: Any) -> Any:
    """Log probabilities of each position after one more step."""
    xp = array_module(alpha)
    y = alpha.copy()
    y[:, 1:] = xp.logaddexp(y[:, 1:], alpha[:, :-1])
    two = xp.where(skips[:, 2:], alpha[:, :-2], -np.inf)
    y[:, 2:] = xp.logaddexp(y[:, 2:], two)
    return y


def ctc_backward(
    g: Any,
    logp: Any,
    targets: Any,
    steps: Any,
    lengths: Any,
    blank: int,
    loss: Any,
    alpha: Any,
) -> Any:
    """Gradient of `ctc_forward`, taken through the softmax that made `logp`.

    Like PyTorch's, it is right for log probabilities that add up to 1.

    Math: gx_t(c) = g (p_t(c) - sum_(s: l_s = c) q_t(s) / p_t(c)),
          q_t(s) = exp(alpha_t(s) + beta_t(s) + loss)
    Shape: (N), (T, N, C), ... -> (T, N, C)
    """
    xp = array_module(logp)
    places, skips = interleave_blanks(targets, blank)
    chosen = xp.take_along_axis(logp, places[None], axis=2)
    beta = _beta(chosen, skips, steps, lengths)
    n, c = logp.shape[1:]
    with np.errstate(invalid="ignore"):  # inf - inf
        shares = xp.exp(alpha + beta - chosen + loss[:, None])
    occupied = xp.zeros(logp.shape, logp.dtype)
    cells = (xp.arange(n)[:, None] * c + places).reshape(-1)
    for t in range(len(logp)):
        xp.add.at(occupied[t].reshape(-1), cells, shares[t].reshape(-1))
    occupied[:, loss == np.inf] = np.nan  # no alignment is possible
    gx = (xp.exp(logp) - occupied) * g[:, None]
    counted = xp.arange(len(logp))[:, None] < steps  # (T, N)
    return xp.where(counted[..., None], gx, logp.dtype.type(0))


def _beta(chosen: Any, skips: Any, steps: Any, lengths: Any) -> Any:
    """Log probabilities of all paths from each step and position to the end."""
    xp = array_module(chosen)
    beta = xp.full(chosen.shape, -np.inf, chosen.dtype)
    rows = xp.arange(len(lengths))
    final = xp.full(chosen.shape[1:], -np.inf, chosen.dtype)
    final[rows, 2 * lengths] = 0
    nonempty = xp.nonzero(lengths > 0)[0]
    final[nonempty, 2 * lengths[nonempty] - 1] = 0
    leave = xp.zeros(skips.shape, bool)
    leave[:, :-2] = skips[:, 2:]  # where a step may advance by two positions
    for t in range(len(chosen) - 1, -1, -1):
        onward = final
        if t + 1 < len(chosen):
            ends_here = (steps == t + 1)[:, None]
            onward = xp.where(ends_here, final, _backward_step(beta[t + 1], leave))
        onward = xp.where((steps > t)[:, None], onward, -np.inf)
        beta[t] = onward + chosen[t]
    return beta


def _backward_step(beta: Any, leave: Any) -> Any:
    """Log probabilities of the rest after each position, one step earlier."""
    xp = array_module(beta)
    y = beta.copy()
    y[:, :-1] = xp.logaddexp(y[:, :-1], beta[:, 1:])
    two = xp.where(leave[:, :-2], beta[:, 2:], -np.inf)
    y[:, :-2] = xp.logaddexp(y[:, :-2], two)
    return y
