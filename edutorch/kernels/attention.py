"""Scaled dot-product attention of many heads, a few at a time, in several threads.

The scores of a few heads stay in the cache from the first product to the second. Each
head is computed by one thread, so that no bit depends on the number of threads.

Reference: Vaswani et al. (2017), "Attention is all you need".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from edutorch.backends.threads import get_num_threads
from edutorch.kernels.memory_format import match_strides
from edutorch.kernels.softmax import softmax, softmax_backward
from edutorch.kernels.thread_pool import parallel_blocks

__all__ = ["attention", "attention_backward", "empty_values"]

HEADS_PER_THREAD = 2
MIN_NANOSECONDS = 2_000_000  # else many short calls wait for the GIL
FLOPS = 80  # of a product, in a nanosecond


def empty_values(q: Any) -> Any:
    """An array for the averaged values, in PyTorch's memory order.

    This is the order of the dimensions of q, or row by row where the features of q do
    not lie side by side.

    Shape: (N, H, L, E) -> (N, H, L, E)

    Example:
        >>> empty_values(np.zeros((1, 2, 3, 4)).transpose(0, 1, 3, 2)).strides
        (192, 96, 24, 8)
    """
    together = q.strides[-1] == q.itemsize
    if together and 0 in q.strides:  # NumPy would move repeated heads last
        return match_strides(np.empty(q.shape, q.dtype), q)
    return np.empty_like(q, order="K" if together else "C")


def attention(
    q: Any, k: Any, v: Any, scale: float, biases: Iterable[Any]
) -> tuple[Any, Any]:
    """The averaged values, and the weights.

    Args:
        biases: arrays that are added to the scores, and broadcast to them.

    Math: y = p v, p = softmax(scale q k^T + sum of biases) along the keys
    Shape: (N, H, L, E), (N, H, S, E), (N, H, S, E) -> (N, H, L, E), (N, H, L, S)

    Example:
        >>> q, k = np.ones((1, 1, 1, 2)), np.zeros((1, 1, 2, 2))
        >>> attention(q, k, k, 1.0, [])[1]
        array([[[[0.5, 0.5]]]])
    """
    y = empty_values(q)
    nanoseconds = _nanoseconds(q, k, products=2)
    if nanoseconds < MIN_NANOSECONDS:
        return y, _attend(q, k, v, scale, biases, y)
    p = np.empty((*q.shape[:3], k.shape[2]), q.dtype)
    biases = [np.broadcast_to(bias, p.shape) for bias in biases]

    def heads(i: Any) -> None:
        p[i] = _attend(q[i], k[i], v[i], scale, [bias[i] for bias in biases], y[i])

    _share_heads(heads, q.shape, nanoseconds)
    return y, p


def _attend(q: Any, k: Any, v: Any, scale: float, biases: Iterable[Any], y: Any) -> Any:
    """Put the averaged values into y; returns the weights."""
    scores = (q * scale) @ k.swapaxes(-2, -1)  # (*, L, S)
    for bias in biases:
        scores += bias
    p = softmax(scores, scores.ndim - 1)
    np.matmul(p, v, out=y)
    return p


def attention_backward(
    g: Any, q: Any, k: Any, v: Any, p: Any, scale: float, needs: tuple[bool, ...]
) -> tuple[Any, ...]:
    """The gradients of q, k and v; None for those that are not needed.

    Math: gv = p^T g      h = p (g v^T - sum over keys of g v^T p)
          gq = scale h k      gk = scale h^T q
    Shape: (N, H, L, E), the same, (N, H, S, E), the same, (N, H, L, S)
        -> (N, H, L, E), (N, H, S, E), (N, H, S, E)
    """
    gq, gk, gv = (
        np.empty_like(x) if needed else None
        for x, needed in zip((q, k, v), needs, strict=True)
    )

    def heads(i: Any) -> None:
        if gv is not None:
            np.matmul(p[i].swapaxes(-2, -1), g[i], out=gv[i])
        if gq is None is gk:
            return
        gp = g[i] @ v[i].swapaxes(-2, -1)  # (*, L, S)
        h = softmax_backward(gp, p[i], gp.ndim - 1)
        if gq is not None:
            np.matmul(h, k[i], out=gq[i])
            gq[i] *= scale
        if gk is not None:
            np.matmul(h.swapaxes(-2, -1), q[i], out=gk[i])
            gk[i] *= scale

    nanoseconds = _nanoseconds(q, k, products=5)
    if nanoseconds < MIN_NANOSECONDS:
        heads(slice(None))
    else:
        _share_heads(heads, q.shape, nanoseconds)
    return gq, gk, gv


def _share_heads(
    heads: Callable[[Any], object], shape: tuple[int, ...], nanoseconds: float
) -> None:
    """Call `heads` on slices of samples, or of heads if there are more of them.

    On all at once if they are so few that the threads of BLAS share each product
    better.
    """
    n, h = shape[:2]
    if max(n, h) < HEADS_PER_THREAD * get_num_threads():
        heads(slice(None))
    elif n >= h:
        parallel_blocks(heads, n, nanoseconds, uses_blas=True)
    else:
        parallel_blocks(
            lambda part: heads((slice(None), part)), h, nanoseconds, uses_blas=True
        )


def _nanoseconds(q: Any, k: Any, products: int) -> float:
    """The estimated time of some products, and of the softmax."""
    scores = q.size // q.shape[3] * k.shape[2]
    return float(scores * (2 * products * q.shape[3] / FLOPS + 2))
