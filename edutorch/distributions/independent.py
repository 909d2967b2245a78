"""Batch dimensions treated as event dimensions."""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeVar

from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .distribution import Distribution
from .utils import _sum_rightmost

__all__ = ["Independent"]

D = TypeVar("D", bound=Distribution)


class Independent(Distribution, Generic[D]):
    """A distribution with its last batch dimensions reinterpreted as one event.

    Math: log p(x) = Σ log p(xᵢ) over the dimensions of the event

    Args:
        base_distribution: the other distribution.
        reinterpreted_batch_ndims: how many of its batch dimensions.

    Raises:
        ValueError: if it has not so many.

    Example:
        >>> import edutorch as torch
        >>> base = torch.distributions.Normal(torch.zeros(3), torch.ones(3))
        >>> torch.distributions.Independent(base, 1).event_shape
        torch.Size([3])
    """

    arg_constraints: ClassVar[Any] = {}

    def __init__(
        self,
        base_distribution: Any,
        reinterpreted_batch_ndims: int,
        validate_args: bool | None = None,
    ) -> None:
        batch = base_distribution.batch_shape
        if reinterpreted_batch_ndims > len(batch):
            raise ValueError(
                "Expected reinterpreted_batch_ndims <= "
                "len(base_distribution.batch_shape), actual "
                f"{reinterpreted_batch_ndims} vs {len(batch)}"
            )
        batch_ndim = len(batch) - reinterpreted_batch_ndims
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        event = batch[batch_ndim:] + base_distribution.event_shape
        super().__init__(batch[:batch_ndim], event, validate_args)

    def _expand_into(self, new: Any, shape: Size) -> None:
        taken = self.event_shape[: self.reinterpreted_batch_ndims]
        new.base_dist = self.base_dist.expand(shape + taken)
        new.reinterpreted_batch_ndims = self.reinterpreted_batch_ndims

    @property
    def has_rsample(self) -> bool:
        """Whether samples have gradients."""
        return bool(self.base_dist.has_rsample)

    @property
    def has_enumerate_support(self) -> bool:
        """Whether the support can be enumerated."""
        return not self.reinterpreted_batch_ndims and bool(
            self.base_dist.has_enumerate_support
        )

    @constraints.dependent_property
    def support(self) -> Any:
        """The possible values."""
        n = self.reinterpreted_batch_ndims
        base = self.base_dist.support
        return constraints.independent(base, n) if n else base

    @property
    def mean(self) -> Tensor:
        return self.base_dist.mean

    @property
    def mode(self) -> Tensor:
        return self.base_dist.mode

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def sample(self, sample_shape: Any = ()) -> Tensor:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        each = self.base_dist.log_prob(value)
        return _sum_rightmost(each, self.reinterpreted_batch_ndims)

    def entropy(self) -> Tensor:
        each = self.base_dist.entropy()
        return _sum_rightmost(each, self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        if self.reinterpreted_batch_ndims > 0:
            raise NotImplementedError(
                "Enumeration over cartesian product is not implemented"
            )
        return self.base_dist.enumerate_support(expand=expand)

    def __repr__(self) -> str:
        inside = f"{self.base_dist}, {self.reinterpreted_batch_ndims}"
        return f"{type(self).__name__}({inside})"
