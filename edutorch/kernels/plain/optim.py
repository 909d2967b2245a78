"""Steps of optimizers on whole arrays, and their settings."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

__all__ = ["AdamSettings", "SgdSettings", "adam_step", "sgd_step"]


class SgdSettings(NamedTuple):
    """The hyperparameters of gradient descent, as numbers."""

    lr: float
    momentum: float = 0
    dampening: float = 0
    weight_decay: float = 0
    nesterov: bool = False
    maximize: bool = False


class AdamSettings(NamedTuple):
    """The hyperparameters of Adam, as numbers."""

    lr: float
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8
    weight_decay: float = 0
    decoupled: bool = False
    maximize: bool = False


def sgd_step(p: Any, g: Any, velocity: Any, first: bool, settings: SgdSettings) -> None:
    """Stochastic gradient descent with momentum; changes `p` and `velocity`.

    Math: d = g + weight_decay p      v = momentum v + (1 - dampening) d
          p = p - lr v     (d + momentum v with `nesterov`, d without momentum)
    Shape: p, g, velocity (*); velocity is None without momentum
    """
    lr, momentum, dampening, weight_decay, nesterov, maximize = settings
    d = -g if maximize else g
    if weight_decay:
        d = d + weight_decay * p
    if momentum:
        velocity[...] = d if first else momentum * velocity + (1 - dampening) * d
        d = d + momentum * velocity if nesterov else velocity
    p -= lr * d


def adam_step(
    p: Any, g: Any, mean: Any, square: Any, largest: Any, t: int, settings: AdamSettings
) -> None:
    """Adam and, with `decoupled` weight decay, AdamW; changes p, mean and square.

    Math: m = beta1 m + (1 - beta1) g      v = beta2 v + (1 - beta2) g^2
          p = p - lr m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + eps)
    Shape: all arrays (*); `largest` is the largest v so far (AMSGrad), or None
    """
    lr, beta1, beta2, eps, weight_decay, decoupled, maximize = settings
    d = -g if maximize else g
    if weight_decay and decoupled:
        p *= 1 - lr * weight_decay
    elif weight_decay:
        d = d + weight_decay * p
    mean += (1 - beta1) * (d - mean)
    square += (1 - beta2) * (d * d - square)
    v = square if largest is None else np.maximum(largest, square, out=largest)
    mean_hat = mean / (1 - beta1**t)
    v_hat = v / (1 - beta2**t)
    p -= lr * mean_hat / (np.sqrt(v_hat) + eps)
