"""Mixtures of distributions of one type."""

from __future__ import annotations

from typing import Any, ClassVar

from ..autograd.modes import no_grad
from ..nn.functional import log_softmax
from ..ops import gather, logsumexp
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .categorical import Categorical
from .distribution import Distribution

__all__ = ["MixtureSameFamily"]


class MixtureSameFamily(Distribution):
    """A mixture of K distributions of one family.

    Math: p(x) = Σ πₖ pₖ(x)

    Sampling: of all components; then one of them is chosen.

    Args:
        mixture_distribution: a `Categorical`, which chooses the component.
        component_distribution: a distribution whose last batch dimension has K entries.

    Raises:
        ValueError: for distributions that do not fit.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions
        >>> which = d.Categorical(torch.tensor([1.0, 1.0]))
        >>> d.MixtureSameFamily(which, d.Normal(torch.tensor([0.0, 2.0]), 1.0)).mean
        tensor(1.)
    """

    arg_constraints: ClassVar[Any] = {}
    has_rsample = False

    def __init__(
        self,
        mixture_distribution: Categorical,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        _need_fitting(mixture_distribution, component_distribution)
        self._mixture_distribution = mixture_distribution
        self._component_distribution = component_distribution
        batch = component_distribution.batch_shape[:-1]
        event = component_distribution.event_shape
        super().__init__(batch, event, validate_args=validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        components = self._component_distribution
        every = shape + components.batch_shape[-1:]
        new._component_distribution = components.expand(every)
        new._mixture_distribution = self._mixture_distribution.expand(shape)

    @constraints.dependent_property
    def support(self) -> Any:
        """The support, which all components share."""
        return constraints.MixtureSameFamilyConstraint(
            self._component_distribution.support
        )

    @property
    def mixture_distribution(self) -> Categorical:
        """The distribution that chooses the component."""
        return self._mixture_distribution

    @property
    def component_distribution(self) -> Distribution:
        """The batch of distributions that are mixed."""
        return self._component_distribution

    @property
    def _dim(self) -> int:
        """The dimension of the components."""
        return -1 - len(self.event_shape)

    def _weights(self) -> Tensor:
        """The probabilities of the components."""
        weights = self.mixture_distribution.probs
        missing = len(self.batch_shape) - len(self.mixture_distribution.batch_shape)
        if len(self.mixture_distribution.batch_shape) == 1:
            missing = 0
        batch, k = weights.shape[:-1], weights.shape[-1]
        ones = (1,) * len(self.event_shape)
        return weights.reshape((*batch, *(1,) * missing, k, *ones))

    @property
    def mean(self) -> Tensor:
        return (self._weights() * self.component_distribution.mean).sum(self._dim)

    @property
    def variance(self) -> Tensor:
        weights, components = self._weights(), self.component_distribution
        inside = (weights * components.variance).sum(self._dim)
        apart = components.mean - self.mean.unsqueeze(self._dim)
        return inside + (weights * apart.pow(2.0)).sum(self._dim)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            chosen = self.mixture_distribution.sample(sample_shape)
            samples = self.component_distribution.sample(sample_shape)
            dim = len(Size(sample_shape)) + len(self.batch_shape)
            event = self.event_shape
            index = chosen.reshape((*chosen.shape, *(1,) * (len(event) + 1)))
            index = index.expand((*chosen.shape, 1, *event))
            return gather(samples, dim, index).squeeze(dim)

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        each = self.component_distribution.log_prob(value.unsqueeze(self._dim))
        weights = log_softmax(self.mixture_distribution.logits, dim=-1)
        return logsumexp(each + weights, dim=-1)

    def cdf(self, value: Tensor) -> Tensor:
        each = self.component_distribution.cdf(value.unsqueeze(self._dim))
        return (each * self.mixture_distribution.probs).sum(-1)

    def __repr__(self) -> str:
        inside = f"{self.mixture_distribution},\n  {self.component_distribution}"
        return f"MixtureSameFamily(\n  {inside})"


def _need_fitting(mixture: Any, components: Any) -> None:
    if not isinstance(mixture, Categorical):
        raise ValueError(
            " The Mixture distribution needs to be an  instance of "
            "torch.distributions.Categorical"
        )
    if not isinstance(components, Distribution):
        raise ValueError(
            "The Component distribution needs to be an instance of "
            "torch.distributions.Distribution"
        )
    own, theirs = mixture.batch_shape, components.batch_shape[:-1]
    pairs = zip(reversed(own), reversed(theirs), strict=False)
    if any(1 not in (n, m) and n != m for n, m in pairs):
        raise ValueError(
            f"`mixture_distribution.batch_shape` ({own}) is not compatible with "
            f"`component_distribution.batch_shape`({theirs})"
        )
    k, there = mixture.logits.shape[-1], components.batch_shape[-1]
    if k != there:
        raise ValueError(
            f"`mixture_distribution component` ({k}) does not equal "
            f"`component_distribution.batch_shape[-1]` ({there})"
        )
