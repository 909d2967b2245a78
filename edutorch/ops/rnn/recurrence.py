"""One recurrent layer in one direction, over a whole sequence: one op each.

The caller has already computed the input's contribution to the gates, `x`, for all
steps in one product. This file has the loop over time. Backward is the same loop from
the end, and one product for the weight's gradient.

# Note [Packed rows]
Rows of all steps lie one after the other, sorted so that longer sequences come first:
step t has `sizes[t]` rows, at most as many as the step before. A padded batch is the
case of equal sizes. The state has a row for every sequence; a step changes the first
`sizes[t]` of them, so a sequence that has ended keeps its last state, and in the
reverse direction one that has not begun keeps its first.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ...autograd.dispatch import Op, apply
from ...kernels import rnn_gates as kernels
from ...kernels.activations import masked, relu
from ...kernels.products import product
from ...tensor.tensor import Tensor
from .double_backward import gradients_through, upcast_half
from .unrolled import step_spans, unrolled_gru, unrolled_lstm, unrolled_rnn

__all__ = ["gru_layer", "lstm_layer", "rnn_layer"]


MIN_COPY_STEPS = 8  # for fewer, a copy of the weight costs more than it saves


class Recurrence(Op):
    """Base class of the layers: the order of the steps.

    Attributes:
        sizes: the number of rows of every step.
        reverse: whether time runs backward.
    """

    attributes: ClassVar[tuple[str, ...]] = ("sizes", "reverse")
    multiple_outputs = True
    saves_extra = True

    def __init__(self, sizes: tuple[int, ...], reverse: bool) -> None:
        self.sizes, self.reverse = sizes, reverse

    def check(self, x: Any, h: Any, *others: Any) -> None:
        """Check that there is a state for each sequence."""
        if h.shape[0] != self.sizes[0]:
            raise RuntimeError(
                f"The size of tensor a ({h.shape[0]}) must match the size of tensor b "
                f"({self.sizes[0]}) at non-singleton dimension 0"
            )

    def step_weight(self, w: Any, scale: Any = None) -> Any:
        """The transposed weight; with many steps a copy, scaled if requested."""
        if len(self.sizes) < MIN_COPY_STEPS:
            return w.T
        return np.ascontiguousarray(w.T if scale is None else w.T * scale)

    def steps(self) -> list[tuple[slice, int]]:
        """The rows of each step and their number, in execution order."""
        return step_spans(self.sizes, self.reverse)


class LstmLayer(Recurrence):
    """A long short-term memory over a sequence.

    Math: a_t = x_t + h_(t−1) wᵀ      h_t, c_t = lstm_gates(a_t, c_(t−1))
          ∂L/∂x_t = ∂L/∂a_t      ∂L/∂h_(t−1) = ∂L/∂a_t w
          ∂L/∂w = Σ_t ∂L/∂a_tᵀ h_(t−1)
    Shape: (T, B, 4 H), (B, H), (B, H), (4 H, H) -> (T, B, H), (B, H), (B, H)
    """

    onnx = "LSTM"
    torch_name = "MkldnnRnnLayer"

    def forward(self, x: Any, h: Any, c: Any, w: Any) -> Any:
        dtype, leading = x.dtype, x.shape[:-1]
        x, h, c, w = upcast_half(x, h.copy(), c.copy(), w)
        factors = scale, _ = kernels.tanh_scale_and_shift(x, "ssts")
        x = x.reshape(-1, x.shape[-1]) * scale  # (N, 4 H), all steps
        a, wt, few = (
            np.empty_like(x),
            self.step_weight(w, scale),
            len(self.sizes) < MIN_COPY_STEPS,
        )
        y, tanh_c, hs, cs = (np.empty_like(x[:, : h.shape[1]]) for _ in range(4))
        for rows, n in self.steps():
            hs[rows], cs[rows] = h[:n], c[:n]  # as they were before the step
            gates = product(hs[rows], wt, a[rows])  # (n, 4 H)
            if few:
                gates *= scale
            gates += x[rows]
            y[rows], tanh_c[rows] = kernels.lstm_step(gates, c[:n], factors)
            h[:n] = y[rows]
        self.saved = a, tanh_c, hs, cs
        y = y.reshape(*leading, h.shape[1])
        return tuple(z.astype(dtype, copy=False) for z in (y, h, c))

    def backward(self, gy: Any, gh: Any, gc: Any) -> Any:
        if isinstance(gy, Tensor):
            return gradients_through(self.unrolled, self, (gy, gh, gc))
        a, tanh_c, hs, cs = self.saved
        gy, w = upcast_half(gy.reshape(-1, gy.shape[-1]), self.inputs[3])
        gh, gc = gh.astype(a.dtype), gc.astype(a.dtype)  # copies
        ga, d_c = kernels.lstm_derivatives(
            a, cs, tanh_c
        )  # local derivatives become gradients
        f = kernels.split_lstm_gates(a)[1]
        for rows, n in reversed(self.steps()):
            g = gh[:n]
            g += gy[rows]
            kernels.lstm_step_backward(g, gc[:n], f[rows], ga[rows], d_c[rows])
            product(ga[rows], w, g)
        gw = product(ga.T, hs) if self.needs[3] else None
        return ga.reshape(self.inputs[0].shape), gh, gc, gw

    def unrolled(self, x: Any, h: Any, c: Any, w: Any) -> Any:
        """The same layer composed of ops."""
        return unrolled_lstm(x, (h, c), w, self.sizes, self.reverse, fused=False)


class GruLayer(Recurrence):
    """A layer of gated recurrent units over a sequence.

    Math: r_t = h_(t−1) wᵀ + b      h_t = gru_gates(x_t, r_t, h_(t−1))
          ∂L/∂w = Σ_t ∂L/∂r_tᵀ h_(t−1)      ∂L/∂b = Σ_t ∂L/∂r_t
    Shape: (T, B, 3 H), (B, H), (3 H, H), (3 H) or None -> (T, B, H), (B, H)
    """

    onnx = "GRU"
    torch_name = "Stack"

    def forward(self, x: Any, h: Any, w: Any, b: Any = None) -> Any:
        dtype, leading = np.result_type(x.dtype, h.dtype), x.shape[:-1]
        x, h, w = upcast_half(x, h.copy(), w)
        scale, _ = kernels.tanh_scale_and_shift(x, "sst")
        a = x.reshape(-1, x.shape[-1]) * scale  # (N, 3 H), all steps
        wt, b = self.step_weight(w, scale), None if b is None else b * scale
        few = len(self.sizes) < MIN_COPY_STEPS
        y, r_n, hs = (np.empty_like(a[:, : h.shape[1]]) for _ in range(3))
        for rows, n in self.steps():
            hs[rows] = h[:n]
            r = product(hs[rows], wt)  # (n, 3 H)
            if few:
                r *= scale
            if b is not None:
                r += b
            r_n[rows] = kernels.split_gru_gates(r)[2]
            y[rows] = kernels.gru_step(a[rows], r, hs[rows])
            h[:n] = y[rows]
        self.saved = a, r_n, hs
        y = y.reshape(*leading, h.shape[1])
        return y.astype(dtype, copy=False), h.astype(dtype, copy=False)

    def backward(self, gy: Any, gh: Any) -> Any:
        if isinstance(gy, Tensor):
            return gradients_through(self.unrolled, self, (gy, gh))
        a, r_n, hs = self.saved
        gy, w = upcast_half(gy.reshape(-1, gy.shape[-1]), self.inputs[2])
        gh = gh.astype(a.dtype)  # a copy
        ga, gr = kernels.gru_derivatives(a, r_n, hs), np.empty_like(a)
        for rows, n in reversed(self.steps()):
            g = gh[:n] + gy[rows]  # local derivatives become gradients
            direct = kernels.gru_step_backward(g, a[rows], ga[rows], gr[rows])
            product(gr[rows], w, gh[:n])
            gh[:n] += direct
        gx = ga.reshape(self.inputs[0].shape)
        gw = product(gr.T, hs) if self.needs[2] else None
        return (gx, gh, gw, gr.sum(0))[: len(self.needs)]

    def unrolled(self, x: Any, h: Any, w: Any, b: Any = None) -> Any:
        """The same layer composed of ops."""
        return unrolled_gru(x, h, w, b, self.sizes, self.reverse, fused=False)


class RnnLayer(Recurrence):
    """An Elman recurrent layer over a sequence.

    Math: h_t = f(x_t + h_(t−1) wᵀ), f = tanh or max(0, ·)
          ∂L/∂x_t = ∂L/∂h_t · f'      f' = 1 − h_t², or 1 where h_t > 0
          ∂L/∂h_(t−1) = ∂L/∂x_t w      ∂L/∂w = Σ_t ∂L/∂x_tᵀ h_(t−1)
    Shape: (T, B, H), (B, H), (H, H) -> (T, B, H), (B, H)
    """

    attributes = ("sizes", "reverse", "nonlinearity")
    onnx = "RNN"
    torch_name = "Stack"

    def __init__(self, sizes: tuple[int, ...], reverse: bool, kind: str) -> None:
        super().__init__(sizes, reverse)
        self.nonlinearity = kind

    def forward(self, x: Any, h: Any, w: Any) -> Any:
        dtype, shape = x.dtype, x.shape
        x, h, w = upcast_half(x, h.copy(), w)
        x = x.reshape(-1, x.shape[-1])  # (N, H), all steps
        y, hs, wt = np.empty_like(x), np.empty_like(x), self.step_weight(w)
        function = np.tanh if self.nonlinearity == "tanh" else relu
        for rows, n in self.steps():
            hs[rows] = h[:n]
            sums = product(hs[rows], wt)  # (n, H)
            sums += x[rows]
            y[rows] = function(sums)
            h[:n] = y[rows]
        self.saved = y, hs
        y = y.reshape(shape).astype(dtype)  # a copy: users may change theirs
        return y, h.astype(dtype, copy=False)

    def backward(self, gy: Any, gh: Any) -> Any:
        if isinstance(gy, Tensor):
            return gradients_through(self.unrolled, self, (gy, gh))
        y, hs = self.saved
        gy, w = upcast_half(gy.reshape(-1, gy.shape[-1]), self.inputs[2])
        gh = gh.astype(y.dtype)  # a copy
        derivative = 1 - y * y if self.nonlinearity == "tanh" else y > 0
        times = np.multiply if self.nonlinearity == "tanh" else masked
        gx = np.empty_like(y)
        for rows, n in reversed(self.steps()):
            g = gh[:n] + gy[rows]
            gx[rows] = times(g, derivative[rows])
            product(gx[rows], w, gh[:n])
        gw = product(gx.T, hs) if self.needs[2] else None
        return gx.reshape(self.inputs[0].shape), gh, gw

    def unrolled(self, x: Any, h: Any, w: Any) -> Any:
        """The same layer composed of ops."""
        return unrolled_rnn(x, h, w, self.sizes, self.reverse, self.nonlinearity)


def lstm_layer(
    x: Tensor, state: Any, w: Tensor, sizes: tuple[int, ...], reverse: bool
) -> Any:
    """Every h of an LSTM, and the last h and c; see `LstmLayer`.

    Shape: (T, B, 4 H), twice (B, H), (4 H, H) -> (T, B, H), (B, H), (B, H)
    """
    return apply(LstmLayer(sizes, reverse), x, *state, w)


def gru_layer(
    x: Tensor, h: Tensor, w: Tensor, b: Tensor | None, sizes: Any, reverse: bool
) -> Any:
    """Every h of a gated recurrent layer, and the last; see `GruLayer`.

    Shape: (T, B, 3 H), (B, H), (3 H, H), (3 H) -> (T, B, H), (B, H)
    """
    operands = (x, h, w) if b is None else (x, h, w, b)
    return apply(GruLayer(sizes, reverse), *operands)


def rnn_layer(
    x: Tensor, h: Tensor, w: Tensor, sizes: Any, reverse: bool, kind: str
) -> Any:
    """Every h of an Elman recurrent layer, and the last; see `RnnLayer`.

    Shape: (T, B, H), (B, H), (H, H) -> (T, B, H), (B, H)
    """
    return apply(RnnLayer(sizes, reverse, kind), x, h, w)
