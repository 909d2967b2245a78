"""One optimizer step on one parameter, in place and without new memory.

A step reads several arrays of the size of the parameter several times. Here it goes
block by block, so that everything but the first reading comes from the cache, and
its intermediate values live in two small buffers that every thread keeps.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from math import sqrt
from typing import Any

from edutorch.kernels.lazy import array_module

__all__ = ["adam_step", "sgd_step"]

BLOCK = 2**15  # numbers: six float32 arrays of this size fit an L2 cache of 1 MB

_buffers = threading.local()


def sgd_step(
    p: Any,
    g: Any,
    velocity: Any,
    *,
    lr: float,
    momentum: float = 0,
    dampening: float = 0,
    weight_decay: float = 0,
    nesterov: bool = False,
    maximize: bool = False,
    first: bool = False,
) -> None:
    """Stochastic gradient descent with momentum; changes `p` and `velocity`.

    Math: d = g + weight_decay p      v = momentum v + (1 - dampening) d
          p = p - lr v     (d + momentum v with `nesterov`, d without momentum)
    Shape: p, g, velocity (*); velocity is None without momentum

    Args:
        first: the first step with momentum, where v = d.

    Reference: Sutskever, Martens, Dahl, Hinton (2013), "On the importance of
    initialization and momentum in deep learning".
    """
    sign = -1 if maximize else 1
    for p, g, v, a, _ in _blocks(p, g, velocity):
        xp = array_module(p)
        d = g
        if maximize or weight_decay:
            xp.multiply(g, sign, out=a)
            d = a
        if weight_decay:
            d += p * weight_decay
        if momentum:
            if first:
                v[...] = d
            else:
                v *= momentum
                v += d if dampening == 0 else d * (1 - dampening)
            d = d + v * momentum if nesterov else v
        xp.multiply(d, lr, out=a)
        p -= a


def adam_step(
    p: Any,
    g: Any,
    mean: Any,
    square: Any,
    *,
    step: int,
    lr: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
    weight_decay: float = 0,
    decoupled: bool = False,
    maximize: bool = False,
    largest: Any = None,
) -> None:
    """Adam and, with `decoupled` weight decay, AdamW; changes p, mean and square.

    Math: m = beta1 m + (1 - beta1) g      v = beta2 v + (1 - beta2) g^2
          p = p - lr m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + eps)
    Shape: all arrays (*)

    Args:
        step: t, counted from 1.
        largest: the greatest v so far, used instead of v and updated (AMSGrad).

    Reference: Kingma, Ba (2015), "Adam"; Loshchilov, Hutter (2019), "Decoupled
    weight decay regularization".
    """
    # The correction of sqrt(v) is applied to its neighbours: one pass less.
    spread = sqrt(1 - beta2**step)
    size = lr / (1 - beta1**step) * spread
    for p, g, m, v, top, a, b in _blocks(p, g, mean, square, largest):
        xp = array_module(p)
        if maximize:
            g = xp.multiply(g, -1, out=b)
        if weight_decay and decoupled:
            p *= 1 - lr * weight_decay
        elif weight_decay:
            xp.multiply(p, weight_decay, out=a)
            g = xp.add(g, a, out=b)
        xp.subtract(g, m, out=a)
        a *= 1 - beta1
        m += a
        xp.multiply(g, g, out=a)
        a *= 1 - beta2
        v *= beta2
        v += a
        if top is not None:
            xp.maximum(top, v, out=top)
        xp.sqrt(v if top is None else top, out=a)
        a += eps * spread
        xp.divide(m, a, out=a)
        a *= size
        p -= a


def _blocks(*arrays: Any) -> Iterator[tuple[Any, ...]]:
    """The arrays block by block, and two buffers of the block's shape.

    Arrays that do not all lie in memory in the standard order come as one block.
    """
    p = arrays[0]
    if not all(a is None or a.flags.c_contiguous for a in arrays):
        empty = array_module(p).empty_like
        yield (*arrays, empty(p), empty(p))
        return
    flat = [a if a is None else a.reshape(-1) for a in arrays]
    one, two = _scratch(p)
    for start in range(0, p.size, BLOCK):
        part = [a if a is None else a[start : start + BLOCK] for a in flat]
        n = len(part[0])
        yield (*part, one[:n], two[:n])


def _scratch(p: Any) -> tuple[Any, Any]:
    """Two buffers for blocks of arrays like `p`, kept by the thread."""
    xp = array_module(p)
    kept = _buffers.__dict__
    key = f"{xp.__name__} {p.dtype}"
    if key not in kept:
        kept[key] = xp.empty(BLOCK, p.dtype), xp.empty(BLOCK, p.dtype)
    one, two = kept[key]
    return one, two
