"""Recurrent networks: layers on layers, in one or two directions.

Each function takes a padded batch or packed rows, as PyTorch's overloads do:

    lstm(input, hx, params, has_biases, num_layers, dropout, train, bidirectional,
         batch_first)
    lstm(data, batch_sizes, hx, params, has_biases, num_layers, dropout, train,
         bidirectional)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ...autograd import modes as _m
from ...config import plain
from ...tensor.tensor import Tensor
from ..dropout import dropout as drop
from ..matmul.linear import linear
from ..registration import composite
from ..shape import cat, stack, transpose, unbind
from .recurrence import gru_layer, lstm_layer, rnn_layer
from .unrolled import unrolled_gru, unrolled_lstm, unrolled_rnn

__all__ = ["gru", "lstm", "rnn_relu", "rnn_tanh"]


class Weights(NamedTuple):
    """The parameters of one layer in one direction."""

    ih: Any
    hh: Any
    b_ih: Any = None
    b_hh: Any = None
    hr: Any = None


class Rows(NamedTuple):
    """The inputs of all steps: (T, B, F), or packed as (N, F), and rows of a step."""

    x: Any
    sizes: tuple[int, ...]


Direction = Callable[[Rows, Any, Weights, bool], Any]


def _lstm(rows: Rows, state: Any, w: Weights, reverse: bool) -> Any:
    """One layer in one direction: the input's part of all steps at once, the loop."""
    bias = None if w.b_ih is None else w.b_ih + w.b_hh
    a = linear(rows.x, w.ih, bias)  # (T, B, 4 H)
    if w.hr is not None or plain():
        return unrolled_lstm(a, state, w.hh, rows.sizes, reverse, w.hr)
    return lstm_layer(a, state, w.hh, rows.sizes, reverse)


def _gru(rows: Rows, state: Any, w: Weights, reverse: bool) -> Any:
    a = linear(rows.x, w.ih, w.b_ih)  # (T, B, 3 H)
    layer = unrolled_gru if plain() else gru_layer
    return layer(a, state[0], w.hh, w.b_hh, rows.sizes, reverse)


def _rnn(rows: Rows, state: Any, w: Weights, reverse: bool, kind: str) -> Any:
    bias = None if w.b_ih is None else w.b_ih + w.b_hh
    a = linear(rows.x, w.ih, bias)  # (T, B, H)
    layer = unrolled_rnn if plain() else rnn_layer
    return layer(a, state[0], w.hh, rows.sizes, reverse, kind)


def _group_parameters(params: Any, has_biases: bool, projected: bool) -> list[Weights]:
    """A flat list of parameters as one group for each layer and direction."""
    each = 2 + 2 * has_biases + projected
    if len(params) % each:
        raise RuntimeError("got an incorrect number of RNN parameters")
    groups = [params[i : i + each] for i in range(0, len(params), each)]
    if not projected:
        return [Weights(*group) for group in groups]
    biases = 2 + 2 * has_biases
    return [Weights(*group[:biases])._replace(hr=group[-1]) for group in groups]


def _stacked(
    direction: Direction, rows: Rows, states: Any, groups: list[Weights],
    num_layers: int, dropout: float, bidirectional: bool,
) -> tuple[Tensor, ...]:  # fmt: skip
    """All layers: what one gives, with dropout, is the input of the next.

    `dropout` is 0 outside training.
    """
    x, sizes, finals = rows.x, rows.sizes, []
    ways = 2 if bidirectional else 1
    for layer in range(num_layers):
        if layer and dropout:
            x = drop(x, dropout, True)
        ys = []
        for k in range(layer * ways, (layer + 1) * ways):
            reverse = k % ways == 1
            y, *final = direction(Rows(x, sizes), states[k], groups[k], reverse)
            ys.append(y)
            finals.append(final)
        x = cat(ys, -1) if bidirectional else ys[0]
    return x, *(stack(column) for column in zip(*finals, strict=True))


def _check_counts(states: Any, groups: Any, num_layers: int, both: bool) -> None:
    if both and (len(states) % 2 or len(groups) % 2):
        raise RuntimeError(
            "Odd number of params or hiddens given to a bidirectional RNN"
        )
    needed = num_layers * (2 if both else 1)
    if len(states) < needed:
        raise RuntimeError("Expected more hidden states in stacked_rnn")
    if len(groups) < needed:
        raise RuntimeError("Expected more weights in stacked_rnn")


def _each(hx: Tensor) -> Any:
    """The state of every layer and direction."""
    if hx._data.shape[0] == 1 and not hx.requires_grad:
        return (hx[0],)  # takes half as long, and there is no node that could tell
    return unbind(hx)


def _run(
    direction: Direction, x: Tensor, order: Any, hx: Any, params: Any,
    has_biases: bool, num_layers: int, dropout: float, train: bool, bidirectional: bool,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Padded or packed, `order` tells: `batch_first`, or the sizes of packed steps."""
    if isinstance(order, Tensor):
        sizes = tuple(int(n) for n in order)
    else:
        x = transpose(x, 0, 1) if order else x  # (T, B, F)
        steps, rows = x._data.shape[:2]
        sizes = (rows,) * steps
    if not sizes:
        raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
    projected = len(hx) == 2 and hx[0]._data.shape[2] != hx[1]._data.shape[2]
    states = list(zip(*[_each(t) for t in hx], strict=True))
    groups = _group_parameters(list(params), has_biases, projected)
    _check_counts(states, groups, num_layers, bidirectional)
    share = dropout if train else 0.0
    rows = Rows(x, sizes)
    y, *finals = _stacked(
        direction, rows, states, groups, num_layers, share, bidirectional
    )
    return (transpose(y, 0, 1) if order is True else y, *finals)


def _is_packed(hx: Any, params: Any) -> bool:
    """The second argument is `batch_sizes` where the third is no list of parameters."""
    several = isinstance(params, (list, tuple))
    return isinstance(hx, Tensor) and (
        not several or (len(params) == 2 and not hx.is_floating_point())
    )


def _parse_arguments(
    direction: Direction, input: Tensor, hx: Any, params: Any, *settings: Any
) -> tuple[Tensor, ...]:
    """Sort the arguments of the two overloads."""
    order, middle = settings[-1], settings[:-1]
    if _is_packed(hx, params):
        order, hx, params, middle = hx, params, settings[0], settings[1:]
    else:
        order = bool(order)
    states = (hx,) if isinstance(hx, Tensor) else tuple(hx)
    return _run(direction, input, order, states, params, *middle)


@composite
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
    """Layers of long short-term memory over a batch of sequences.

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
        dropout: how probably what a layer hands to the next is left out, in training.

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
    if _m.rare and lstm in _m.modes.autocast:
        return _m.autocast(
            lstm, input, hx, params, has_biases, num_layers, dropout, train,
            bidirectional, batch_first,
        )  # fmt: skip
    states = params if _is_packed(hx, params) else hx
    if isinstance(states, Tensor) or len(states) != 2:
        raise RuntimeError("lstm expects two hidden states")
    return _parse_arguments(
        _lstm, input, hx, params, has_biases, num_layers, dropout, train,
        bidirectional, batch_first,
    )  # fmt: skip


@composite
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
    """Layers of gated recurrent units over a batch of sequences.

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
        dropout: how probably what a layer hands to the next is left out, in training.

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
    return _parse_arguments(
        _gru, input, hx, params, has_biases, num_layers, dropout, train, bidirectional,
        batch_first,
    )  # fmt: skip


@composite
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
    """Plain recurrent layers with tanh over a batch of sequences.

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
    return _parse_arguments(
        partial(_rnn, kind="tanh"), input, hx, params, has_biases, num_layers, dropout,
        train, bidirectional, batch_first,
    )  # fmt: skip


@composite
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
    """Plain recurrent layers with rectifiers over a batch of sequences.

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
    return _parse_arguments(
        partial(_rnn, kind="relu"), input, hx, params, has_biases, num_layers, dropout,
        train, bidirectional, batch_first,
    )  # fmt: skip
