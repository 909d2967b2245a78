"""One step of a recurrent layer: rnn_tanh_cell, rnn_relu_cell, lstm_cell, gru_cell."""

from __future__ import annotations

from collections.abc import Sequence

from ...autograd import modes as _m
from ...op_events import reported
from ...tensor.tensor import Tensor
from ..activations import relu
from ..argument_errors import argument_error, parser_errors
from ..matmul.linear import linear
from ..pointwise import tanh
from ..registration import composite
from .gates import gru_gates, lstm_gates

__all__ = ["gru_cell", "lstm_cell", "rnn_relu_cell", "rnn_tanh_cell"]


def _check(
    x: Tensor, states: Sequence[Tensor], w_ih: Tensor, w_hh: Tensor, gates: int
) -> None:
    """Raise for sizes that do not match, with PyTorch's messages.

    Sizes are checked one after another, as there; the error names a missing dimension.
    """
    if x.size(1) != w_ih.size(1):
        raise RuntimeError(
            f"input has inconsistent input_size: got {x.size(1)} expected "
            f"{w_ih.size(1)}"
        )
    size = w_hh.size(1)
    if gates == 4:  # an LSTM's weights come first
        _check_weights(w_ih, w_hh, gates, size)
        _check_states(x, states, size)
    else:
        _check_states(x, states, size)
        _check_weights(w_ih, w_hh, gates, size)


def _check_weights(w_ih: Tensor, w_hh: Tensor, gates: int, size: int) -> None:
    for name, w in (("weight_ih", w_ih), ("weight_hh", w_hh)):
        if w.size(0) != gates * size:
            raise RuntimeError(
                f"{name} first dim must be {gates} * hidden_size = {gates * size}, but "
                f"got {w.size(0)}"
            )


def _check_states(x: Tensor, states: Sequence[Tensor], size: int) -> None:
    for i, h in enumerate(states):
        if x.size(0) != h.size(0):
            raise RuntimeError(
                f"Input batch size {x.size(0)} doesn't match hidden{i} batch size "
                f"{h.size(0)}"
            )
        if h.size(1) != size:
            raise RuntimeError(
                f"hidden{i} has inconsistent hidden_size: got {h.size(1)}, expected "
                f"{size}"
            )


@composite
@reported
def rnn_tanh_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """One step of an Elman recurrent layer with tanh.

    Math: h' = tanh(a), a = x w_ihᵀ + b_ih + h w_hhᵀ + b_hh
          ∂L/∂a = g · (1 − h'²)      ∂L/∂x = ∂L/∂a w_ih      ∂L/∂h = ∂L/∂a w_hh
          ∂L/∂w_ih = (∂L/∂a)ᵀ x      ∂L/∂w_hh = (∂L/∂a)ᵀ h
    Shape: (B, F), (B, H), (H, F), (H, H), (H), (H) -> (B, H)

    Raises:
        RuntimeError: for sizes that do not fit.

    Reference: Elman (1990), "Finding structure in time".

    Example:
        >>> import edutorch as torch
        >>> one = torch.ones(1, 1)
        >>> torch.rnn_tanh_cell(one, one, one, one)
        tensor([[0.9640]])
    """
    if _m.special_modes and rnn_tanh_cell in _m.modes.autocast:
        return _m.autocast(rnn_tanh_cell, input, hx, w_ih, w_hh, b_ih, b_hh)
    _check(input, (hx,), w_ih, w_hh, 1)
    return tanh(linear(hx, w_hh, b_hh) + linear(input, w_ih, b_ih))


@composite
@reported
def rnn_relu_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """One step of an Elman recurrent layer with ReLU.

    Math: h' = max(0, a), a = x w_ihᵀ + b_ih + h w_hhᵀ + b_hh
          ∂L/∂a = g where h' > 0      ∂L/∂x = ∂L/∂a w_ih      ∂L/∂h = ∂L/∂a w_hh
          ∂L/∂w_ih = (∂L/∂a)ᵀ x      ∂L/∂w_hh = (∂L/∂a)ᵀ h
    Shape: (B, F), (B, H), (H, F), (H, H), (H), (H) -> (B, H)

    Raises:
        RuntimeError: for sizes that do not fit.

    Reference: Le, Jaitly and Hinton (2015), "A simple way to initialize recurrent
    networks of rectified linear units".

    Example:
        >>> import edutorch as torch
        >>> one = torch.ones(1, 1)
        >>> torch.rnn_relu_cell(one, one, one, one)
        tensor([[2.]])
    """
    if _m.special_modes and rnn_relu_cell in _m.modes.autocast:
        return _m.autocast(rnn_relu_cell, input, hx, w_ih, w_hh, b_ih, b_hh)
    _check(input, (hx,), w_ih, w_hh, 1)
    return relu(linear(hx, w_hh, b_hh) + linear(input, w_ih, b_ih))


@composite
@parser_errors
@reported
def lstm_cell(
    input: Tensor,
    hx: Sequence[Tensor],
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """One step of a long short-term memory; returns the new h and c.

    Math: a = x w_ihᵀ + b_ih + h w_hhᵀ + b_hh, in four parts a_i, a_f, a_z, a_o
          c' = σ(a_f) · c + σ(a_i) · tanh(a_z)      h' = σ(a_o) · tanh(c')
          ∂L/∂c' = gc + gh · σ(a_o) · (1 − tanh² c')      ∂L/∂c = ∂L/∂c' · σ(a_f)
          ∂L/∂x = ∂L/∂a w_ih      ∂L/∂h = ∂L/∂a w_hh      ∂L/∂w_ih = (∂L/∂a)ᵀ x
    Shape: (B, F), 2 times (B, H), (4 H, F), (4 H, H), (4 H), (4 H) -> 2 times (B, H)

    Args:
        hx: h and c.

    Raises:
        TypeError: for one tensor as `hx`.
        RuntimeError: for sizes that do not fit.

    Reference: Hochreiter and Schmidhuber (1997), "Long short-term memory"; Gers,
    Schmidhuber and Cummins (2000), "Learning to forget".

    Example:
        >>> import edutorch as torch
        >>> x, h, c = (torch.ones(1, 1) for _ in range(3))
        >>> torch.lstm_cell(x, (h, c), torch.zeros(4, 1), torch.zeros(4, 1))
        (tensor([[0.2311]]), tensor([[0.5000]]))
    """
    if _m.special_modes and lstm_cell in _m.modes.autocast:
        return _m.autocast(lstm_cell, input, hx, w_ih, w_hh, b_ih, b_hh)
    if isinstance(hx, Tensor):
        raise argument_error() or TypeError(
            "lstm_cell(): argument 'hx' (position 2) must be tuple of Tensors, not "
            "Tensor"
        )
    if len(hx) != 2:
        raise RuntimeError("lstm_cell expects two hidden states")
    h, c = hx
    _check(input, hx, w_ih, w_hh, 4)
    # The state first, as in PyTorch: hooks of parameters see the order.
    return lstm_gates(linear(h, w_hh, b_hh) + linear(input, w_ih, b_ih), c)


@composite
@parser_errors
@reported
def gru_cell(
    input: Tensor,
    hx: Tensor,
    w_ih: Tensor,
    w_hh: Tensor,
    b_ih: Tensor | None = None,
    b_hh: Tensor | None = None,
) -> Tensor:
    """One step of a gated recurrent unit.

    Math: a = x w_ihᵀ + b_ih, r = h w_hhᵀ + b_hh, each in three parts
          s = σ(a_r + r_r)      z = σ(a_z + r_z)      n = tanh(a_n + s · r_n)
          h' = n + z · (h − n)
          ∂L/∂a_n = g (1 − z)(1 − n²)      ∂L/∂a_z = g (h − n) z (1 − z)
          ∂L/∂a_r = ∂L/∂a_n · r_n s (1 − s); ∂L/∂r is the same but ∂L/∂r_n = ∂L/∂a_n · s
          ∂L/∂x = ∂L/∂a w_ih      ∂L/∂h = g · z + ∂L/∂r w_hh
    Shape: (B, F), (B, H), (3 H, F), (3 H, H), (3 H), (3 H) -> (B, H)

    Raises:
        RuntimeError: for sizes that do not fit.

    Reference: Cho et al. (2014), "Learning phrase representations using RNN
    encoder-decoder for statistical machine translation".

    Example:
        >>> import edutorch as torch
        >>> one = torch.ones(1, 1)
        >>> torch.gru_cell(one, one, torch.zeros(3, 1), torch.zeros(3, 1))
        tensor([[0.5000]])
    """
    if _m.special_modes and gru_cell in _m.modes.autocast:
        return _m.autocast(gru_cell, input, hx, w_ih, w_hh, b_ih, b_hh)
    _check(input, (hx,), w_ih, w_hh, 3)
    if hx.dim() > 2:  # the gates are parts of dimension 1
        size = w_hh.size(1)
        raise RuntimeError(
            f"The size of tensor a ({3 * size}) must match the size of tensor b "
            f"({size}) at non-singleton dimension {hx.dim() - 1}"
        )
    return gru_gates(linear(input, w_ih, b_ih), linear(hx, w_hh, b_hh), hx)
