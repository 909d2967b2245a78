"""The base class of all distributions."""

from __future__ import annotations

import warnings
from typing import Any

from ..autograd.modes import no_grad
from ..ops import exp
from ..tensor.size import Size
from ..tensor.tensor import Tensor
from . import constraints
from .utils import broadcast_all, lazy_property

__all__ = ["Distribution"]


_ADVICE = (
    ". Please set `arg_constraints = {}` or initialize the distribution with "
    "`validate_args=False`"
)
_SUPPORT_ADVICE = (
    " to enable sample validation. Please initialize the distribution with "
    "`validate_args=False`"
)


class Distribution:
    """A batch of probability distributions.

    Shape: a sample has `sample_shape + batch_shape + event_shape`; `log_prob` has one
    number per event.

    Args:
        batch_shape: how many distributions there are.
        event_shape: the shape of one sample of one of them.
        validate_args: whether parameters and values are checked.

    Raises:
        ValueError: for parameters, or values, that are not possible.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions.Normal(torch.zeros(3), 1.0)
        >>> d.batch_shape, d.event_shape, d.sample((2,)).shape
        (torch.Size([3]), torch.Size([]), torch.Size([2, 3]))
    """

    has_rsample: Any = False
    has_enumerate_support: Any = False
    _validate_args = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Set the default of `validate_args`."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self,
        batch_shape: Any = Size(),  # noqa: B008 (never changed)
        event_shape: Any = Size(),  # noqa: B008 (never changed)
        validate_args: bool | None = None,
    ) -> None:
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            self._check_parameters()

    def _check_parameters(self) -> None:
        try:
            known = self.arg_constraints
        except NotImplementedError:
            known = {}
            self._warn_of("arg_constraints", _ADVICE)
        for name, constraint in known.items():
            lazy = isinstance(getattr(type(self), name, None), lazy_property)
            if constraints.is_dependent(constraint) or (
                lazy and name not in self.__dict__
            ):
                continue
            value = getattr(self, name)
            if not constraint.check(value).all():
                raise ValueError(
                    f"Expected parameter {name} ({type(value).__name__} of shape "
                    f"{tuple(value.shape)}) of distribution {self!r} to satisfy the "
                    f"constraint {constraint!r}, but found invalid values:\n{value}"
                )

    def _warn_of(self, missing: str, advice: str) -> None:
        warnings.warn(
            f"{type(self)} does not define `{missing}`{advice} to turn off validation.",
            stacklevel=4,
        )

    @property
    def arg_constraints(self) -> Any:
        """The constraint of each parameter, by name."""
        raise NotImplementedError

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distributions, repeated to a larger batch shape."""
        new = self._get_checked_instance(self._library_class(), _instance)
        shape = Size(batch_shape)
        self._expand_into(new, shape)
        new._batch_shape, new._event_shape = shape, self._event_shape
        new._validate_args = self._validate_args
        return new

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        """An empty object of this type, if it is made like one of `cls`."""
        if _instance is not None:
            return _instance
        if type(self).__init__ is not cls.__init__:  # type: ignore[misc]  # compared only
            raise NotImplementedError(
                f"Subclass {type(self).__name__} of {cls.__name__} that defines a "
                "custom __init__ method must also define a custom .expand() method."
            )
        return type(self).__new__(type(self))

    def _library_class(self) -> Any:
        """The library class that this instance belongs to or derives from."""
        home = __name__.rpartition(".")[0]
        return next(c for c in type(self).__mro__ if c.__module__.startswith(home))

    def _set_broadcast(self, **parameters: Any) -> Size:
        """Broadcast and store parameters; return their shape."""
        values = broadcast_all(*parameters.values())
        self.__dict__.update(zip(parameters, values, strict=True))
        return values[0].shape

    def _expand_into(self, new: Any, shape: Size) -> None:
        """Give `new` this distribution's parameters, expanded."""
        for name, constraint in self.arg_constraints.items():
            if name in self.__dict__:
                value = self.__dict__[name]
                event = value.shape[value.ndim - constraint.event_dim :]
                setattr(new, name, value.expand(shape + event))

    @property
    def batch_shape(self) -> Size:
        """The shape of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one sample of one distribution."""
        return self._event_shape

    @property
    def support(self) -> Any:
        """The possible values."""
        raise NotImplementedError

    @property
    def mean(self) -> Tensor:
        """The expected value."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The most likely value."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The expected squared distance from the mean."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The root of the variance."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Random values, without gradients."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Random values as functions of the parameters, with gradients."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        """`sample((n,))`, under its old name."""
        warnings.warn(
            "`sample_n(n)` will be deprecated. Use `sample((n,))` instead.",
            FutureWarning,
            stacklevel=2,
        )
        return self.sample((n,))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density, or of the probability, of values."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """The cumulative distribution function."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """The inverse of `cdf`: the quantile function."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All possible values, along a new first dimension."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The entropy, in nats."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """The perplexity: the exponential of the entropy."""
        return exp(self.entropy())

    def _extended_shape(self, sample_shape: Any = ()) -> Size:
        return Size(sample_shape) + self._batch_shape + self._event_shape

    def _enumerated(self, values: Tensor, expand: bool) -> Tensor:
        """Values along the first dimension, next to this batch."""
        values = values.view((-1,) + (1,) * len(self._batch_shape))
        return values.expand((-1, *self._batch_shape)) if expand else values

    def _check_value(self, value: Any) -> None:
        """Check values against the support, if validation is on."""
        if self._validate_args:
            self._validate_sample(value)

    def _validate_sample(self, value: Any) -> None:
        """Refuse values outside the support."""
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        self._check_shape(value.shape)
        try:
            support = self.support
        except NotImplementedError:
            self._warn_of("support", _SUPPORT_ADVICE)
            return
        if not support.check(value).all():
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape "
                f"{tuple(value.shape)}) to be within the support ({support!r}) of "
                f"the distribution {self!r}, but found invalid values:\n{value}"
            )

    def _check_shape(self, shape: Size) -> None:
        event = shape[len(shape) - len(self._event_shape) :]
        if event != self._event_shape:
            raise ValueError(
                "The right-most size of value must match event_shape: "
                f"{shape} vs {self._event_shape}."
            )
        expected = self._batch_shape + self._event_shape
        pairs = zip(reversed(shape), reversed(expected), strict=False)
        if any(1 not in (n, m) and n != m for n, m in pairs):
            raise ValueError(
                "Value is not broadcastable with batch_shape+event_shape: "
                f"{shape} vs {expected}."
            )

    def __repr__(self) -> str:
        known = [k for k in self.arg_constraints if k in self.__dict__]
        described = []
        for name in known:
            value = self.__dict__[name]
            described.append(f"{name}: {value if value.numel() == 1 else value.shape}")
        return f"{type(self).__name__}({', '.join(described)})"
