"""Distributions of transformed samples."""

from __future__ import annotations

from typing import Any, ClassVar

from ..autograd.modes import no_grad
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .constraints.base import need
from .distribution import Distribution
from .independent import Independent
from .transforms import ComposeTransform, Transform
from .utils import _sum_rightmost

__all__ = ["TransformedDistribution"]


class TransformedDistribution(Distribution):
    """Samples of a distribution after one or more transforms.

    Math: y = f(x): ln p(y) = ln p(x) - ln |det ∂f/∂x|, x = f⁻¹(y)

    Args:
        base_distribution: that of x.
        transforms: f, or a list of transforms, the first one first.

    Raises:
        ValueError: if these are not transforms, or the base has too few dimensions.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions
        >>> y = d.TransformedDistribution(d.Normal(0.0, 1.0), [d.ExpTransform()])
        >>> y.log_prob(torch.tensor(1.0)), y.cdf(torch.tensor(1.0))
        (tensor(-0.9189), tensor(0.5000))
    """

    arg_constraints: ClassVar[Any] = {}
    base_dist: Any

    def __init__(
        self,
        base_distribution: Distribution,
        transforms: Any,
        validate_args: bool | None = None,
    ) -> None:
        self.transforms: list[Transform] = _listed(transforms)
        composed = ComposeTransform(self.transforms)
        inside, outside = composed.domain.event_dim, composed.codomain.event_dim
        shape = base_distribution.batch_shape + base_distribution.event_shape
        dims = len(base_distribution.event_shape)
        if len(shape) < inside:
            raise ValueError(
                "base_distribution needs to have shape with size at least "
                f"{inside}, but got {shape}."
            )
        made = Size(composed.forward_shape(shape))
        wide = Size(composed.inverse_shape(made))
        if shape != wide:
            base_distribution = base_distribution.expand(wide[: len(wide) - dims])
        if inside > dims:
            base_distribution = Independent(base_distribution, inside - dims)
        self.base_dist = base_distribution
        event_dim = max(outside, dims + outside - inside)
        need(
            len(made) >= event_dim,
            f"forward_shape length {len(made)} must be >= event_dim {event_dim}",
        )
        cut = len(made) - event_dim
        super().__init__(made[:cut], made[cut:], validate_args=validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        super()._expand_into(new, shape)
        inner: Any = shape + self.event_shape
        for transform in reversed(self.transforms):
            inner = transform.inverse_shape(inner)
        base_ndim = len(inner) - len(self.base_dist.event_shape)
        new.base_dist = self.base_dist.expand(inner[:base_ndim])
        new.transforms = self.transforms

    @constraints.dependent_property(is_discrete=False)
    def support(self) -> Any:
        """The codomain of the last transform."""
        if not self.transforms:
            return self.base_dist.support
        found = self.transforms[-1].codomain
        more = len(self.event_shape) - found.event_dim
        return constraints.independent(found, more) if more > 0 else found

    @property
    def has_rsample(self) -> Any:
        """Whether samples have gradients."""
        return self.base_dist.has_rsample

    def _forward(self, x: Tensor) -> Tensor:
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            return self._forward(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self._forward(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._check_value(value)
        dims, y = len(self.event_shape), value
        total: Any = 0.0
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            inside = transform.domain.event_dim
            dims += inside - transform.codomain.event_dim
            stretch = transform.log_abs_det_jacobian(x, y)
            total = total - _sum_rightmost(stretch, dims - inside)
            y = x
        more = dims - len(self.base_dist.event_shape)
        found: Tensor = total + _sum_rightmost(self.base_dist.log_prob(y), more)
        return found

    def _mirrored_if_decreasing(self, p: Tensor) -> Tensor:
        """p, or 1 - p where the composed transform is decreasing."""
        sign: Any = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        if isinstance(sign, int) and sign == 1:
            return p
        mirrored: Tensor = sign * (p - 0.5) + 0.5
        return mirrored

    def cdf(self, value: Tensor) -> Tensor:
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        if self._validate_args:
            self.base_dist._validate_sample(value)
        return self._mirrored_if_decreasing(self.base_dist.cdf(value))

    def icdf(self, value: Tensor) -> Tensor:
        return self._forward(self.base_dist.icdf(self._mirrored_if_decreasing(value)))


def _listed(transforms: Any) -> list[Transform]:
    """One transform, or a list of them, as a list."""
    if isinstance(transforms, Transform):
        return [transforms]
    if not isinstance(transforms, list):
        raise ValueError(
            f"transforms must be a Transform or list, but was {transforms}"
        )
    if not all(isinstance(t, Transform) for t in transforms):
        raise ValueError("transforms must be a Transform or a list of Transforms")
    return transforms
