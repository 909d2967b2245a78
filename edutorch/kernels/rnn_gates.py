"""One step of a recurrent layer: the elementwise part of LSTM and GRU, and backward.

What is left of a step after its matrix products are sigmoids, tanhs and elementwise
products, on arrays that fit into the cache. `a` holds the gates side by side: (B, 4 H)
for an LSTM, (B, 3 H) for a GRU.

# Note [Sigmoid by tanh]
sigmoid(x) = tanh(x / 2) / 2 + 1/2, so a single tanh over a contiguous array computes
all gates of a step. The callers halve the arguments of the sigmoids: the inputs' part
for all steps at once, the hidden state's part by halving its weights. After the tanh,
the gates are multiplied by `scale` (1/2 for a sigmoid, 1 for a tanh) and increased by
`shift` (1/2 or 0).

# Note [Derivatives of all steps]
The local derivatives of a step depend only on values saved in the forward. They are
computed for all steps at once; each step of the backward then multiplies its part by
the incoming gradients, in place.

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
    """The rows `scale` and `shift` of Note [Sigmoid by tanh].

    Args:
        a: an array of gates (*, G H), for its dtype, device and width.
        kinds: a letter for each gate: "s" for a sigmoid, "t" for a tanh.

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
    """`tanh_scale_and_shift`, cached: all steps read the same rows."""
    size = width // len(kinds)
    scale, shift = xp.ones(width, dtype), xp.zeros(width, dtype)
    for i, kind in enumerate(kinds):
        if kind == "s":
            scale[i * size : (i + 1) * size] = 0.5
            shift[i * size : (i + 1) * size] = 0.5
    return scale, shift


def lstm_step(a: Any, c: Any, factors: tuple[Any, Any]) -> tuple[Any, Any]:
    """One step of an LSTM: returns the new h and tanh(c).

    Activates the gates `a` and updates the cells `c`, both in place. The arguments of
    the sigmoids must be halved already; `factors` is `tanh_scale_and_shift(a, "ssts")`.

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
    """The local derivatives of `lstm_step`, for any number of steps.

    Returns the derivatives with respect to the gates, d_i, d_f, d_z and d_o side by
    side, and d_c, that of h with respect to the new cell c'. `a` are the activated
    gates, `c` the cells before the step.

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
    """Gradients of one `lstm_step`, in place.

    `grads` holds the derivatives of the gates, and then their gradients; `gc` holds the
    gradient of the new cells, and then that of the cells before the step.

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
    """One step of a GRU: returns the new h, and activates the gates `a` in place.

    `a` is the input's part of the gates, `r` the hidden state's. The arguments of the
    two sigmoids must be halved already in both. `r` is not changed, since backward
    needs its third part.

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
    """The local derivatives of `gru_step` for its gates, for any number of steps.

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
    """Gradients of one `gru_step`; returns that of h along its direct path.

    `grads` holds the derivatives of the gates, and then the gradient of the input's
    part; the gradient of the hidden state's part is written to `hidden`. The caller
    multiplies the latter by the weights, for the other path to h.

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
