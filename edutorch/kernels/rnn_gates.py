"""One step of a recurrent layer: the elementwise part of LSTM and GRU, and backward.

After the matrix products of a step, sigmoids, tanh and products remain, on arrays that
fit into the cache. `a` contains the gates side by side: (B, 4 H) or (B, 3 H).

# Note [Sigmoid by tanh]
sigmoid(x) = tanh(x / 2) / 2 + 1/2. So all gates of a step, those with sigmoid and those
with tanh, are one tanh over a contiguous array. The halving before it is applied to the
sums of all steps and to the weights at once; the one after it multiplies by a row of
halves and ones.

# Note [Slopes]
Backward multiplies gradients by derivatives that are known beforehand. They are
computed for all steps at once, and each step multiplies them by its gradients in place.

Reference: Hochreiter and Schmidhuber (1997), "Long short-term memory"; Cho et al.
(2014), "Learning phrase representations using RNN encoder-decoder".
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from edutorch.backends.array_modules import array_module
from edutorch.kernels.gpu import rnn as gpu

__all__ = [
    "gru_derivatives", "gru_step", "gru_step_backward", "lstm_derivatives", "lstm_step",
    "lstm_step_backward", "split_gru_gates", "split_lstm_gates", "tanh_scale_and_shift",
]  # fmt: skip


def tanh_scale_and_shift(a: Any, kinds: str) -> tuple[Any, Any]:
    """The factors and the shifts of Note [Sigmoid by tanh], for gates side by side.

    Args:
        a: gates (*, G H), which say dtype and place.
        kinds: one letter for each gate: "s" for a sigmoid, "t" for a tanh.

    Example:
        >>> import numpy as np
        >>> tanh_scale_and_shift(np.zeros((1, 2)), "st")
        (array([0.5, 1. ]), array([0.5, 0. ]))
    """
    return _tanh_scale_and_shift(array_module(a), a.dtype, a.shape[-1], kinds)


@lru_cache(64)
def _tanh_scale_and_shift(
    xp: Any, dtype: Any, width: int, kinds: str
) -> tuple[Any, Any]:
    """The same for gates of a width: every step asks for them, none changes them."""
    size = width // len(kinds)
    scale, shift = xp.ones(width, dtype), xp.zeros(width, dtype)
    for i, kind in enumerate(kinds):
        if kind == "s":
            scale[i * size : (i + 1) * size] = 0.5
            shift[i * size : (i + 1) * size] = 0.5
    return scale, shift


def lstm_step(a: Any, c: Any, factors: tuple[Any, Any]) -> tuple[Any, Any]:
    """Gates become activated, cells move on, both in place; gives h and tanh(c).

    `factors` are those of `tanh_scale_and_shift(a, "ssts")`; the gates come scaled.

    Math: i, f, o = sigmoid(a_i), sigmoid(a_f), sigmoid(a_o)      z = tanh(a_z)
          c = f c + i z      h = o tanh(c)
    Shape: (B, 4 H), (B, H) -> (B, H), (B, H)
    """
    if type(a) is not np.ndarray and (done := gpu.lstm_step(a, c)) is not None:
        return done
    xp, (scale, shift) = array_module(a), factors
    xp.tanh(a, out=a)
    a *= scale
    a += shift
    i, f, z, o = split_lstm_gates(a)
    c *= f
    c += i * z
    tanh_c = xp.tanh(c)
    return o * tanh_c, tanh_c


def lstm_derivatives(a: Any, c: Any, tanh_c: Any) -> tuple[Any, Any]:
    """The slopes of the gates, and of h along the new cells, of any number of steps.

    `a` are the activated gates, `c` the cells before the step.

    Math: d_i = z i (1 - i)      d_f = c f (1 - f)
          d_z = i (1 - z^2)      d_o = tanh(c') o (1 - o)      d_c = o (1 - tanh(c')^2)
    Shape: (N, 4 H), (N, H), (N, H) -> (N, 4 H), (N, H)
    """
    i, f, z, o = split_lstm_gates(a)
    grads = 1 - a
    d_i, d_f, d_z, d_o = split_lstm_gates(grads)
    d_i *= i * z
    d_f *= f * c
    d_z *= i * (1 + z)
    d_o *= o * tanh_c
    return grads, o * (1 - tanh_c * tanh_c)


def lstm_step_backward(gh: Any, gc: Any, f: Any, grads: Any, d_c: Any) -> None:
    """Gradients of one `lstm_step`, in place: of the gates in `grads`, of cells in gc.

    Math: gc' = gc + gh d_c      ga_i, ga_f, ga_z = gc' d_i, gc' d_f, gc' d_z
          ga_o = gh d_o      gc = gc' f
    Shape: (B, H), (B, H), (B, H), (B, 4 H), (B, H)
    """
    if type(gc) is not np.ndarray and gpu.lstm_step_backward(gh, gc, f, grads, d_c):
        return
    gc += gh * d_c
    gates = grads.reshape(len(gc), 4, gc.shape[1])
    gates[:, :3] *= gc[:, None]
    gates[:, 3] *= gh
    gc *= f


def gru_step(a: Any, r: Any, h: Any) -> Any:
    """Gates `a` (input's part) become activated in place; gives the new h.

    `r` are the hidden state's parts of the gates. Of both, the first two parts come
    halved. The third of r is kept as it is: backward needs it.

    Math: s = sigmoid(a_s + r_s)      z = sigmoid(a_z + r_z)
          n = tanh(a_n + s r_n)      h' = n + z (h - n)
    Shape: (B, 3 H), (B, 3 H), (B, H) -> (B, H)
    """
    xp, size = array_module(a), h.shape[1]
    gates = a[:, : 2 * size]
    gates += r[:, : 2 * size]
    xp.tanh(gates, out=gates)
    gates *= 0.5
    gates += 0.5
    s, z, n = split_gru_gates(a)
    n += s * r[:, 2 * size :]
    xp.tanh(n, out=n)
    y = h - n
    y *= z
    y += n
    return y


def gru_derivatives(a: Any, r_n: Any, h: Any) -> Any:
    """The slopes of the gates, of any number of steps.

    `a` are the activated gates, `h` the states before the step.

    Math: d_s = r_n s (1 - s)      d_z = (h - n) z (1 - z)      d_n = (1 - z) (1 - n^2)
    Shape: (N, 3 H), (N, H), (N, H) -> (N, 3 H)
    """
    s, z, n = split_gru_gates(a)
    grads = 1 - a
    d_s, d_z, d_n = split_gru_gates(grads)
    d_n *= (1 + n) * d_z
    d_s *= s * r_n
    d_z *= z * (h - n)
    return grads


def gru_step_backward(g: Any, a: Any, grads: Any, hidden: Any) -> Any:
    """Gradients of one `gru_step`: of the input's part in place of its slopes.

    Those of the hidden part go into `hidden`. Returned is what reaches h directly; what
    reaches it through the hidden part comes later, as a product.

    Math: ga_n = g d_n      ga_s = ga_n d_s      ga_z = g d_z
          gr = ga_s, ga_z, ga_n s      gh = g z
    Shape: (B, H), (B, 3 H), (B, 3 H), (B, 3 H) -> (B, H)
    """
    s, z, _ = split_gru_gates(a)
    ga_s, ga_z, ga_n = split_gru_gates(grads)
    ga_n *= g
    ga_s *= ga_n
    ga_z *= g
    size = g.shape[1]
    hidden[:, : 2 * size] = grads[:, : 2 * size]
    array_module(g).multiply(ga_n, s, out=hidden[:, 2 * size :])
    return g * z


def split_lstm_gates(a: Any) -> tuple[Any, Any, Any, Any]:
    """The four gates of an LSTM, as views: input, forget, cell and output.

    Shape: (B, 4 H) -> four times (B, H)
    """
    n = a.shape[-1] // 4
    return a[:, :n], a[:, n : 2 * n], a[:, 2 * n : 3 * n], a[:, 3 * n :]


def split_gru_gates(a: Any) -> tuple[Any, Any, Any]:
    """The three gates of a GRU, as views: reset, update and new.

    Shape: (B, 3 H) -> three times (B, H)
    """
    n = a.shape[-1] // 3
    return a[:, :n], a[:, n : 2 * n], a[:, 2 * n :]
