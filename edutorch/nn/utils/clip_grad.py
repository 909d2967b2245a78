"""Gradient norms and gradient clipping."""

from __future__ import annotations

import math
import types
import warnings
from collections.abc import Callable, Iterable
from typing import Any
from weakref import WeakValueDictionary

from ...autograd.modes import no_grad
from ...ops.create import tensor
from ...ops.reduce.norms import vector_norm
from ...ops.shape import stack
from ...tensor.tensor import Tensor

__all__ = [
    "SHARD_NORMS", "clip_grad_norm", "clip_grad_norm_", "clip_grad_value_",
    "clip_grads_with_norm_", "get_total_norm",
]  # fmt: skip

# For parameters that are shards, by their ids: what computes the norm over all ranks
# from that of this rank, and its order. Equal values are called once for all shards.
SHARD_NORMS: WeakValueDictionary[int, Callable[[Tensor, float], Tensor]] = (
    WeakValueDictionary()
)


def _gradients(parameters: Any) -> list[Tensor]:
    several = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    return [p._grad for p in several if p._grad is not None]


def get_total_norm(
    tensors: Tensor | Iterable[Tensor],
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of several tensors, as of one vector.

    Math: (Σ |x|^p)^(1/p), the norm of the norms of each
    Shape: any number of (*) -> ()

    Args:
        foreach: accepted; it is computed in one way.

    Raises:
        RuntimeError: with `error_if_nonfinite`, for a norm that is infinite or nan.

    Example:
        >>> import edutorch as torch
        >>> torch.nn.utils.get_total_norm([torch.tensor([3.0]), torch.tensor([4.0])])
        tensor(5.)
    """
    several = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    norm_type = float(norm_type)
    if not several:
        return tensor(0.0)
    device = several[0].device
    with no_grad():
        norms = [vector_norm(t, norm_type).to(device) for t in several]
        total = vector_norm(stack(norms), norm_type)
    if error_if_nonfinite:
        _check_finite(total, norm_type)
    return total


def _check_finite(total: Tensor, norm_type: float) -> None:
    if not math.isfinite(total.item()):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is "
            "non-finite, so it cannot be clipped. To disable this error and scale the "
            "gradients by the non-finite norm anyway, set `error_if_nonfinite=False`"
        )


def _norm_over_ranks(parameters: list[Tensor], norm_type: float) -> Tensor:
    """The norm of all gradients, including the other ranks' parts of sharded ones."""
    groups: dict[Any, list[Tensor]] = {}
    for p in parameters:
        groups.setdefault(SHARD_NORMS.get(id(p)), []).append(p)
    if not groups:
        return tensor(0.0)
    norms = []
    for over_ranks, members in groups.items():
        grads = _gradients(members)
        if over_ranks is None:
            norms.append(get_total_norm(grads, norm_type))
            continue
        # A shard may be empty here; every rank takes part, with or without gradients.
        mine = get_total_norm([g for g in grads if g.numel()], norm_type)
        norms.append(over_ranks(mine, float(norm_type)))
    return norms[0] if len(norms) == 1 else get_total_norm(norms, norm_type)


def clip_grads_with_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    total_norm: Tensor,
    foreach: bool | None = None,
) -> None:
    """Scale gradients in place as `clip_grad_norm_` does, given their norm.

    Math: g ← g · min(1, max_norm / (total_norm + 1e-6))

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.zeros(2))
        >>> p.grad = torch.tensor([3.0, 4.0])
        >>> torch.nn.utils.clip_grads_with_norm_([p], 1.0, torch.tensor(10.0))
        >>> p.grad
        tensor([0.3000, 0.4000])
    """
    with no_grad():
        scale = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for g in _gradients(parameters):
            g.mul_(scale.to(g._device))


def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale gradients in place so that their total norm is at most `max_norm`.

    Math: g ← g · min(1, max_norm / (norm + 1e-6))
    Reference: Pascanu, Mikolov and Bengio, 2013.

    The gradients of a fully sharded module are those of all ranks, each of which calls
    this.

    Returns:
        The norm before clipping.

    Raises:
        RuntimeError: with `error_if_nonfinite`, for a norm that is infinite or nan.

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.zeros(2))
        >>> p.grad = torch.tensor([3.0, 4.0])
        >>> torch.nn.utils.clip_grad_norm_([p], 1.0), p.grad
        (tensor(5.), tensor([0.6000, 0.8000]))
    """
    if isinstance(parameters, Tensor):
        parameters = [parameters]
    else:
        generated = isinstance(parameters, types.GeneratorType)
        parameters = list(parameters)
        if generated and not parameters:
            warnings.warn(
                "`parameters` is an empty generator, no gradient clipping will occur.",
                stacklevel=2,
            )
    total = _norm_over_ranks(parameters, norm_type)
    if error_if_nonfinite:
        _check_finite(total, float(norm_type))
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_norm(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """A deprecated alias of `clip_grad_norm_`.

    Example:
        >>> import edutorch as torch
        >>> import warnings
        >>> warnings.simplefilter("ignore")
        >>> w = torch.ones(1, requires_grad=True)
        >>> w.grad = torch.tensor([4.0])
        >>> torch.nn.utils.clip_grad_norm([w], 1.0), w.grad
        (tensor(4.), tensor([1.0000]))
    """
    warnings.warn(
        "`torch.nn.utils.clip_grad_norm` is now deprecated in favor of "
        "`torch.nn.utils.clip_grad_norm_`.",
        FutureWarning,
        stacklevel=2,
    )
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)


def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor],
    clip_value: float,
    foreach: bool | None = None,
) -> None:
    """Clamp each element of the gradients to ±clip_value in place.

    Math: g ← min(max(g, −clip_value), clip_value)

    Example:
        >>> import edutorch as torch
        >>> p = torch.nn.Parameter(torch.zeros(2))
        >>> p.grad = torch.tensor([3.0, -4.0])
        >>> torch.nn.utils.clip_grad_value_([p], 1.0)
        >>> p.grad
        tensor([ 1., -1.])
    """
    bound = float(clip_value)
    with no_grad():
        for g in _gradients(parameters):
            g.clamp_(-bound, bound)
