"""Recurrent layers composed of ops: the reference, and for second derivatives.

Layers run this way under `edutorch.config.kernels("plain")`; the graph then shows every
step. Rows are packed, see Note [Packed rows] in `recurrence.py`.
"""

from __future__ import annotations

from typing import Any

from ..activations import relu
from ..matmul.linear import linear
from ..pointwise import tanh
from ..shape import cat, reshape, split, stack, unbind
from .gates import gru_gates, gru_gates_reference, lstm_gates, lstm_gates_reference

__all__ = ["step_spans", "unrolled_gru", "unrolled_lstm", "unrolled_rnn"]


def step_spans(sizes: tuple[int, ...], reverse: bool) -> list[tuple[slice, int]]:
    """The rows of each step and their number, in execution order.

    Example:
        >>> step_spans((2, 1), False)
        [(slice(0, 2, None), 2), (slice(2, 3, None), 1)]
    """
    found, start = [], 0
    for n in sizes:
        found.append((slice(start, start + n), n))
        start += n
    return found[::-1] if reverse else found


def _rows_of_steps(x: Any, sizes: tuple[int, ...], reverse: bool) -> Any:
    """The rows of each step, in execution order."""
    parts = unbind(x) if x.ndim == 3 else split(x, sizes)
    return parts[::-1] if reverse else parts


def _first_rows(state: Any, n: int) -> Any:
    """The first rows of the state; itself, without an op, if that is all of them."""
    return state if n == state.shape[0] else state[:n]


def _replace_first_rows(state: Any, first: Any) -> Any:
    """The state with its first rows replaced."""
    n = first.shape[0]
    return first if n == state.shape[0] else cat([first, state[n:]])


def _join_steps(ys: list[Any], reverse: bool, leading: tuple[int, ...]) -> Any:
    """Join the outputs of all steps in row order."""
    ys = ys[::-1] if reverse else ys
    if len(leading) == 2:  # all steps have as many rows
        return stack(ys)
    y = cat(ys)
    return reshape(y, (*leading, y.shape[-1]))


def unrolled_lstm(
    x: Any, state: Any, w: Any, sizes: tuple[int, ...], reverse: bool,
    w_hr: Any = None, fused: bool = True,
) -> Any:  # fmt: skip
    """An LSTM step by step; with `w_hr`, each h is projected.

    Math: h_t, c_t = lstm_gates(x_t + h_(t−1) wᵀ, c_(t−1))      h_t = h_t w_hrᵀ
    Shape: (T, B, 4 H), (B, P), (B, H), (4 H, P), (P, H) -> (T, B, P), (B, P), (B, H)
    Reference: Sak, Senior and Beaufays, 2014 (projections).

    Args:
        fused: whether the gates are one op, or composed of many.
    """
    h, c = state
    ys, leading = [], x.shape[:-1]
    gates = lstm_gates if fused else lstm_gates_reference
    for part in _rows_of_steps(x, sizes, reverse):
        n = part.shape[0]
        y, cells = gates(part + linear(_first_rows(h, n), w), _first_rows(c, n))
        if w_hr is not None:
            y = linear(y, w_hr)  # (n, P)
        ys.append(y)
        h, c = _replace_first_rows(h, y), _replace_first_rows(c, cells)
    return _join_steps(ys, reverse, leading), h, c


def unrolled_gru(
    x: Any, h: Any, w: Any, b: Any, sizes: tuple[int, ...], reverse: bool,
    fused: bool = True,
) -> Any:  # fmt: skip
    """A gated recurrent layer step by step.

    Math: h_t = gru_gates(x_t, h_(t−1) wᵀ + b, h_(t−1))
    Shape: (T, B, 3 H), (B, H), (3 H, H), (3 H) -> (T, B, H), (B, H)
    """
    ys, leading = [], x.shape[:-1]
    for part in _rows_of_steps(x, sizes, reverse):
        before = _first_rows(h, part.shape[0])
        r = linear(before, w, b)  # (n, 3 H)
        if fused:
            y = gru_gates(part, r, before)
        else:
            (y,) = gru_gates_reference(part, r, before)
        ys.append(y)
        h = _replace_first_rows(h, y)
    return _join_steps(ys, reverse, leading), h


def unrolled_rnn(
    x: Any, h: Any, w: Any, sizes: tuple[int, ...], reverse: bool, kind: str
) -> Any:
    """An Elman recurrent layer step by step; `kind` is "tanh" or "relu".

    Math: h_t = f(x_t + h_(t−1) wᵀ)
    Shape: (T, B, H), (B, H), (H, H) -> (T, B, H), (B, H)
    """
    ys, leading = [], x.shape[:-1]
    function = tanh if kind == "tanh" else relu
    for part in _rows_of_steps(x, sizes, reverse):
        y = function(part + linear(_first_rows(h, part.shape[0]), w))
        ys.append(y)
        h = _replace_first_rows(h, y)
    return _join_steps(ys, reverse, leading), h
