"""The base class of constraints, and those composed of others or of parameters."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor

__all__ = [
    "Constraint", "MixtureSameFamilyConstraint", "is_dependent", "need",
]  # fmt: skip


def need(condition: bool, message: str) -> None:
    """Refuse wrong arguments of constraints and transforms, as PyTorch does."""
    if not condition:
        raise AssertionError(message)


def _is_constraint(value: Any) -> None:
    need(
        isinstance(value, Constraint),
        f"base_constraint must be a Constraint, got {type(value).__name__}",
    )


class Constraint:
    """A set of valid values; `check` tests membership.

    Attributes:
        is_discrete: whether the set is one of separate values.
        event_dim: how many of the last dimensions make up one value.

    Example:
        >>> import edutorch as torch
        >>> positive = torch.distributions.constraints.positive
        >>> positive, positive.check(torch.tensor([-1.0, 2.0]))
        (GreaterThan(lower_bound=0.0), tensor([False,  True]))
    """

    is_discrete: Any = False
    event_dim: Any = 0
    bounds: tuple[str, ...] = ()

    def check(self, value: Tensor) -> Tensor:
        """For every event of `value`, whether it lies in the set."""
        raise NotImplementedError

    def __repr__(self) -> str:
        described = ", ".join(f"{name}={getattr(self, name)}" for name in self.bounds)
        return f"{type(self).__name__[1:]}({described})"


class _Dependent(Constraint):
    """A set that depends on other parameters: it cannot be checked by itself."""

    def __init__(
        self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> None:
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self) -> Any:
        """Whether the set is one of separate values, if that is known."""
        return self._known("is_discrete", self._is_discrete)

    @property
    def event_dim(self) -> Any:
        """The number of dimensions of one value, if it is known."""
        return self._known("event_dim", self._event_dim)

    @staticmethod
    def _known(name: str, value: Any) -> Any:
        if value is NotImplemented:
            raise NotImplementedError(f".{name} cannot be determined statically")
        return value

    def __call__(
        self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> _Dependent:
        if is_discrete is NotImplemented:
            is_discrete = self._is_discrete
        if event_dim is NotImplemented:
            event_dim = self._event_dim
        return _Dependent(is_discrete=is_discrete, event_dim=event_dim)

    def check(self, value: Tensor) -> Tensor:
        raise ValueError("Cannot determine validity of dependent constraint")


class _DependentProperty(property, _Dependent):
    """A property whose value is a constraint that depends on parameters.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Uniform(0.0, 2.0).support
        Interval(lower_bound=0.0, upper_bound=2.0)
    """

    def __init__(
        self,
        fn: Any = None,
        *,
        is_discrete: Any = NotImplemented,
        event_dim: Any = NotImplemented,
    ) -> None:
        super().__init__(fn)
        self._is_discrete, self._event_dim = is_discrete, event_dim

    def __call__(  # type: ignore[override]  # it is a decorator
        self, fn: Any
    ) -> _DependentProperty:
        """The property itself, when it was given arguments first."""
        return _DependentProperty(
            fn, is_discrete=self._is_discrete, event_dim=self._event_dim
        )


class _Wrapping(Constraint):
    """A constraint made of another."""

    def __init__(self, base_constraint: Any) -> None:
        _is_constraint(base_constraint)
        self.base_constraint = base_constraint

    @property
    def is_discrete(self) -> Any:
        """Whether the set is one of separate values."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> Any:
        """The number of last dimensions that make up one value."""
        return self.base_constraint.event_dim


class _IndependentConstraint(_Wrapping):
    """Another constraint for every entry of the last dimensions."""

    def __init__(self, base_constraint: Any, reinterpreted_batch_ndims: int) -> None:
        super().__init__(base_constraint)
        n = reinterpreted_batch_ndims
        need(
            isinstance(n, int),
            f"reinterpreted_batch_ndims must be an int, got {type(n).__name__}",
        )
        need(n >= 0, f"reinterpreted_batch_ndims must be >= 0, got {n}")
        self.reinterpreted_batch_ndims = n

    @property
    def event_dim(self) -> Any:
        """The number of last dimensions that make up one value."""
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value: Tensor) -> Tensor:
        found: Tensor = self.base_constraint.check(value)
        if found.ndim < self.reinterpreted_batch_ndims:
            raise ValueError(
                f"Expected value.dim() >= {self.event_dim} but got {value.ndim}"
            )
        batch = found.shape[: found.ndim - self.reinterpreted_batch_ndims]
        return found.reshape((*batch, -1)).all(-1)

    def __repr__(self) -> str:
        inside = f"{self.base_constraint!r}, {self.reinterpreted_batch_ndims}"
        return f"{type(self).__name__[1:]}({inside})"


class MixtureSameFamilyConstraint(_Wrapping):
    """The support of a mixture: that of its components.

    Args:
        base_constraint: the support of the components.

    Example:
        >>> import edutorch as torch
        >>> c = torch.distributions.constraints
        >>> c.MixtureSameFamilyConstraint(c.positive).check(torch.tensor([1.0, -1.0]))
        tensor([ True, False])
    """

    def check(self, value: Tensor) -> Tensor:
        found = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        batch_ndim = value.ndim - self.event_dim
        if batch_ndim < 0:
            raise ValueError(
                f"Expected value.dim() >= {self.event_dim} but got {value.ndim}"
            )
        return found.reshape((*found.shape[:batch_ndim], -1)).all(-1)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_constraint!r})"


def is_dependent(constraint: Any) -> bool:
    """Whether a constraint depends on parameters and cannot be checked by itself.

    Example:
        >>> import edutorch as torch
        >>> c = torch.distributions.constraints
        >>> c.is_dependent(c.dependent), c.is_dependent(c.real)
        (True, False)
    """
    return isinstance(constraint, _Dependent)
