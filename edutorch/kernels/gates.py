"""One step of a recurrent layer: the pointwise part of LSTM and GRU, and backward.

The matrix products of a step are done; what is left are sigmoids, tanh and products,
on arrays that fit the cache. `a` holds the gates side by side: (B, 4 H) or (B, 3 H).

# Note [Sigmoid by tanh]
sigmoid(x) = tanh(x / 2) / 2 + 1/2. So all gates of a step, those with sigmoid and those
with tanh, are one tanh over a contiguous array, scaled before and after by a row of
halves (and ones where the gate is a tanh).

Reference: Hochreiter and Schmidhuber (1997), "Long short-term memory"; Cho et al.
(2014), "Learning phrase representations using RNN encoder-decoder".
"""

from __future__ import annotations

from typing import Any

from edutorch.kernels.lazy import array_module

__all__ = [
    "activate", "gru_step", "gru_step_backward", "halves", "lstm_step",
    "lstm_step_backward", "quarters", "thirds",
]  # fmt: skip


def halves(a: Any, sigmoids: str) -> tuple[Any, Any]:
    """The factors and the shift of Note [Sigmoid by tanh], for gates side by side.

    Args:
        a: gates (*, G H), which say dtype and place.
        sigmoids: one letter for each gate: "s" for a sigmoid, "t" for a tanh.
    """
    xp, size = array_module(a), a.shape[-1] // len(sigmoids)
    scale, shift = xp.ones(a.shape[-1], a.dtype), xp.zeros(a.shape[-1], a.dtype)
    for i, kind in enumerate(sigmoids):
        if kind == "s":
            scale[i * size : (i + 1) * size] = 0.5
            shift[i * size : (i + 1) * size] = 0.5
    return scale, shift


def activate(a: Any, factors: tuple[Any, Any]) -> Any:
    """Sigmoid or tanh of every gate, in place.

    Example:
        >>> import numpy as np
        >>> a = np.zeros((1, 2))
        >>> activate(a, halves(a, "st"))
        array([[0.5, 0. ]])
    """
    scale, shift = factors
    a *= scale
    array_module(a).tanh(a, out=a)
    a *= scale
    a += shift
    return a


def lstm_step(a: Any, c: Any, factors: tuple[Any, Any]) -> tuple[Any, Any]:
    """Gates become activated, cells move on, both in place; gives h and tanh(c).

    Math: i, f, o = sigmoid(a_i), sigmoid(a_f), sigmoid(a_o)      z = tanh(a_z)
          c = f c + i z      h = o tanh(c)
    Shape: (B, 4 H), (B, H) -> (B, H), (B, H)
    """
    i, f, z, o = quarters(activate(a, factors))
    c *= f
    c += i * z
    tanh_c = array_module(c).tanh(c)
    return o * tanh_c, tanh_c


def lstm_step_backward(gh: Any, gc: Any, a: Any, c: Any, tanh_c: Any, out: Any) -> None:
    """Gradients of one `lstm_step`: of the gates into `out`, of the old cells into gc.

    `a` are the activated gates, `c` the cells before the step.

    Math: ga_o = gh tanh(c') o (1 - o)      gc' = gc + gh o (1 - tanh(c')^2)
          ga_i = gc' z i (1 - i)      ga_f = gc' c f (1 - f)
          ga_z = gc' i (1 - z^2)      gc = gc' f
    Shape: (B, H), (B, H), (B, 4 H), (B, H), (B, H) -> (B, 4 H)
    """
    i, f, z, o = quarters(a)
    ga_i, ga_f, ga_z, ga_o = quarters(out)
    gc += gh * o * (1 - tanh_c * tanh_c)
    gi = gc * i
    ga_i[...] = gi * z * (1 - i)
    gf = gc * f
    ga_f[...] = gf * c * (1 - f)
    ga_z[...] = gi * (1 - z * z)
    ga_o[...] = gh * tanh_c * (o * (1 - o))
    gc[...] = gf


def gru_step(a: Any, r: Any, h: Any, factors: tuple[Any, Any]) -> Any:
    """Gates `a` (input's part) become activated in place; gives the new h.

    `r` are the hidden state's parts of the gates. The third is kept as it is: backward
    needs it.

    Math: r = sigmoid(a_r + r_r)      z = sigmoid(a_z + r_z)
          n = tanh(a_n + r r_n)      h' = n + z (h - n)
    Shape: (B, 3 H), (B, 3 H), (B, H) -> (B, H)
    """
    size = h.shape[1]
    gates = a[:, : 2 * size]
    gates += r[:, : 2 * size]
    scale, shift = factors
    activate(gates, (scale[: 2 * size], shift[: 2 * size]))
    reset, z, n = thirds(a)
    n += reset * r[:, 2 * size :]
    array_module(a).tanh(n, out=n)
    y = h - n
    y *= z
    y += n
    return y


def gru_step_backward(gh: Any, a: Any, r_n: Any, h: Any, out: Any, hidden: Any) -> Any:
    """Gradients of one `gru_step`: of the input's part, the hidden part, and h.

    `a` are the activated gates; the gradients of the two parts go into `out` and
    `hidden`. What reaches h through the hidden part comes later, as a product.

    Math: ga_n = gh (1 - z) (1 - n^2)      ga_z = gh (h - n) z (1 - z)
          ga_r = ga_n r_n r (1 - r)      gr = ga_r, ga_z, ga_n r      gh z
    Shape: (B, H), (B, 3 H), (B, H), (B, H) -> (B, 3 H), (B, 3 H); (B, H)
    """
    reset, z, n = thirds(a)
    ga_r, ga_z, ga_n = thirds(out)
    size = h.shape[1]
    gz = gh * z
    ga_z[...] = gz * (h - n) * (1 - z)
    ga_n[...] = (gh - gz) * (1 - n * n)
    ga_r[...] = ga_n * r_n * (reset * (1 - reset))
    hidden[:, : 2 * size] = out[:, : 2 * size]
    hidden[:, 2 * size :] = ga_n * reset
    return gz


def quarters(a: Any) -> tuple[Any, Any, Any, Any]:
    """The four gates of an LSTM, as views: input, forget, cell and output.

    Shape: (B, 4 H) -> four times (B, H)
    """
    n = a.shape[-1] // 4
    return a[:, :n], a[:, n : 2 * n], a[:, 2 * n : 3 * n], a[:, 3 * n :]


def thirds(a: Any) -> tuple[Any, Any, Any]:
    """The three gates of a GRU, as views: reset, update and new.

    Shape: (B, 3 H) -> three times (B, H)
    """
    n = a.shape[-1] // 3
    return a[:, :n], a[:, n : 2 * n], a[:, 2 * n :]
