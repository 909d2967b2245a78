"""Truncated normal distribution, by rejection sampling."""

from __future__ import annotations

import math
import warnings
from typing import Any

from ..autograd.modes import no_grad
from ..ops import empty_like, where
from ..tensor.tensor import Tensor

__all__ = ["trunc_normal_"]


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Any = None,
) -> Tensor:
    """Fill with numbers from a normal distribution truncated to [a, b].

    What falls outside is drawn again. Where little of the normal distribution lies
    inside, numbers are drawn uniformly and accepted in proportion to its density.

    Math: x ~ N(mean, std²), given that a <= x <= b
    Shape: (*) -> (*)

    Example:
        >>> import edutorch as torch
        >>> torch.nn.init.trunc_normal_(torch.empty(100)).abs().max() <= 2
        tensor(True)

    Reference: Robert, 1995.
    """
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect.",
            stacklevel=2,
        )

    if tensor.is_meta:  # nothing can be drawn again
        return tensor

    def cdf(x: float) -> float:
        return (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0

    inside = cdf((b - mean) / std) - cdf((a - mean) / std)
    fill = _normal_inside if inside > 0.3 else _uniform_by_density
    with no_grad():
        return fill(tensor, mean, std, a, b, generator)


def _normal_inside(
    x: Tensor, mean: float, std: float, a: float, b: float, generator: Any
) -> Tensor:
    """Draw normal numbers, again as long as some are outside [a, b]."""
    a, b = x.new_tensor(a).item(), x.new_tensor(b).item()
    x.normal_(mean, std, generator=generator)
    while (outside := (x < a) | (x > b)).any():
        again = empty_like(x).normal_(mean, std, generator=generator)
        x.copy_(where(outside, again, x))
    return x


def _uniform_by_density(
    x: Tensor, mean: float, std: float, a: float, b: float, generator: Any
) -> Tensor:
    """Draw uniform numbers in [a, b], again as long as some are above the density."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2

    def above(drawn: Tensor) -> Tensor:
        density = drawn.sub(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        return empty_like(x).uniform_(generator=generator).log_() > density

    x.uniform_(a, b, generator=generator)
    waiting = above(x)
    while waiting.any():
        again = empty_like(x).uniform_(a, b, generator=generator)
        x.copy_(where(waiting, again, x))
        waiting = waiting & above(again)
    return x
