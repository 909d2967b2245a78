"""Recurrent networks: several layers, in one or two directions.

Each function takes a padded batch or packed rows, as PyTorch's overloads do:

    lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional,
         batch_first)
    lstm(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train,
         bidirectional)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...autograd import modes as _m
from ...autograd.half_precision import is_half
from ...config import plain
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..dropout import dropout as drop
from ..matmul.linear import linear
from ..registration import composite
from ..shape import cat, stack, transpose
from .arguments import Rows, Weights, parse_arguments
from .gates import same_dtype
from .recurrence import gru_layer, lstm_layer, rnn_layer
from .unrolled import unrolled_gru, unrolled_lstm, unrolled_rnn

__all__ = ["gru", "lstm", "rnn_relu", "rnn_tanh"]


Direction = Callable[[Rows, Any, Weights, bool], Any]


def _lstm(rows: Rows, state: Any, w: Weights, reverse: bool) -> Any:
    """One layer in one direction: the input's product for all steps, then the loop."""
    bias = None if w.b_ih is None else w.b_ih + w.b_hh
    a = linear(rows.x, w.ih, bias)  # (T, B, 4 H)
    if w.hr is not None or plain() or not same_dtype(a, state[0]):
        return unrolled_lstm(a, state, w.hh, rows.sizes, reverse, w.hr)
    return lstm_layer(a, state, w.hh, rows.sizes, reverse)


def _gru(rows: Rows, state: Any, w: Weights, reverse: bool) -> Any:
    a = linear(rows.x, w.ih, w.b_ih)  # (T, B, 3 H)
    composed = plain() or not same_dtype(a, state[0])
    layer = unrolled_gru if composed else gru_layer
    return layer(a, state[0], w.hh, w.b_hh, rows.sizes, reverse)


def _rnn(rows: Rows, state: Any, w: Weights, reverse: bool, kind: str) -> Any:
    bias = None if w.b_ih is None else w.b_ih + w.b_hh
    a = linear(rows.x, w.ih, bias)  # (T, B, H)
    composed = plain() or not same_dtype(a, state[0])
    layer = unrolled_rnn if composed else rnn_layer
    return layer(a, state[0], w.hh, rows.sizes, reverse, kind)


def _in_single(
    one: Direction, rows: Rows, state: Any, w: Weights, reverse: bool
) -> Any:
    """One layer of 16-bit floats computed in 32 bits: only its results are rounded."""
    dtype = rows.x.dtype
    if not all(t is None or t.dtype is dtype for t in (*state, *w)):
        return one(rows, state, w, reverse)  # which refuses them
    wide = Weights(*[None if t is None else t.float() for t in w])
    x, state = rows._replace(x=rows.x.float()), [t.float() for t in state]
    return [y.to(dtype) for y in one(x, state, wide, reverse)]


def _run(one: Direction, *arguments: Any) -> tuple[Tensor, ...]:
    """Run all layers; the output of each, with dropout, is the input of the next."""
    (x, sizes), layers, dropout, batch_first = parse_arguments(one is _lstm, *arguments)
    finals: list[Any]
    finals, layer = [], partial(_in_single, one) if is_half(x._data.dtype) else one
    for i, directions in enumerate(layers):
        if i and dropout:
            x = drop(x, dropout, True)
        ys = []
        for state, weights, reverse in directions:
            y, *final = layer(Rows(x, sizes), state, weights, reverse)
            ys.append(y)
            finals.append(final)
        x = ys[0] if len(ys) == 1 else cat(ys, -1)
    states = (stack(column) for column in zip(*finals, strict=True))
    return (transpose(x, 0, 1) if batch_first else x, *states)


@composite
@reported
def lstm(
    input: Tensor,
    hx: Any,
    params: Any,
    has_biases: Any,
    num_layers: Any,
    dropout: Any,
    train: Any,
    bidirectional: Any,
    batch_first: Any,
) -> tuple[Tensor, ...]:
    """Long short-term memory layers over a batch of sequences.

    Packed rows are accepted as well: `lstm(data, batch_sizes, hx, params, has_biases,
    num_layers, dropout, train, bidirectional)`.

    Math: a_t = x_t w_ihᵀ + b_ih + h_(t−1) w_hhᵀ + b_hh, in four parts
          c_t = σ(a_f) · c_(t−1) + σ(a_i) · tanh(a_z)      h_t = σ(a_o) · tanh(c_t)
          ∂L/∂h_(t−1) = ∂L/∂a_t w_hh, from the last step to the first as in `lstm_cell`
    Shape: (T, B, F), twice (layers · directions, B, H) -> (T, B, directions · H) and
        twice as the states; with `batch_first` (B, T, ...)

    Args:
        hx: the first h and c of every layer and direction.
        params: w_ih, w_hh, b_ih, b_hh and, with projections, w_hr of each of them.
        dropout: the probability of zeroing an output between layers, in training.

    Raises:
        RuntimeError: for sizes and numbers of parameters or states that do not fit.

    Reference: Hochreiter and Schmidhuber (1997), "Long short-term memory".

    Example:
        >>> import edutorch as torch
        >>> x, h = torch.ones(5, 1, 1), torch.zeros(1, 1, 2)
        >>> w = [torch.zeros(8, 1), torch.zeros(8, 2)]
        >>> y, h, c = torch.lstm(x, (h, h), w, False, 1, 0.0, False, False, False)
        >>> y.shape, c.shape
        (torch.Size([5, 1, 2]), torch.Size([1, 1, 2]))
    """
    if _m.special_modes and lstm in _m.modes.autocast:
        return _m.autocast(
            lstm, input, hx, params, has_biases, num_layers, dropout, train,
            bidirectional, batch_first,
        )  # fmt: skip
    settings = has_biases, num_layers, dropout, train, bidirectional, batch_first
    return _run(_lstm, input, hx, params, *settings)


@composite
@reported
def gru(
    input: Tensor,
    hx: Tensor,
    params: Any,
    has_biases: Any,
    num_layers: Any,
    dropout: Any,
    train: Any,
    bidirectional: Any,
    batch_first: Any,
) -> tuple[Tensor, ...]:
    """Gated recurrent layers over a batch of sequences.

    Packed rows are accepted as well: `gru(data, batch_sizes, hx, params, has_biases,
    num_layers, dropout, train, bidirectional)`.

    Math: s, z = σ(x_t w_ihᵀ + b_ih + h_(t−1) w_hhᵀ + b_hh), the first two parts
          n = tanh(a_n + s · r_n)      h_t = n + z · (h_(t−1) − n)
          ∂L/∂h_(t−1), from the last step to the first, as of `gru_cell`
    Shape: (T, B, F), (layers · directions, B, H) -> (T, B, directions · H) and as the
        state; with `batch_first` (B, T, ...)

    Args:
        hx: the first h of every layer and direction.
        params: w_ih, w_hh, b_ih and b_hh of each of them.
        dropout: the probability of zeroing an output between layers, in training.

    Raises:
        RuntimeError: for sizes and numbers of parameters or states that do not fit.

    Reference: Cho et al. (2014), "Learning phrase representations using RNN
    encoder-decoder for statistical machine translation".

    Example:
        >>> import edutorch as torch
        >>> x, h = torch.ones(5, 1, 1), torch.ones(1, 1, 2)
        >>> w = [torch.zeros(6, 1), torch.zeros(6, 2)]
        >>> y, h = torch.gru(x, h, w, False, 1, 0.0, False, False, False)
        >>> y[:2, 0, 0], h.shape
        (tensor([0.5000, 0.2500]), torch.Size([1, 1, 2]))
    """
    settings = has_biases, num_layers, dropout, train, bidirectional, batch_first
    return _run(_gru, input, hx, params, *settings)


@composite
@reported
def rnn_tanh(
    input: Tensor,
    hx: Tensor,
    params: Any,
    has_biases: Any,
    num_layers: Any,
    dropout: Any,
    train: Any,
    bidirectional: Any,
    batch_first: Any,
) -> tuple[Tensor, ...]:
    """Elman recurrent layers with tanh over a batch of sequences.

    Packed rows are accepted as well: `rnn_tanh(data, batch_sizes, hx, params,
    has_biases, num_layers, dropout, train, bidirectional)`.

    Math: h_t = tanh(a_t), a_t = x_t w_ihᵀ + b_ih + h_(t−1) w_hhᵀ + b_hh
          ∂L/∂a_t = ∂L/∂h_t · (1 − h_t²)      ∂L/∂h_(t−1) = ∂L/∂a_t w_hh
    Shape: (T, B, F), (layers · directions, B, H) -> (T, B, directions · H) and as the
        state; with `batch_first` (B, T, ...)

    Raises:
        RuntimeError: for sizes and numbers of parameters or states that do not fit.

    Reference: Elman (1990), "Finding structure in time".

    Example:
        >>> import edutorch as torch
        >>> x, h = torch.ones(5, 1, 1), torch.ones(1, 1, 2)
        >>> w = [torch.zeros(2, 1), torch.zeros(2, 2)]
        >>> y, h = torch.rnn_tanh(x, h, w, False, 1, 0.0, False, False, False)
        >>> h
        tensor([[[0., 0.]]])
    """
    settings = has_biases, num_layers, dropout, train, bidirectional, batch_first
    return _run(partial(_rnn, kind="tanh"), input, hx, params, *settings)


@composite
@reported
def rnn_relu(
    input: Tensor,
    hx: Tensor,
    params: Any,
    has_biases: Any,
    num_layers: Any,
    dropout: Any,
    train: Any,
    bidirectional: Any,
    batch_first: Any,
) -> tuple[Tensor, ...]:
    """Elman recurrent layers with ReLU over a batch of sequences.

    Packed rows are accepted as well: `rnn_relu(data, batch_sizes, hx, params,
    has_biases, num_layers, dropout, train, bidirectional)`.

    Math: h_t = max(0, a_t), a_t = x_t w_ihᵀ + b_ih + h_(t−1) w_hhᵀ + b_hh
          ∂L/∂a_t = ∂L/∂h_t where h_t > 0      ∂L/∂h_(t−1) = ∂L/∂a_t w_hh
    Shape: (T, B, F), (layers · directions, B, H) -> (T, B, directions · H) and as the
        state; with `batch_first` (B, T, ...)

    Raises:
        RuntimeError: for sizes and numbers of parameters or states that do not fit.

    Example:
        >>> import edutorch as torch
        >>> x, h = torch.ones(3, 1, 1), torch.zeros(1, 1, 1)
        >>> w = [torch.ones(1, 1), torch.ones(1, 1)]
        >>> y, h = torch.rnn_relu(x, h, w, False, 1, 0.0, False, False, False)
        >>> y.flatten()
        tensor([1., 2., 3.])
    """
    settings = has_biases, num_layers, dropout, train, bidirectional, batch_first
    return _run(partial(_rnn, kind="relu"), input, hx, params, *settings)
