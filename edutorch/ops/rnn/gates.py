"""The elementwise part of one step of an LSTM or GRU, as one op each."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...autograd.dispatch import Op, apply
from ...autograd.op_errors import cast_error
from ...config import plain
from ...kernels import rnn_gates as kernels
from ...tensor.tensor import Tensor
from ..pointwise import sigmoid, tanh
from ..shape import unsafe_chunk
from .double_backward import gradients_through, upcast_half

__all__ = [
    "gru_gates", "gru_gates_reference", "lstm_gates", "lstm_gates_reference",
    "same_dtype",
]  # fmt: skip


def lstm_gates_reference(a: Any, c: Any) -> tuple[Any, Any]:
    """`lstm_gates` as a direct implementation of its formula.

    Math: i, f, z, o = σ(a_i), σ(a_f), tanh(a_z), σ(a_o)
          c' = f · c + i · z      h = o · tanh(c')
    Shape: (B, 4 H), (B, H) -> (B, H), (B, H)
    """
    a_i, a_f, a_z, a_o = unsafe_chunk(a, 4, -1)
    c = sigmoid(a_f) * c + sigmoid(a_i) * tanh(a_z)
    return sigmoid(a_o) * tanh(c), c


class LstmGates(Op):
    """Computes h and the new cell state from an LSTM's gate inputs and cell state.

    Math: c' = σ(a_f) · c + σ(a_i) · tanh(a_z)      h = σ(a_o) · tanh(c')
          ∂L/∂c' = gc + gh · o · (1 − tanh²c')      ∂L/∂c = ∂L/∂c' · f
          ∂L/∂a_i = ∂L/∂c' · z i (1 − i)      ∂L/∂a_f = ∂L/∂c' · c f (1 − f)
          ∂L/∂a_z = ∂L/∂c' · i (1 − z²)       ∂L/∂a_o = gh · tanh(c') o (1 − o)
    Shape: (B, 4 H), (B, H) -> (B, H), (B, H)
    """

    multiple_outputs = True
    saves_extra = True

    def forward(self, a: Any, c: Any) -> Any:
        dtype = a.dtype
        a, before = upcast_half(a, c)
        factors = kernels.tanh_scale_and_shift(a, "ssts")
        a, c = a * factors[0], before.copy()
        h, tanh_c = kernels.lstm_step(a, c, factors)
        self.saved = a, before, tanh_c
        return h.astype(dtype, copy=False), c.astype(dtype, copy=False)

    def backward(self, gh: Any, gc: Any) -> Any:
        if isinstance(gh, Tensor):
            return gradients_through(lstm_gates_reference, self, (gh, gc))
        a, before, tanh_c = self.saved
        gate_grads, d_c = kernels.lstm_derivatives(a, before, tanh_c)
        gc, f = gc.astype(a.dtype), kernels.split_lstm_gates(a)[1]  # gc is a copy
        kernels.lstm_step_backward(gh, gc, f, gate_grads, d_c)
        return gate_grads, gc


def lstm_gates(a: Tensor, c: Tensor) -> tuple[Tensor, Tensor]:
    """Hidden and cell state after one step of an LSTM; see `LstmGates`.

    Math: c' = σ(a_f) · c + σ(a_i) · tanh(a_z)      h = σ(a_o) · tanh(c')
    Shape: (B, 4 H), (B, H) -> (B, H), (B, H)

    Example:
        >>> import edutorch as torch
        >>> h, c = lstm_gates(torch.zeros(1, 4), torch.ones(1, 1))
        >>> c
        tensor([[0.5000]])
    """
    _refuse_integers(a)
    if plain() or not same_dtype(a, c):
        return lstm_gates_reference(a, c)
    return apply(LstmGates(), a, c)


def same_dtype(a: Tensor, b: Tensor) -> bool:
    """Whether a step can be one op; autocast leaves the state as it is.

    If not, each of the ops it is composed of promotes its operands.
    """
    return a._data.dtype == b._data.dtype


def _refuse_integers(a: Tensor) -> None:
    """Raise for integers, which PyTorch's gates in place cannot hold."""
    if a._data.dtype.kind in "iu":
        raise cast_error("Float", a.dtype.short)


def gru_gates_reference(a: Any, r: Any, h: Any) -> tuple[Any]:
    """`gru_gates` as a direct implementation of its formula, in a tuple.

    Math: s = σ(a_r + r_r)      z = σ(a_z + r_z)      n = tanh(a_n + s · r_n)
          h' = n + z · (h − n)
    Shape: (B, 3 H), (B, 3 H), (B, H) -> (B, H)
    """
    (a_r, a_z, a_n), (r_r, r_z, r_n) = unsafe_chunk(a, 3, -1), unsafe_chunk(r, 3, -1)
    s = sigmoid(r_r + a_r)  # in PyTorch's order, which an error shows
    z = sigmoid(r_z + a_z)
    n = tanh(a_n + s * r_n)
    return (n + z * (h - n),)


class GruGates(Op):
    """Computes the new hidden state from a GRU's gate inputs.

    Math: s = σ(a_r + r_r)      z = σ(a_z + r_z)      n = tanh(a_n + s · r_n)
          h' = n + z · (h − n)      ∂L/∂h = g · z
          ∂L/∂a_n = g · (1 − z)(1 − n²)      ∂L/∂a_z = ∂L/∂r_z = g · (h − n) z (1 − z)
          ∂L/∂a_r = ∂L/∂r_r = ∂L/∂a_n · r_n s (1 − s)      ∂L/∂r_n = ∂L/∂a_n · s
    Shape: (B, 3 H), (B, 3 H), (B, H) -> (B, H)
    """

    torch_name = "Add"  # the last of what PyTorch composes it of
    saves_extra = True

    def forward(self, a: Any, r: Any, h: Any) -> Any:
        dtype = a.dtype
        a, r, h = upcast_half(a, r, h)
        scale, _ = kernels.tanh_scale_and_shift(a, "sst")
        a = a * scale
        y = kernels.gru_step(a, r * scale, h)
        self.saved = a
        return y.astype(dtype, copy=False)

    def backward(self, g: Any) -> Any:
        if isinstance(g, Tensor):
            return gradients_through(gru_gates_reference, self, (g,))
        a, (_, r, h) = self.saved, upcast_half(*self.inputs)
        gate_grads, gr = (
            kernels.gru_derivatives(a, kernels.split_gru_gates(r)[2], h),
            np.empty_like(a),
        )
        gh = kernels.gru_step_backward(g, a, gate_grads, gr)
        return gate_grads, gr, gh


def gru_gates(a: Tensor, r: Tensor, h: Tensor) -> Tensor:
    """Hidden state after one step of a GRU; see `GruGates`.

    Math: h' = n + z · (h − n), z = σ(a_z + r_z), n = tanh(a_n + σ(a_r + r_r) · r_n)
    Shape: (B, 3 H), (B, 3 H), (B, H) -> (B, H)

    Example:
        >>> import edutorch as torch
        >>> gru_gates(torch.zeros(1, 3), torch.zeros(1, 3), torch.ones(1, 1))
        tensor([[0.5000]])
    """
    _refuse_integers(a)
    if plain() or not (same_dtype(a, h) and same_dtype(r, h)):
        return gru_gates_reference(a, r, h)[0]
    return apply(GruGates(), a, r, h)
