"""The Dirichlet distribution."""

from __future__ import annotations

from typing import Any, ClassVar

from ..autograd.function import Function, once_differentiable
from ..nn.functional import one_hot
from ..ops import digamma, lgamma, where, xlogy
from ..ops.sampling.gamma import _dirichlet_grad, _sample_dirichlet
from ..tensor.tensor import Tensor
from . import constraints
from .exp_family import ExponentialFamily

__all__ = ["Dirichlet"]


class _Dirichlet(Function):
    """Samples whose gradients follow the simplex."""

    @staticmethod
    def forward(ctx: Any, concentration: Tensor) -> Tensor:
        x = _sample_dirichlet(concentration)
        ctx.save_for_backward(x, concentration)
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> Tensor:
        x, concentration = ctx.saved_tensors
        total = concentration.sum(-1, True).expand_as(concentration)
        dx = _dirichlet_grad(x, concentration, total)
        return dx * (g - (x * g).sum(-1, True))


class Dirichlet(ExponentialFamily):
    """The Dirichlet distribution: vectors of K probabilities.

    Math: p(x) = Γ(Σ aₖ) / Π Γ(aₖ) · Π xₖ^(aₖ-1), Σ xₖ = 1

    Sampling: gamma numbers over their sum (Marsaglia and Tsang, 2000); gradients by
    implicit reparameterisation (Figurnov et al., 2018).

    Args:
        concentration: a, positive, along the last dimension.

    Raises:
        ValueError: for a parameter without dimensions.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Dirichlet(torch.tensor([1.0, 3.0])).mean
        tensor([0.2500, 0.7500])
    """

    arg_constraints: ClassVar[Any] = {
        "concentration": constraints.independent(constraints.positive, 1)
    }
    support = constraints.simplex
    has_rsample = True

    def __init__(
        self, concentration: Tensor, validate_args: bool | None = None
    ) -> None:
        if concentration.ndim < 1:
            raise ValueError(
                "`concentration` parameter must be at least one-dimensional."
            )
        self.concentration = concentration
        shape = concentration.shape
        super().__init__(shape[:-1], shape[-1:], validate_args=validate_args)

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Tensor:
        above = (self.concentration - 1).clamp(min=0.0)
        inside = above / above.sum(-1, True)
        # All below 1: the density has no maximum but grows towards the corners.
        corner = one_hot(inside.argmax(-1), inside.shape[-1]).to(inside)
        return where((self.concentration < 1).all(-1, keepdim=True), corner, inside)

    @property
    def variance(self) -> Tensor:
        a, total = self.concentration, self.concentration.sum(-1, True)
        return a * (total - a) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        drawn: Tensor = _Dirichlet.apply(self.concentration.expand(shape))
        return drawn

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        a = self.concentration
        powers = xlogy(a - 1.0, value).sum(-1)
        return powers + lgamma(a.sum(-1)) - lgamma(a).sum(-1)

    def entropy(self) -> Tensor:
        a, total = self.concentration, self.concentration.sum(-1)
        k = a.shape[-1]
        volume = lgamma(a).sum(-1) - lgamma(total) - (k - total) * digamma(total)
        return volume - ((a - 1.0) * digamma(a)).sum(-1)

    @property
    def _natural_params(self) -> tuple[Tensor, ...]:
        return (self.concentration,)

    def _log_normalizer(self, *natural_params: Tensor) -> Tensor:
        (x,) = natural_params
        return lgamma(x).sum(-1) - lgamma(x.sum(-1))
