"""The backward of max pooling, with known mistakes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from edutorch.course.random_cases import Draw
from edutorch.ops.create import from_numpy

__all__ = ["POOL_MISTAKES", "POOL_SHOWN", "fresh_pool", "max_pool_backward"]

Array = npt.NDArray[Any]
Share = Callable[[Array], Array]  # the fraction of g for each pixel of a window


def _given(*rows: Any) -> Any:
    return from_numpy(np.array(rows, dtype=np.float32)[None, None])


_TIES = ([5, 1, 2, 2], [5, 3, 2, 2], [0, 0, 1, 9], [0, 4, 1, 1])
_ROWS = ([1, 9, 2, 8, 0], [3, 4, 9, 1, 2], [0, 8, 5, 5, 9])
POOL_SHOWN = (
    (_given([10]), _given([1, 5], [2, 3]), 2, 2),
    (_given([1, 2], [3, 4]), _given(*_TIES), 2, 2),
    (_given([1, 2], [3, 4]), _given([-5, -1, -2], [-6, -3, -4], [-9, -8, -7]), 2, 1),
    (_given([1, 2, 3, 4], [5, 6, 7, 8]), _given(*_ROWS), 2, 1),
    (_given([1, 2]), _given(*_ROWS), 3, 2),
    (_given([2, 3]), _given([1, 2, 3, 4, 5]), 1, 3),
    (
        from_numpy(np.array([[[[1]], [[2]]], [[[3]], [[4]]]], dtype=np.float32)),
        from_numpy(
            np.array(
                [
                    [[[1, 2], [2, 0]], [[0, 0], [3, 1]]],
                    [[[4, 1], [1, 1]], [[1, 1], [1, 6]]],
                ],
                dtype=np.float32,
            )
        ),
        2,
        2,
    ),
)


def fresh_pool(draw: Draw) -> tuple[Any, Any, int, int]:
    """A random gradient, images and a window; about half of the cases have ties."""
    k, stride = draw.size(1, 3), draw.size(1, 3)
    n, c = draw.size(1, 3), draw.size(1, 3)
    h, w = k + draw.size(0, 6), k + draw.size(0, 6)
    x = draw.tensor(n, c, h, w)
    if draw.choice((True, False)):
        x = from_numpy(np.round(x.numpy()))
    return draw.tensor(n, c, (h - k) // stride + 1, (w - k) // stride + 1), x, k, stride


def max_pool_backward(g: Any, x: Any, k: int, stride: int) -> Any:
    """The right gradient, as a tensor of x's dtype."""
    gx = _spread(g.numpy(), x.numpy(), k, stride, _first)
    return from_numpy(gx.astype(x.numpy().dtype))


def _spread(
    g: Array, x: Array, k: int, stride: int, share: Share, *, add: bool = True
) -> Array:
    """Distribute the gradient of each window."""
    gx = np.zeros(x.shape)
    for n, c, i, j in np.ndindex(*g.shape):
        rows = slice(i * stride, i * stride + k)
        columns = slice(j * stride, j * stride + k)
        part = share(x[n, c, rows, columns])
        here = gx[n, c, rows, columns]
        part = part[: here.shape[0], : here.shape[1]]
        given = part * g[n, c, i, j]
        here[...] = here + given if add else np.where(part != 0, given, here)
    return gx


def _first(window: Array) -> Array:
    return _one_hot(window, int(window.argmax()))


def _last(window: Array) -> Array:
    flat = window.reshape(-1)
    return _one_hot(window, flat.size - 1 - int(flat[::-1].argmax()))


def _ties(window: Array) -> Array:
    return np.asarray(window == window.max(), dtype=float)


def _halves(window: Array) -> Array:
    return _ties(window) / _ties(window).sum()


def _even(window: Array) -> Array:
    return np.full(window.shape, 1 / window.size)


def _all(window: Array) -> Array:
    return np.ones(window.shape)


def _transposed(window: Array) -> Array:
    """A mistake: the index is counted along columns but used along rows."""
    return _one_hot(window, int(window.T.argmax()))


def _furthest(window: Array) -> Array:
    return _first(np.abs(window))


def _least(window: Array) -> Array:
    return _one_hot(window, int(window.argmin()))


def _by_columns(window: Array) -> Array:
    return _first(window.T).T


def _positive(window: Array) -> Array:
    return _first(window) * (window > 0)


def _above_0(window: Array) -> Array:
    """A mistake: the maximum starts at 0, so that the first position may win."""
    return _first(window) if window.max() > 0 else _one_hot(window, 0)


def _one_hot(window: Array, index: int) -> Array:
    share = np.zeros(window.shape)
    if share.size:
        share.reshape(-1)[index] = 1
    return share


def _per_channel(g: Array, x: Array, k: int, stride: int) -> Array:
    """A mistake: the winner of the first channel is used for all channels."""
    return _spread(g, np.broadcast_to(x[:, :1], x.shape), k, stride, _first)


def _per_batch(g: Array, x: Array, k: int, stride: int) -> Array:
    return _spread(g, np.broadcast_to(x[:1], x.shape), k, stride, _first)


def _first_only(g: Array, x: Array, k: int, stride: int) -> Array:
    gx = np.zeros(x.shape)
    gx[:1, :1] = _spread(g[:1, :1], x[:1, :1], k, stride, _first)
    return gx


def _times_value(g: Array, x: Array, k: int, stride: int) -> Array:
    return _spread(g, x, k, stride, lambda window: _first(window) * window)


def _overwriting(g: Array, x: Array, k: int, stride: int) -> Array:
    """A mistake: each window overwrites the contribution of earlier ones."""
    gx = np.zeros(x.shape)
    for n, c, i, j in np.ndindex(*g.shape):
        place = (
            n,
            c,
            slice(i * stride, i * stride + k),
            slice(j * stride, j * stride + k),
        )
        gx[place] = _first(x[place]) * g[n, c, i, j]
    return gx


def _from_x(g: Array, x: Array, k: int, stride: int) -> Array:
    return x + _spread(g, x, k, stride, _first)


def _in_the_window(g: Array, x: Array, k: int, stride: int) -> Array:
    """A mistake: the index within the window is used as an index of the image."""
    gx = np.zeros(x.shape)
    for n, c, i, j in np.ndindex(*g.shape):
        rows = slice(i * stride, i * stride + k)
        columns = slice(j * stride, j * stride + k)
        gx[n, c, :k, :k] += _first(x[n, c, rows, columns]) * g[n, c, i, j]
    return gx


def _by_k(g: Array, x: Array, k: int, stride: int) -> Array:
    """A mistake: adjacent windows, whatever the stride."""
    gx = np.zeros(x.shape)
    for n, c, i, j in np.ndindex(*g.shape):
        rows, columns = slice(i * k, i * k + k), slice(j * k, j * k + k)
        if x[n, c, rows, columns].size:
            gx[n, c, rows, columns] += _first(x[n, c, rows, columns]) * g[n, c, i, j]
    return gx


def _shared(share: Share) -> Callable[..., Array]:
    return lambda g, x, k, stride: _spread(g, x, k, stride, share)


def _rows_and_columns(g: Array, x: Array, k: int, stride: int) -> Array:
    """A mistake: the row of an index within a window is used as its column."""
    return _spread(g, x, k, stride, lambda window: _first(window).T)


def _first_image(g: Array, x: Array, k: int, stride: int) -> Array:
    gx = np.zeros(x.shape)
    gx[:1] = _spread(g[:1], x[:1], k, stride, _first)
    return gx


_MISTAKES: dict[str, Callable[[Array, Array, int, int], Array]] = {
    "forgot the incoming gradient g": (
        lambda g, x, k, stride: _spread(np.ones_like(g), x, k, stride, _first)
    ),
    "= for +=: windows overlap, and a pixel can win in several": (
        lambda g, x, k, stride: _spread(g, x, k, stride, _first, add=False)
    ),
    "that is average pooling: only the largest x gets the gradient": _shared(_even),
    "only the largest x gets the gradient, not the whole window": _shared(_all),
    "among equals only the first gets the gradient, not all of them": _shared(_ties),
    "among equals only the first gets the gradient, and all of it": _shared(_halves),
    "among equals the FIRST gets the gradient, not the last": _shared(_last),
    "the first along the ROWS: here columns come first": _shared(_by_columns),
    "the place is counted along rows: the window was transposed": _shared(_transposed),
    "a flat place p is in row p // k and column p % k: these are swapped": (
        _rows_and_columns
    ),
    "only the first image got a gradient": _first_image,
    "begin with zeros, not with x": _from_x,
    "each window overwrote what others had added: +=, not =": _overwriting,
    "the largest x, not the one furthest from 0": _shared(_furthest),
    "the largest x, not the smallest": _shared(_least),
    "x may be negative: the largest of a window can be below 0": _shared(_positive),
    "x may be negative: do not begin the search with 0": _shared(_above_0),
    "that is a position inside the window: add where the window begins": _in_the_window,
    "each channel has its own winner: here the first channel's is used": _per_channel,
    "each image has its own winner: here the first image's is used": _per_batch,
    "only the first channel of the first image got a gradient": _first_only,
    "the slope of the largest is 1: g is not multiplied by x": _times_value,
    "window i begins at i · stride, not at i · k": _by_k,
}


def _on_tensors(mistaken: Callable[..., Array]) -> Callable[..., Array]:
    return lambda g, x, k, stride: mistaken(g.numpy(), x.numpy(), k, stride)


POOL_MISTAKES: dict[str, Callable[..., Any]] = {
    words: _on_tensors(mistaken) for words, mistaken in _MISTAKES.items()
}
