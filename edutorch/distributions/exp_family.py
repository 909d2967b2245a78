"""Exponential families."""

from __future__ import annotations

from typing import Any

from ..autograd import grad
from ..tensor.tensor import Tensor
from .distribution import Distribution

__all__ = ["ExponentialFamily", "dual"]


class ExponentialFamily(Distribution):
    """Base class: the log-density is linear in natural parameters.

    A subclass defines `_natural_params`, the function `_log_normalizer` of them, and
    `_mean_carrier_measure`; entropy and divergences follow.

    Math: ln p(x) = θ · t(x) - F(θ) + k(x)      H = F(θ) - θ · ∇F(θ) - E[k(x)]

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions
        >>> isinstance(d.Gamma(1.0, 1.0), d.ExponentialFamily)
        True

    Reference: Nielsen and Nock, "Entropies and cross-entropies of exponential
        families", 2010.
    """

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        """θ."""
        raise NotImplementedError

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        """F(θ)."""
        raise NotImplementedError

    @property
    def _mean_carrier_measure(self) -> Any:
        """E[k(x)]."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        measure = self._mean_carrier_measure
        normalizer, parameters, means = dual(self)
        found: Tensor = normalizer - measure
        for parameter, mean in zip(parameters, means, strict=True):
            found = found - (parameter * mean).reshape((*self._batch_shape, -1)).sum(-1)
        return found


def dual(family: ExponentialFamily) -> tuple[Tensor, list[Tensor], tuple[Tensor, ...]]:
    """F(θ), θ and ∇F(θ), which is the mean of t(x)."""
    parameters = [p.detach().requires_grad_() for p in family._natural_params]
    normalizer = family._log_normalizer(*parameters)
    return normalizer, parameters, grad(normalizer.sum(), parameters, create_graph=True)
