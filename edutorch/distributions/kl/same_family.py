"""Divergences of two distributions of one type."""

from __future__ import annotations

import math
from typing import Any

from ...nn.functional import softplus
from ...ops import digamma, exp, lgamma
from ...tensor.tensor import Tensor
from ..bernoulli import Bernoulli
from ..beta import Beta
from ..binomial import Binomial
from ..categorical import Categorical
from ..cauchy import Cauchy
from ..continuous_bernoulli import ContinuousBernoulli
from ..dirichlet import Dirichlet
from ..exp_family import ExponentialFamily, dual
from ..exponential import Exponential
from ..gamma import Gamma
from ..geometric import Geometric
from ..gumbel import Gumbel
from ..half_normal import HalfNormal
from ..independent import Independent
from ..laplace import Laplace
from ..normal import Normal
from ..one_hot_categorical import OneHotCategorical
from ..pareto import Pareto
from ..poisson import Poisson
from ..transformed_distribution import TransformedDistribution
from ..uniform import Uniform
from ..utils import _sum_rightmost, euler_constant
from .registry import kl_divergence, register_kl

__all__: list[str] = []


@register_kl(Bernoulli, Bernoulli)
def _bernoulli(p: Any, q: Any) -> Tensor:
    ones = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    ones = ones.masked_fill(q.probs == 0, math.inf).masked_fill(p.probs == 0, 0)
    zeros = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    zeros = zeros.masked_fill(q.probs == 1, math.inf).masked_fill(p.probs == 1, 0)
    return ones + zeros


@register_kl(Binomial, Binomial)
def _binomial(p: Any, q: Any) -> Tensor:
    if (p.total_count < q.total_count).any():
        raise NotImplementedError(
            "KL between Binomials where q.total_count > p.total_count is not "
            "implemented"
        )
    odds = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    impossible = p.total_count > q.total_count
    return (p.total_count * odds).masked_fill(impossible, math.inf)


@register_kl(Categorical, Categorical)
def _categorical(p: Any, q: Any) -> Tensor:
    lost = p.probs * (p.logits - q.logits)
    lost = lost.masked_fill(q.probs == 0, math.inf).masked_fill(p.probs == 0, 0)
    return lost.sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hot(p: Any, q: Any) -> Tensor:
    return _categorical(p._categorical, q._categorical)


@register_kl(Cauchy, Cauchy)
def _cauchy(p: Any, q: Any) -> Tensor:
    """Reference: Chyzak and Nielsen, 2019."""
    apart = (p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)
    return apart.log() - (4 * p.scale * q.scale).log()


@register_kl(ContinuousBernoulli, ContinuousBernoulli)
def _continuous_bernoulli(p: Any, q: Any) -> Tensor:
    own = p._cont_bern_log_norm() + (-p.probs).log1p()
    theirs = q._cont_bern_log_norm() + (-q.probs).log1p()
    return p.mean * (p.logits - q.logits) + own - theirs


@register_kl(Dirichlet, Dirichlet)
def _dirichlet(p: Any, q: Any) -> Tensor:
    a, b = p.concentration, q.concentration
    total = a.sum(-1)
    volumes = lgamma(total) - lgamma(b.sum(-1)) - (lgamma(a) - lgamma(b)).sum(-1)
    mean_logs = digamma(a) - digamma(total).unsqueeze(-1)
    return volumes + ((a - b) * mean_logs).sum(-1)


@register_kl(Beta, Beta)
def _beta(p: Any, q: Any) -> Tensor:
    return _dirichlet(p._dirichlet, q._dirichlet)


@register_kl(Exponential, Exponential)
def _exponential(p: Any, q: Any) -> Tensor:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Gamma, Gamma)
def _gamma(p: Any, q: Any) -> Tensor:
    a, b = p.concentration, q.concentration
    shapes = lgamma(b) - lgamma(a) + (a - b) * digamma(a)
    return b * (p.rate / q.rate).log() + shapes + (q.rate - p.rate) * (a / p.rate)


@register_kl(Geometric, Geometric)
def _geometric(p: Any, q: Any) -> Tensor:
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(Gumbel, Gumbel)
def _gumbel(p: Any, q: Any) -> Tensor:
    ratio, apart = p.scale / q.scale, (q.loc - p.loc) / q.scale
    tail = exp(apart + lgamma(1 + ratio))
    return ratio * euler_constant - ratio.log() - apart + tail - (1 + euler_constant)


@register_kl(Laplace, Laplace)
def _laplace(p: Any, q: Any) -> Tensor:
    ratio, distance = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * (-distance / p.scale).exp() - 1


@register_kl(Normal, Normal)
def _normal(p: Any, q: Any) -> Tensor:
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(HalfNormal, HalfNormal)
def _half_normal(p: Any, q: Any) -> Tensor:
    return _normal(p.base_dist, q.base_dist)


@register_kl(Pareto, Pareto)
def _pareto(p: Any, q: Any) -> Tensor:
    ratio = q.alpha / p.alpha
    found = q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1
    return found.masked_fill(p.scale < q.scale, math.inf)


@register_kl(Poisson, Poisson)
def _poisson(p: Any, q: Any) -> Tensor:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p: Any, q: Any) -> Tensor:
    outside = (q.low > p.low) | (q.high < p.high)
    widths = ((q.high - q.low) / (p.high - p.low)).log()
    return widths.masked_fill(outside, math.inf)


@register_kl(Independent, Independent)
def _independent(p: Any, q: Any) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    each = kl_divergence(p.base_dist, q.base_dist)
    return _sum_rightmost(each, p.reinterpreted_batch_ndims)


@register_kl(TransformedDistribution, TransformedDistribution)
def _transformed(p: Any, q: Any) -> Tensor:
    """Bijections leave the divergence as it is."""
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(ExponentialFamily, ExponentialFamily)
def _exponential_family(p: Any, q: Any) -> Tensor:
    """The Bregman divergence of the log-normalizer.

    Reference: Banerjee et al., "Clustering with Bregman divergences", 2005.
    """
    if type(p) is not type(q):
        raise NotImplementedError(
            "The cross KL-divergence between different exponential families cannot"
            f"{' ' * 29}be computed using Bregman divergences"
        )
    normalizer, parameters, means = dual(p)
    theirs = q._natural_params
    found: Tensor = q._log_normalizer(*theirs) - normalizer
    for mine, other, mean in zip(parameters, theirs, means, strict=True):
        found = found - _sum_rightmost((other - mine) * mean, len(q.event_shape))
    return found
