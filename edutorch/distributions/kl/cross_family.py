"""Divergences of distributions of different types.

KL(p, q) = -E[ln q(x)] - H(p): for every q the cross entropy follows from a few moments
of p, so that a formula for q serves all p.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import singledispatch
from typing import Any

from ...ops import digamma, erf, exp, full_like, lgamma, log, xlogy
from ...tensor.tensor import Tensor
from ..bernoulli import Bernoulli
from ..beta import Beta
from ..binomial import Binomial
from ..continuous_bernoulli import ContinuousBernoulli
from ..exponential import Exponential
from ..gamma import Gamma
from ..gumbel import Gumbel
from ..laplace import Laplace
from ..normal import Normal
from ..pareto import Pareto
from ..poisson import Poisson
from ..uniform import Uniform
from ..utils import euler_constant
from .registry import register_kl

__all__: list[str] = []

Formula = Callable[[Any, Any], Tensor]


def _for_all(kinds: tuple[type, ...], type_q: type) -> Callable[[Formula], Formula]:
    """Enter the cross entropy of some p and a q, of which p's entropy is taken."""

    def decorate(cross_entropy: Formula) -> Formula:
        def divergence(p: Any, q: Any) -> Tensor:
            found: Tensor = cross_entropy(p, q) - p.entropy()
            return found

        for kind in kinds:
            register_kl(kind, type_q)(divergence)
        return cross_entropy

    return decorate


@singledispatch
def _moments(p: Any) -> tuple[Tensor, Tensor]:
    """E[x] and Var[x]."""
    return p.mean, p.variance


@_moments.register(Pareto)
def _pareto_moments(p: Any) -> tuple[Tensor, Tensor]:
    """By the formulas, also where the moments are infinite: gradients stay finite."""
    mean = p.alpha * p.scale / (p.alpha - 1)
    return mean, mean.pow(2) / (p.alpha * (p.alpha - 2))


@singledispatch
def _mean_log(p: Any) -> Tensor:
    """E[ln x]."""
    raise NotImplementedError


@_mean_log.register(Beta)
def _beta_log(p: Any) -> Tensor:
    return digamma(p.concentration1) - digamma(p.concentration1 + p.concentration0)


@_mean_log.register(Exponential)
def _exponential_log(p: Any) -> Tensor:
    return -log(p.rate) - euler_constant


@_mean_log.register(Gamma)
def _gamma_log(p: Any) -> Tensor:
    return digamma(p.concentration) - log(p.rate)


@_mean_log.register(Pareto)
def _pareto_log(p: Any) -> Tensor:
    return log(p.scale) + p.alpha.reciprocal()


@_mean_log.register(Uniform)
def _uniform_log(p: Any) -> Tensor:
    return _mean_log_between(p.low, p.high)


def _mean_log_between(low: Tensor, high: Tensor) -> Tensor:
    """E[ln x] of x uniform between two numbers."""
    return (xlogy(high, high) - xlogy(low, low)) / (high - low) - 1


@singledispatch
def _mean_exp(p: Any, m: Tensor, s: Tensor) -> Tensor:
    """E[exp(-(x - m) / s)]."""
    raise NotImplementedError


@_mean_exp.register(Exponential)
def _exponential_exp(p: Any, m: Tensor, s: Tensor) -> Tensor:
    steps = p.rate * s
    return exp(m / s) * steps / (steps + 1)


@_mean_exp.register(Gamma)
def _gamma_exp(p: Any, m: Tensor, s: Tensor) -> Tensor:
    return exp(m / s) * (1 + (p.rate * s).reciprocal()).pow(-p.concentration)


@_mean_exp.register(Normal)
def _normal_exp(p: Any, m: Tensor, s: Tensor) -> Tensor:
    return exp((m - p.loc) / s + 0.5 * (p.scale / s).pow(2))


@_mean_exp.register(Uniform)
def _uniform_exp(p: Any, m: Tensor, s: Tensor) -> Tensor:
    ends = exp((m - p.low) / s) - exp((m - p.high) / s)
    return s / (p.high - p.low) * ends


@_for_all((Beta, ContinuousBernoulli, Exponential, Gamma, Gumbel, Laplace), Normal)
def _normal(p: Any, q: Any) -> Tensor:
    mean, variance = _moments(p)
    squares = variance + (mean - q.loc).pow(2)
    return 0.5 * (log(2 * math.pi * q.scale.pow(2)) + squares / q.scale.pow(2))


@_for_all((Uniform,), Normal)
def _normal_of_uniform(p: Any, q: Any) -> Tensor:
    return _normal(p, q)


@_for_all((Pareto,), Normal)
def _normal_of_pareto(p: Any, q: Any) -> Tensor:
    return _normal(p, q).masked_fill(p.alpha <= 2, math.inf)


@_for_all((Normal,), Laplace)
def _laplace(p: Any, q: Any) -> Tensor:
    apart = p.loc - q.loc
    z = apart / p.scale
    near = math.sqrt(2 / math.pi) * p.scale * exp(-0.5 * z.pow(2))
    distance = near + apart * erf(math.sqrt(0.5) * z)
    return log(2 * q.scale) + distance / q.scale


@_for_all((Beta, ContinuousBernoulli, Gamma), Exponential)
def _exponential(p: Any, q: Any) -> Tensor:
    return q.rate * _moments(p)[0] - log(q.rate)


@_for_all((Uniform,), Exponential)
def _exponential_of_uniform(p: Any, q: Any) -> Tensor:
    return _exponential(p, q).masked_fill(p.low < 0, math.inf)


@_for_all((Pareto,), Exponential)
def _exponential_of_pareto(p: Any, q: Any) -> Tensor:
    return _exponential(p, q).masked_fill(p.alpha <= 1, math.inf)


@_for_all((Beta, Exponential), Gamma)
def _gamma(p: Any, q: Any) -> Tensor:
    a = q.concentration
    powers = a * log(q.rate) + (a - 1) * _mean_log(p)
    return lgamma(a) - powers + q.rate * _moments(p)[0]


@_for_all((Uniform,), Gamma)
def _gamma_of_uniform(p: Any, q: Any) -> Tensor:
    return _gamma(p, q).masked_fill(p.low < 0, math.inf)


@_for_all((Pareto,), Gamma)
def _gamma_of_pareto(p: Any, q: Any) -> Tensor:
    return _gamma(p, q).masked_fill(p.alpha <= 1, math.inf)


@_for_all((Exponential, Gamma, Normal, Uniform), Gumbel)
def _gumbel(p: Any, q: Any) -> Tensor:
    tail = _mean_exp(p, q.loc, q.scale)
    return log(q.scale) + (p.mean - q.loc) / q.scale + tail


@_for_all((Beta,), Uniform)
def _uniform_of_beta(p: Any, q: Any) -> Tensor:
    outside = (q.low > 0) | (q.high < 1)
    return (log(q.high - q.low) + 0 * p.mean).masked_fill(outside, math.inf)


@_for_all((ContinuousBernoulli,), Uniform)
def _uniform_of_continuous_bernoulli(p: Any, q: Any) -> Tensor:
    # PyTorch requires a strictly larger interval here.
    outside = (q.low >= 0) | (q.high <= 1)
    return (log(q.high - q.low) + 0 * p.mean).masked_fill(outside, math.inf)


@_for_all((Beta,), ContinuousBernoulli)
def _continuous_bernoulli(p: Any, q: Any) -> Tensor:
    constant = (-q.probs).log1p() + q._cont_bern_log_norm()
    found: Tensor = -p.mean * q.logits - constant
    return found


@_for_all((Uniform,), ContinuousBernoulli)
def _continuous_bernoulli_of_uniform(p: Any, q: Any) -> Tensor:
    outside = (p.high >= 1) | (p.low <= 0)
    return _continuous_bernoulli(p, q).masked_fill(outside, math.inf)


@_for_all((Uniform,), Beta)
def _beta_of_uniform(p: Any, q: Any) -> Tensor:
    a, b = q.concentration1, q.concentration0
    below, above = _mean_log(p), _mean_log_between(1 - p.high, 1 - p.low)
    volume = lgamma(a) + lgamma(b) - lgamma(a + b)
    found = volume - (a - 1) * below - (b - 1) * above
    return found.masked_fill((p.high > 1) | (p.low < 0), math.inf)


@_for_all((Uniform,), Pareto)
def _pareto_of_uniform(p: Any, q: Any) -> Tensor:
    powers = log(q.alpha * q.scale.pow(q.alpha))
    found = (q.alpha + 1) * _mean_log(p) - powers
    return found.masked_fill(p.low < q.scale, math.inf)


@_for_all((Bernoulli,), Poisson)
def _poisson_of_bernoulli(p: Any, q: Any) -> Tensor:
    # ln x! is 0 for both outcomes.
    found: Tensor = q.rate - p.probs * log(q.rate)
    return found


def _infinite(parameter: str, type_p: type, *others: type) -> None:
    """Enter pairs where p has values that q cannot have."""

    def divergence(p: Any, q: Any) -> Tensor:
        return full_like(getattr(p, parameter), math.inf)

    for type_q in others:
        register_kl(type_p, type_q)(divergence)


_infinite("concentration1", Beta, Pareto)
_infinite("probs", ContinuousBernoulli, Pareto)
_infinite("rate", Exponential, Beta, ContinuousBernoulli, Pareto, Uniform)
_infinite("concentration", Gamma, Beta, ContinuousBernoulli, Pareto, Uniform)
_infinite("scale", Pareto, Beta, ContinuousBernoulli, Uniform)
_infinite("rate", Poisson, Bernoulli, Binomial)
for _kind in (Gumbel, Laplace, Normal):
    _infinite("loc", _kind, Beta, ContinuousBernoulli, Exponential, Gamma, Pareto)
    _infinite("loc", _kind, Uniform)
