"""Recurrent layers for sequences: RNN, LSTM, GRU."""

from __future__ import annotations

from typing import Any

from .rnn_base import OneState, RNNBase, TwoStates
from .rnn_cells import GRUCell, LSTMCell, RNNCell, RNNCellBase

__all__ = [
    "GRU", "GRUCell", "LSTM", "LSTMCell", "RNN", "RNNBase", "RNNCell", "RNNCellBase",
]  # fmt: skip


def _refuse_projection(proj_size: Any) -> None:
    if proj_size is not None:
        raise ValueError(
            "proj_size argument is only supported for LSTM, not RNN or GRU"
        )


class RNN(OneState):
    """Elman recurrent layers with tanh or ReLU.

    Math: h_t = tanh(a_t), a_t = x_t W_ihᵀ + b_ih + h_(t−1) W_hhᵀ + b_hh
          ∂L/∂a_t = ∂L/∂h_t · (1 − h_t²)      ∂L/∂h_(t−1) = ∂L/∂a_t W_hh
          ∂L/∂W_hh = Σ_t (∂L/∂a_t)ᵀ h_(t−1)      ∂L/∂W_ih = Σ_t (∂L/∂a_t)ᵀ x_t
    Shape: (T, B, F), (L, B, H) -> (T, B, D H), (L, B, H), with D directions and L
        layers times directions; (B, T, ...) with `batch_first`; B may be absent
    Reference: Elman, 1990.

    Raises:
        ValueError, TypeError, RuntimeError: see `RNNBase`; for inputs that do not fit.

    Example:
        >>> import edutorch as torch
        >>> layer = torch.nn.RNN(1, 1, bias=False)
        >>> for w in layer.parameters():
        ...     _ = torch.nn.init.ones_(w)
        >>> y, h = layer(torch.tensor([[1.0], [0.0], [0.0]]))
        >>> y.flatten().detach()  # tanh 1, tanh tanh 1 ..: the first input echoes
        tensor([0.7616, 0.6420, 0.5663])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: Any = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        _refuse_projection(proj_size)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(
                f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'."
            )
        mode = f"RNN_{nonlinearity.upper()}"
        super().__init__(
            mode, input_size, hidden_size, num_layers, bias, batch_first, dropout,
            bidirectional, device=device, dtype=dtype,
        )  # fmt: skip
        self.nonlinearity = nonlinearity


class LSTM(TwoStates):
    """Long short-term memory layers.

    Math: i, f, o = σ(a_i), σ(a_f), σ(a_o)      z = tanh(a_z)
          a = x_t W_ihᵀ + b_ih + h_(t−1) W_hhᵀ + b_hh, in the order i, f, z, o
          c_t = f · c_(t−1) + i · z      h_t = o · tanh(c_t)
          ∂L/∂c_(t−1) = ∂L/∂c_t · f      ∂L/∂h_(t−1) = ∂L/∂a W_hh, as in `LSTMCell`
          ∂L/∂W_hh = Σ_t (∂L/∂a)ᵀ h_(t−1)      ∂L/∂W_ih = Σ_t (∂L/∂a)ᵀ x_t
    Shape: (T, B, F), twice (L, B, H) -> (T, B, D H), twice (L, B, H), with D directions
        and L layers times directions; (B, T, ...) with `batch_first`; B may be absent
    Reference: Hochreiter and Schmidhuber, 1997; projections: Sak et al., 2014.

    Raises:
        ValueError, TypeError, RuntimeError: see `RNNBase`; for inputs that do not fit.

    Example:
        >>> import edutorch as torch
        >>> y, (h, c) = torch.nn.LSTM(10, 20, 2)(torch.ones(5, 3, 10))
        >>> y.shape, c.shape
        (torch.Size([5, 3, 20]), torch.Size([2, 3, 20]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(
            "LSTM", input_size, hidden_size, num_layers, bias, batch_first, dropout,
            bidirectional, proj_size, device, dtype,
        )  # fmt: skip


class GRU(OneState):
    """Gated recurrent layers.

    Math: a = x_t W_ihᵀ + b_ih      r = h_(t−1) W_hhᵀ + b_hh, in the order s, z, n
          s = σ(a_s + r_s)      z = σ(a_z + r_z)      n = tanh(a_n + s · r_n)
          h_t = (1 − z) · n + z · h_(t−1)
          ∂L/∂h_(t−1) = g · z + ∂L/∂r W_hh, as in `GRUCell`
          ∂L/∂W_hh = Σ_t (∂L/∂r)ᵀ h_(t−1)      ∂L/∂W_ih = Σ_t (∂L/∂a)ᵀ x_t
    Shape: (T, B, F), (L, B, H) -> (T, B, D H), (L, B, H), with D directions and L
        layers times directions; (B, T, ...) with `batch_first`; B may be absent
    Reference: Cho et al., 2014.

    Raises:
        ValueError, TypeError, RuntimeError: see `RNNBase`; for inputs that do not fit.

    Example:
        >>> import edutorch as torch
        >>> y, h = torch.nn.GRU(10, 20, bidirectional=True)(torch.ones(5, 3, 10))
        >>> y.shape, h.shape
        (torch.Size([5, 3, 40]), torch.Size([2, 3, 20]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: Any = None,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        _refuse_projection(proj_size)
        super().__init__(
            "GRU", input_size, hidden_size, num_layers, bias, batch_first, dropout,
            bidirectional, device=device, dtype=dtype,
        )  # fmt: skip
