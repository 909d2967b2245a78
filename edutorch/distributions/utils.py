"""What distributions share: parameters of one shape, probabilities and log-odds."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number
from typing import Any

from .. import dtypes
from ..autograd.modes import enable_grad
from ..nn.functional import softmax
from ..ops import broadcast_tensors, empty, log, log1p, sigmoid, tensor
from ..tensor.size import Size
from ..tensor.tensor import Tensor

__all__ = [
    "broadcast_all", "clamp_probs", "lazy_property", "logits_to_probs",
    "probs_to_logits", "shape_of", "standard_normal", "sum_rightmost",
]  # fmt: skip


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Tensors and numbers as tensors of one shape.

    Numbers take dtype and device of the first tensor.

    Raises:
        ValueError: for other values.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.utils.broadcast_all(torch.zeros(2), 1)
        (tensor([0., 0.]), tensor([1., 1.]))
    """
    if not all(isinstance(v, (Tensor, Number)) for v in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects "
            "implementing __torch_function__."
        )
    first = next((v for v in values if isinstance(v, Tensor)), None)
    options: dict[str, Any] = {"dtype": dtypes.get_default_dtype()}
    if first is not None:
        options = {"dtype": first.dtype, "device": first.device}
    found: tuple[Tensor, ...] = broadcast_tensors(
        *(v if isinstance(v, Tensor) else tensor(v, **options) for v in values)
    )
    return found


def shape_of(*given: Any) -> Size:
    """The batch shape of parameters, as given: that of the first tensor, or ()."""
    tensors = [v for v in given if isinstance(v, Tensor)]
    return broadcast_tensors(*tensors)[0].shape if tensors else Size()


def clamp_probs(probs: Tensor) -> Tensor:
    """Probabilities that are neither 0 nor 1, by the least that their dtype knows.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.utils.clamp_probs(torch.tensor([0.5, 0.0]))
        tensor([5.0000e-01, 1.1921e-07])
    """
    eps = dtypes.finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs: Tensor, is_binary: bool = False) -> Tensor:
    """Logarithms of probabilities; for two outcomes the log-odds of the second.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.utils.probs_to_logits(torch.tensor(0.5), True)
        tensor(0.)
    """
    p = clamp_probs(probs)
    return log(p) - log1p(-p) if is_binary else log(p)


def logits_to_probs(logits: Tensor, is_binary: bool = False) -> Tensor:
    """Probabilities from logarithms of them, or from log-odds.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.utils.logits_to_probs(torch.zeros(4))
        tensor([0.2500, 0.2500, 0.2500, 0.2500])
    """
    return sigmoid(logits) if is_binary else softmax(logits, dim=-1)


class lazy_property:  # noqa: N801 (used like a function)
    """A property that is computed once, when it is first asked for.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.Bernoulli(logits=torch.tensor(0.0))
        >>> "probs" in vars(d), d.probs, "probs" in vars(d)
        (False, tensor(0.5000), True)
    """

    def __init__(self, wrapped: Callable[[Any], Any]) -> None:
        self.wrapped = wrapped
        self.__doc__ = wrapped.__doc__

    def __get__(self, instance: Any, kind: Any = None) -> Any:
        if instance is None:
            return self
        with enable_grad():
            value = self.wrapped(instance)
        setattr(instance, self.wrapped.__name__, value)
        return value


def standard_normal(shape: Any, like: Tensor) -> Tensor:
    """Normal numbers, with the dtype and on the device of a parameter."""
    return empty(shape, dtype=like.dtype, device=like.device).normal_()


def sum_rightmost(value: Tensor, dim: int) -> Tensor:
    """The sum over the last `dim` dimensions."""
    if dim == 0:
        return value
    return value.reshape((*value.shape[: value.ndim - dim], -1)).sum(-1)
