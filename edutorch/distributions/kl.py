"""The Kullback-Leibler divergence, from formulas for pairs of distributions."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

from ..linalg import solve_triangular
from ..nn.functional import softplus
from ..tensor.tensor import Tensor
from .bernoulli import Bernoulli
from .binomial import Binomial
from .categorical import Categorical
from .distribution import Distribution
from .exponential import Exponential
from .geometric import Geometric
from .independent import Independent
from .laplace import Laplace
from .multivariate_normal import MultivariateNormal, mahalanobis
from .normal import Normal
from .one_hot_categorical import OneHotCategorical
from .poisson import Poisson
from .uniform import Uniform
from .utils import sum_rightmost

__all__ = ["kl_divergence", "register_kl"]

F = TypeVar("F", bound=Callable[..., Any])
_formulas: dict[tuple[type, type], Callable[[Any, Any], Tensor]] = {}


def register_kl(type_p: Any, type_q: Any) -> Callable[[F], F]:
    """A decorator that names the formula for two types of distributions.

    Raises:
        TypeError: for what is no type of distributions.

    Example:
        >>> import edutorch as torch
        >>> class Standard(torch.distributions.Normal):
        ...     pass
        >>> @torch.distributions.register_kl(Standard, Standard)
        ... def nothing(p, q):
        ...     return torch.zeros(())
        >>> d = Standard(0.0, 1.0)
        >>> torch.distributions.kl_divergence(d, d)
        tensor(0.)
    """
    for name, kind in (("p", type_p), ("q", type_q)):
        if not (isinstance(kind, type) and issubclass(kind, Distribution)):
            raise TypeError(
                f"Expected type_{name} to be a Distribution subclass but got {kind}"
            )

    def decorate(formula: F) -> F:
        _formulas[type_p, type_q] = formula
        return formula

    return decorate


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """How much is lost when q is taken for p: E_p[log p(x) - log q(x)].

    Math: KL(p, q) = Σ p(x) (log p(x) - log q(x)), of densities an integral

    Raises:
        NotImplementedError: where no formula is known for the two types.

    Example:
        >>> import edutorch as torch
        >>> normal = torch.distributions.Normal
        >>> torch.distributions.kl_divergence(normal(0.0, 1.0), normal(1.0, 1.0))
        tensor(0.5000)
    """
    formula = _formula(type(p), type(q))
    if formula is None:
        raise NotImplementedError(
            f"No KL(p || q) is implemented for p type {type(p).__name__} and q type "
            f"{type(q).__name__}"
        )
    return formula(p, q)


def _formula(p: type, q: type) -> Callable[[Any, Any], Tensor] | None:
    """The formula of the nearest types that these are derived from."""
    found = [
        (p.__mro__.index(a) + q.__mro__.index(b), n, formula)
        for n, ((a, b), formula) in enumerate(_formulas.items())
        if issubclass(p, a) and issubclass(q, b)
    ]
    return min(found)[2] if found else None


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


@register_kl(Exponential, Exponential)
def _exponential(p: Any, q: Any) -> Tensor:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Geometric, Geometric)
def _geometric(p: Any, q: Any) -> Tensor:
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(Laplace, Laplace)
def _laplace(p: Any, q: Any) -> Tensor:
    ratio, distance = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * (-distance / p.scale).exp() - 1


@register_kl(Normal, Normal)
def _normal(p: Any, q: Any) -> Tensor:
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(Poisson, Poisson)
def _poisson(p: Any, q: Any) -> Tensor:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Uniform, Uniform)
def _uniform(p: Any, q: Any) -> Tensor:
    outside = (q.low > p.low) | (q.high < p.high)
    widths = ((q.high - q.low) / (p.high - p.low)).log()
    return widths.masked_fill(outside, math.inf)


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normal(p: Any, q: Any) -> Tensor:
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two Multivariate Normals with different event "
            "shapes cannot be computed"
        )
    volumes = q._root.diagonal(dim1=-2, dim2=-1).log().sum(-1) - p._root.diagonal(
        dim1=-2, dim2=-1
    ).log().sum(-1)
    spread = solve_triangular(q._root, p._root, upper=False).pow(2).sum((-2, -1))
    distance = mahalanobis(q._root, q.loc - p.loc)
    return volumes + 0.5 * (spread + distance - p.event_shape[0])


@register_kl(Independent, Independent)
def _independent(p: Any, q: Any) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    each = kl_divergence(p.base_dist, q.base_dist)
    return sum_rightmost(each, p.reinterpreted_batch_ndims)
