"""One optimizer step on one parameter, in place and without allocations.

A step reads several arrays of the parameter's size several times. It proceeds in
blocks, so that all reads but the first come from the cache; intermediate values are in
two small buffers per thread. The formulas are in `plain/optim.py`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from math import sqrt
from typing import Any

from edutorch.backends.array_modules import array_module
from edutorch.backends.meta.array import MetaArray
from edutorch.kernels.compiled import CompiledKernels, run_elementwise
from edutorch.kernels.plain.optim import AdamSettings, SgdSettings

__all__ = ["adam_step", "descend", "sgd_step"]

BLOCK = 2**15  # numbers: six float32 arrays of this size fit into an L2 cache of 1 MB

MAX_UNBLOCKED_SIZE = 2**20  # up to this size a new array costs less than blocks

MIN_DESCEND_SIZE = 2**12  # below this, NumPy is as fast at plain gradient descent

_buffers = threading.local()
_compiled = CompiledKernels("optim")


def sgd_step(p: Any, g: Any, velocity: Any, first: bool, settings: SgdSettings) -> None:
    """Stochastic gradient descent with momentum; changes `p` and `velocity`.

    Math: d = g + weight_decay p      v = momentum v + (1 - dampening) d
          p = p - lr v     (d + momentum v with `nesterov`, d without momentum)
    Shape: p, g, velocity (*); velocity is None without momentum

    `first` is the first step with momentum, where v = d.

    Reference: Sutskever, Martens, Dahl, Hinton (2013), "On the importance of
    initialization and momentum in deep learning".
    """
    lr, momentum, dampening, weight_decay, nesterov, maximize = settings
    if not (momentum or weight_decay or maximize):
        descend(p, g, lr)
        return
    if type(p) is MetaArray:
        return
    run = None
    if momentum and not (first or maximize):
        g = array_module(g).ascontiguousarray(g)  # a matrix's may be transposed
        run = _compiled.find("sgd_step", p, g, velocity)
    if run is not None:
        speed, ahead = (lr * momentum, 1 / momentum) if nesterov else (lr, 0)
        factors = speed, momentum, 1 - dampening, weight_decay, ahead
        run_elementwise(run, p, g, velocity, settings=factors)
        return
    scale = -1 if maximize else 1
    for weight, gradient, v, a, _ in _blocks(p, g, velocity):
        xp = array_module(weight)
        d = gradient
        if maximize or weight_decay:
            d = xp.multiply(gradient, scale, out=a)
        if weight_decay:
            d += weight * weight_decay
        if momentum:
            _update_velocity(v, d, momentum, 1 if first else 1 - dampening, first)
            d = d + v * momentum if nesterov else v
        xp.multiply(d, lr, out=a)
        xp.subtract(weight, a, out=weight)


def descend(p: Any, g: Any, lr: float) -> None:
    """The step of gradient descent without any extras.

    Math: p = p - lr g
    """
    if type(p) is MetaArray:
        return
    run = _compiled.find("descend", p, g) if p.size > MIN_DESCEND_SIZE else None
    if run is not None:
        run_elementwise(run, p, g, settings=(lr,))
    elif p.size <= MAX_UNBLOCKED_SIZE:
        p -= g * lr
    else:
        for weight, gradient, a, _ in _blocks(p, g):
            xp = array_module(weight)
            xp.subtract(weight, xp.multiply(gradient, lr, out=a), out=weight)


def _update_velocity(
    v: Any, d: Any, momentum: float, share: float, first: bool
) -> None:
    """Set the velocity to momentum v + share d, or to d in the first step."""
    if first:
        v[...] = d
        return
    v *= momentum
    v += d if share == 1 else d * share


def adam_step(
    p: Any, g: Any, mean: Any, square: Any, largest: Any, t: int, settings: AdamSettings
) -> None:
    """Adam and, with `decoupled` weight decay, AdamW; changes p, mean and square.

    Math: m = beta1 m + (1 - beta1) g      v = beta2 v + (1 - beta2) g^2
          p = p - lr m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + eps)
    Shape: all arrays (*)

    t counts from 1; `largest` is the largest v so far, used for v (AMSGrad), or None.

    Reference: Kingma, Ba (2015), "Adam"; Loshchilov, Hutter (2019), "Decoupled
    weight decay regularization".
    """
    if type(p) is MetaArray:
        return
    lr, beta1, beta2, eps, weight_decay, decoupled, maximize = settings
    size = lr / (1 - beta1**t)
    spread = sqrt(1 - beta2**t)  # applied to the term added to sqrt(v)
    size *= spread
    run = None
    if largest is None and not maximize:
        g = array_module(g).ascontiguousarray(g)  # a matrix's may be transposed
        run = _compiled.find("adam_step", p, g, mean, square)
    if run is not None:
        shares = size, 1 - beta1, 1 - beta2, eps * spread
        decays = (0, 1 - lr * weight_decay) if decoupled else (weight_decay, 1)
        run_elementwise(run, p, g, mean, square, settings=(*shares, *decays))
        return
    for weight, gradient, m, v, top, a, b in _blocks(p, g, mean, square, largest):
        xp = array_module(weight)
        d = xp.multiply(gradient, -1, out=b) if maximize else gradient
        if weight_decay and decoupled:
            xp.multiply(weight, 1 - lr * weight_decay, out=weight)
        elif weight_decay:
            xp.multiply(weight, weight_decay, out=a)
            d = xp.add(d, a, out=b)
        _update_running_mean(m, d, 1 - beta1, a)
        _update_running_mean(v, xp.multiply(d, d, out=b), 1 - beta2, a)
        if top is not None:
            xp.maximum(top, v, out=top)
        xp.sqrt(v if top is None else top, out=a)
        xp.add(a, eps * spread, out=a)
        xp.divide(m, a, out=a)
        xp.multiply(a, size, out=a)
        xp.subtract(weight, a, out=weight)


def _update_running_mean(mean: Any, value: Any, share: float, scratch: Any) -> None:
    """Update a running mean in place."""
    array_module(mean).subtract(value, mean, out=scratch)
    scratch *= share
    mean += scratch


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
        n = min(BLOCK, p.size - start)
        yield (*part, one[:n], two[:n])


def _scratch(p: Any) -> tuple[Any, Any]:
    """Two buffers for blocks of arrays like `p`, kept by the thread."""
    xp = array_module(p)
    buffers: dict[Any, Any] = _buffers.__dict__
    key = xp, p.dtype
    if key not in buffers:
        buffers[key] = xp.empty(BLOCK, p.dtype), xp.empty(BLOCK, p.dtype)
    one, two = buffers[key]
    return one, two
