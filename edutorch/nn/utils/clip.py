"""Keep gradients from growing too large."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...autograd.modes import no_grad
from ...tensor.tensor import Tensor, wrap

__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "get_total_norm"]


def _gradients(parameters: Any) -> list[Tensor]:
    several = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [p._grad for p in several if p._grad is not None]


def get_total_norm(
    tensors: Any,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of several tensors taken as one vector.

    Math: (Σ |x|^p)^(1/p)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.utils.get_total_norm([torch.tensor([3.0]), torch.tensor([4.0])])
        tensor(5.)
    """
    several = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    if not several:
        return wrap(np.array(0.0, dtype=np.float32))
    device = several[0]._device
    with no_grad():
        each = [t.detach().norm(norm_type).to(device) for t in several]
        total = each[0] if len(each) == 1 else _stack(each).norm(norm_type)
    if error_if_nonfinite and not math.isfinite(float(total)):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is "
            "non-finite, so it cannot be clipped. To disable this error and scale the "
            "gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    return total


def _stack(each: list[Tensor]) -> Tensor:
    values = np.array([float(t) for t in each], dtype=each[0]._data.dtype)
    return wrap(values)


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale gradients, in place, so that their norm together is at most `max_norm`.

    Math: g ← g · min(1, max_norm / (norm + 1e-6))

    Returns:
        The norm before clipping.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.zeros(2))
        >>> p.grad = torch.tensor([3.0, 4.0])
        >>> torch.nn.utils.clip_grad_norm_([p], 1.0), p.grad
        (tensor(5.), tensor([0.6000, 0.8000]))
    """
    gradients = _gradients(parameters)
    total = get_total_norm(gradients, norm_type, error_if_nonfinite)
    with no_grad():
        scale = (max_norm / (total + 1e-6)).clamp(max=1.0)
        for g in gradients:
            g.detach().mul_(scale.to(g._device))
    return total


def clip_grad_norm(
    parameters: Any, max_norm: float, *args: Any, **kwargs: Any
) -> Tensor:
    """The old name of `clip_grad_norm_`.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.utils.clip_grad_norm_([], 1.0)
        tensor(0.)
    """
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
        "`torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, *args, **kwargs)


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor],
    clip_value: float,
    foreach: bool | None = None,
) -> None:
    """Clamp each element of the gradients to ±clip_value, in place.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.zeros(2))
        >>> p.grad = torch.tensor([3.0, -4.0])
        >>> torch.nn.utils.clip_grad_value_([p], 1.0)
        >>> p.grad
        tensor([ 1., -1.])
    """
    with no_grad():
        for g in _gradients(parameters):
            g.detach().clamp_(-float(clip_value), float(clip_value))
