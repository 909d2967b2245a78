"""Recurrent cells, which compute one time step: RNNCell, LSTMCell, GRUCell."""

from __future__ import annotations

import math
from typing import Any

from ... import ops
from ...tensor.tensor import Tensor
from .. import init
from ..factories import empty_parameter, new_zeros
from .module import Module

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "RNNCellBase"]


class RNNCellBase(Module):
    """The base class of cells: sizes and parameters.

    Weights and biases start uniform in ±1/√hidden_size.

    Args:
        input_size: features of an input.
        hidden_size: features of the hidden state.
        bias: whether there are biases.
        num_chunks: how many gates there are.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.RNNCellBase(3, 2, True, 4).weight_ih.shape
        torch.Size([8, 3])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        gates = num_chunks * hidden_size
        self.weight_ih = empty_parameter((gates, input_size), device, dtype)
        self.weight_hh = empty_parameter((gates, hidden_size), device, dtype)
        for name in ("bias_ih", "bias_hh"):
            made = empty_parameter((gates,), device, dtype) if bias else None
            self.register_parameter(name, made)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Reinitialise all weights and biases."""
        size = self.hidden_size
        bound = 1.0 / math.sqrt(size) if size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        """Sizes, and the settings that differ from the defaults."""
        shown = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            shown += f", bias={self.bias}"
        kind = self.__dict__.get("nonlinearity", "tanh")
        return shown if kind == "tanh" else f"{shown}, nonlinearity={kind}"

    def _check_rank(self, what: str, t: Tensor) -> None:
        if t.dim() not in (1, 2):
            raise ValueError(
                f"{self._get_name()}: Expected {what} to be 1D or 2D, got {t.dim()}D "
                "instead"
            )

    def _zeros(self, x: Tensor) -> Tensor:
        """An initial state of zeros for a batch."""
        return new_zeros(x, (x._data.shape[0], int(self.hidden_size)))

    def _step(self, cell: Any, input: Tensor, hx: Tensor | None) -> Tensor:
        """The new state of a cell whose only state is h, for a batch or one sample."""
        self._check_rank("input", input)
        if hx is not None:
            self._check_rank("hidden", hx)
        single = input.dim() == 1
        x = input.unsqueeze(0) if single else input
        if hx is None:
            hx = self._zeros(x)
        elif single:
            hx = hx.unsqueeze(0)
        h = cell(x, hx, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)
        return h.squeeze(0) if single else h


class RNNCell(RNNCellBase):
    """One step of an Elman recurrent layer.

    Math: h' = tanh(a) or max(0, a), a = x W_ihᵀ + b_ih + h W_hhᵀ + b_hh
          ∂L/∂a = g · (1 − h'²), or g where h' > 0
          ∂L/∂x = ∂L/∂a W_ih      ∂L/∂h = ∂L/∂a W_hh
    Shape: (B, F), (B, H) -> (B, H); B may be absent
    Reference: Elman, 1990.

    Raises:
        ValueError, RuntimeError: for inputs that do not fit.

    Example:
        >>> import edutorch as torch
        >>> cell = torch.nn.RNNCell(1, 1, bias=False)
        >>> for w in cell.parameters():
        ...     _ = torch.nn.init.ones_(w)
        >>> cell(torch.tensor([0.5]), torch.tensor([0.5])).detach()  # tanh(0.5 + 0.5)
        tensor([0.7616])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 1, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The new hidden state."""
        cells = {"tanh": ops.rnn_tanh_cell, "relu": ops.rnn_relu_cell}
        if self.nonlinearity not in cells:
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        return self._step(cells[self.nonlinearity], input, hx)


class GRUCell(RNNCellBase):
    """One step of a gated recurrent unit.

    Math: s = σ(a_s + r_s)      z = σ(a_z + r_z)      n = tanh(a_n + s · r_n)
          h' = (1 − z) · n + z · h,  a = x W_ihᵀ + b_ih,  r = h W_hhᵀ + b_hh
          ∂L/∂a_n = g (1 − z)(1 − n²)      ∂L/∂a_z = g (h − n) z (1 − z)
          ∂L/∂a_s = ∂L/∂a_n · r_n s (1 − s); ∂L/∂r: the same, but ∂L/∂r_n = ∂L/∂a_n · s
          ∂L/∂x = ∂L/∂a W_ih      ∂L/∂h = g · z + ∂L/∂r W_hh
    Shape: (B, F), (B, H) -> (B, H); B may be absent
    Reference: Cho et al., 2014.

    Raises:
        ValueError, RuntimeError: for inputs that do not fit.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.GRUCell(10, 20)(torch.ones(3, 10)).shape
        torch.Size([3, 20])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 3, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The new hidden state."""
        return self._step(ops.gru_cell, input, hx)


class LSTMCell(RNNCellBase):
    """One step of a long short-term memory.

    Math: c' = σ(a_f) · c + σ(a_i) · tanh(a_z)      h' = σ(a_o) · tanh(c')
          a = x W_ihᵀ + b_ih + h W_hhᵀ + b_hh, in the order i, f, z, o
          ∂L/∂c' = gc + gh · σ(a_o) · (1 − tanh² c')      ∂L/∂c = ∂L/∂c' · σ(a_f)
          ∂L/∂x = ∂L/∂a W_ih      ∂L/∂h = ∂L/∂a W_hh
    Shape: (B, F), twice (B, H) -> twice (B, H); B may be absent
    Reference: Hochreiter and Schmidhuber, 1997.

    Raises:
        ValueError, RuntimeError: for inputs that do not fit.

    Example:
        >>> import edutorch as torch
        >>> h, c = torch.nn.LSTMCell(10, 20)(torch.ones(3, 10))
        >>> c.shape
        torch.Size([3, 20])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, 4, device, dtype)

    def forward(
        self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Tensor, Tensor]:
        """The new hidden state and cells."""
        self._check_rank("input", input)
        for i, state in enumerate(() if hx is None else hx):
            self._check_rank(f"hx[{i}]", state)
        single = input.dim() == 1
        x = input.unsqueeze(0) if single else input
        if hx is None:
            zeros = self._zeros(x)
            hx = zeros, zeros
        elif single:
            hx = hx[0].unsqueeze(0), hx[1].unsqueeze(0)
        weights = self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
        h, c = ops.lstm_cell(x, hx, *weights)
        return (h.squeeze(0), c.squeeze(0)) if single else (h, c)
