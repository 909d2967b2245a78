"""Fills a tensor with random numbers in place."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...random import Generator
from ...tensor.indexing import check_long
from ...tensor.tensor import Tensor
from ..argument_checks import number_of
from ..argument_errors import check_call
from ..int_arguments import int_of
from ..registration import method
from .distributions import (
    Bernoulli,
    Cauchy,
    Exponential,
    Geometric,
    LogNormal,
    Normal,
    Random,
    Uniform,
)
from .draw import refill

__all__: list[str] = []


@method
def _tensor_uniform_(
    self: Tensor, from_: float = 0, to: float = 1, *, generator: Generator | None = None
) -> Tensor:
    """Fill with uniform random numbers in [from_, to).

    Math: y ~ U[from, to)      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: if the range is empty, or too large for the dtype.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.empty(2).uniform_(-1, 1)
        tensor([-0.0075,  0.5364])
    """
    fill = Uniform(
        _float_argument(from_, "from_", "uniform_"),
        _float_argument(to, "to", "uniform_"),
    )
    return refill(self, fill, generator)


@method
def _tensor_normal_(
    self: Tensor, mean: float = 0, std: float = 1, *, generator: Generator | None = None
) -> Tensor:
    """Fill with normal random numbers.

    Math: y ~ N(mean, std²)      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: if `std` is negative.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.empty(2).normal_()
        tensor([ 1.5410, -0.2934])
    """
    fill = Normal(
        _float_argument(mean, "mean", "normal_"), _float_argument(std, "std", "normal_")
    )
    return refill(self, fill, generator)


@method
def _tensor_log_normal_(
    self: Tensor, mean: float = 1, std: float = 2, *, generator: Generator | None = None
) -> Tensor:
    """Fill with exp(x) of normal x with given mean and deviation.

    Math: ln y ~ N(m, s²)      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: unless `std` is positive.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> x = torch.empty(10000).log_normal_(mean=1.0, std=2.0)
        >>> x.min() > 0, (x.log().mean() - 1).abs() < 0.1
        (tensor(True), tensor(True))
    """
    fill = LogNormal(
        _float_argument(mean, "mean", "log_normal_"),
        _float_argument(std, "std", "log_normal_"),
    )
    return refill(self, fill, generator)


@method
def _tensor_exponential_(
    self: Tensor, lambd: float = 1, *, generator: Generator | None = None
) -> Tensor:
    """Fill with exponential random numbers with mean 1/lambd.

    Math: p(y) = λ e^(-λy)      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: unless `lambd` is positive and the dtype floating.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> x = torch.empty(10000).exponential_(2.0)
        >>> x.min() > 0, (x.mean() - 1 / 2).abs() < 0.02
        (tensor(True), tensor(True))
    """
    fill = Exponential(_float_argument(lambd, "lambd", "exponential_"))
    return refill(self, fill, generator)


@method
def _tensor_cauchy_(
    self: Tensor,
    median: float = 0,
    sigma: float = 1,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Fill with Cauchy random numbers.

    Math: p(y) = 1/π · σ / ((y - m)² + σ²)      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: unless `sigma` is positive and the dtype floating.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> x = torch.empty(10001).cauchy_(median=3.0)
        >>> (x.median() - 3).abs() < 0.1, x.abs().max() > 1000  # heavy tails
        (tensor(True), tensor(True))
    """
    fill = Cauchy(
        _float_argument(median, "median", "cauchy_"),
        _float_argument(sigma, "sigma", "cauchy_"),
    )
    return refill(self, fill, generator)


@method
def _tensor_geometric_(
    self: Tensor, p: float, *, generator: Generator | None = None
) -> Tensor:
    """Fill with the number of trials up to the first success with probability p.

    Math: P(y = k) = (1 - p)^(k - 1) p      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: unless 0 < p < 1.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> x = torch.empty(10000).geometric_(0.25)
        >>> x.min(), (x.mean() - 4).abs() < 0.1
        (tensor(1.), tensor(True))
    """
    fill = Geometric(_float_argument(p, "p", "geometric_"))
    return refill(self, fill, generator)


@method
def _tensor_random_(
    self: Tensor, *ends: int | None, generator: Generator | None = None, **named: Any
) -> Tensor:
    """Fill with integers: `random_()`, `random_(to)` or `random_(from, to)`.

    Without ends they go from 0 to the largest integer up to which the dtype has all.

    Math: P(y = k) equal for every k in [from, to)      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: if the range is empty or the dtype does not hold it.
        ValueError: for ends of more than 64 bits.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.empty(4).random_(10)
        tensor([4., 9., 3., 0.])
    """
    if len(ends) > 2:
        raise TypeError(
            f"random_() takes 2 positional arguments but {len(ends)} were given"
        )
    for name in named.keys() - {"from", "to"}:
        raise TypeError(f"random_() got an unexpected keyword argument '{name}'")
    check_call(ends[:1] != (None,))
    ends = tuple(None if n is None else int_of(n, "to", "random_") for n in ends)
    for end in ends:
        check_long(end or 0)
    low, high = {0: (None, None), 1: (0, *ends), 2: ends}[len(ends)]
    low, high = named.get("from", low), named.get("to", high)
    if high is not None and low is None:
        low = 0
    return refill(self, Random(low, high), generator)


@method
def _tensor_bernoulli_(
    self: Tensor, p: Any = 0.5, *, generator: Generator | None = None
) -> Tensor:
    """Fill with 1 with probability p (a number or tensor), else 0.

    Math: P(y = 1) = p, else y = 0      ∂L/∂x = 0
    Shape: (*) -> (*)

    Raises:
        RuntimeError: if p is not a probability.

    Example:
        >>> import edutorch as torch
        >>> _ = torch.manual_seed(0)
        >>> torch.empty(4).bernoulli_(0.5)
        tensor([0., 0., 1., 0.])
    """
    if not isinstance(p, Tensor):
        return refill(
            self, Bernoulli(_float_argument(p, "p", "bernoulli_"), form=2), generator
        )
    if p.is_meta and not self.is_meta:
        raise NotImplementedError(
            "Cannot inplace into non-meta tensor with meta tensor argument"
        )
    return refill(self, Bernoulli(expand_on_host(p, self), form=1), generator)


def _float_argument(value: Any, argument: str, function: str) -> float:
    return float(number_of(value, argument, function, "float"))


def expand_on_host(p: Tensor, x: Tensor) -> Any:
    """The elements of `p`, on the host, broadcast to the shape of `x`."""
    chances = p._data if p.is_meta else p._host_array()
    try:
        return np.broadcast_to(chances, x._data.shape)
    except ValueError:
        own, size = p._data.shape, x._data.shape
        if len(own) > len(size):
            raise RuntimeError(
                f"expand({p.type()}{{{list(own)}}}, size={list(size)}): the number of "
                f"sizes provided ({len(size)}) must be greater or equal to the number "
                f"of dimensions in the tensor ({len(own)})"
            ) from None
        dim = next(
            i for i in range(-1, -len(own) - 1, -1) if own[i] not in (1, size[i])
        )
        raise RuntimeError(
            f"The expanded size of the tensor ({size[dim]}) must match the existing "
            f"size ({own[dim]}) at non-singleton dimension {len(size) + dim}.  Target "
            f"sizes: {list(size)}.  Tensor sizes: {list(own)}"
        ) from None
