"""`nn.functional.group_norm`, which refuses a single value per group."""

from __future__ import annotations

from math import prod

from ...tensor.tensor import Tensor
from ..argument_checks import need_tensors
from . import group

__all__ = ["group_norm"]


def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    """Normalise groups of channels of each sample, then scale and shift.

    Math: y = (x − mean) / √(var + eps) · w + b, over a group's channels and space
          ∂L/∂x = (h − mean(h) − z · mean(h·z)) / √(var + eps), h = g·w, z = (y − b) / w
          ∂L/∂w = Σ g·z      ∂L/∂b = Σ g
    Shape: (N, C, *S), (C), (C) -> (N, C, *S)

    Args:
        input: the samples.
        num_groups: into how many groups the channels are divided.
        weight: the scale of each channel.
        bias: the shift of each channel.
        eps: added to the variance, against division by 0.

    Raises:
        RuntimeError: for shapes or dtypes that do not fit together.
        ValueError: for one sample whose groups have one element each.

    Reference: Wu and He (2018), "Group normalization".

    Example:
        >>> import edutorch as torch
        >>> torch.nn.functional.group_norm(torch.tensor([[1.0, 3.0]]), 1)
        tensor([[-1.0000,  1.0000]])
    """
    need_tensors("group_norm", input=input)
    if input.ndim < 2:
        raise RuntimeError(
            f"Expected at least 2 dimensions for input tensor but received {input.ndim}"
        )
    n, c, *size = input.shape
    samples = (n * c // num_groups, num_groups, *size)
    if prod((samples[0], *size)) == 1:
        raise ValueError(
            "Expected more than 1 value per channel when training, got input size "
            f"{list(samples)}"
        )
    return group.group_norm(input, num_groups, weight, bias, eps)
