"""What values may be: the domains of parameters, the supports of distributions."""

from __future__ import annotations

from typing import Any

from ..linalg import cholesky_ex
from ..ops import isclose
from ..tensor.tensor import Tensor

__all__ = [
    "Constraint", "boolean", "dependent", "dependent_property", "greater_than",
    "greater_than_eq", "half_open_interval", "independent", "integer_interval",
    "interval", "is_dependent", "less_than", "lower_cholesky", "multinomial",
    "nonnegative", "nonnegative_integer", "one_hot", "positive", "positive_definite",
    "positive_integer", "real", "real_vector", "simplex", "unit_interval",
]  # fmt: skip


class Constraint:
    """A set of values; `check` tells which ones lie in it.

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
        told = ", ".join(f"{name}={getattr(self, name)}" for name in self.bounds)
        return f"{type(self).__name__.lstrip('_')}({told})"


class _Dependent(Constraint):
    """A set that depends on other parameters: it cannot be checked by itself."""

    def __init__(self, is_discrete: Any = None, event_dim: Any = 0) -> None:
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def __call__(self, *, is_discrete: Any = None, event_dim: Any = 0) -> _Dependent:
        return _Dependent(is_discrete, event_dim)

    def check(self, value: Tensor) -> Tensor:
        raise ValueError("Cannot determine validity of dependent constraint")


class dependent_property(property, _Dependent):  # noqa: N801 (used like a function)
    """A property whose value is a constraint that depends on parameters.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.Uniform(0.0, 2.0).support
        Interval(lower_bound=0.0, upper_bound=2.0)
    """

    def __init__(
        self, fn: Any = None, *, is_discrete: Any = None, event_dim: Any = 0
    ) -> None:
        super().__init__(fn)
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def __call__(self, fn: Any) -> dependent_property:
        """The property itself, when it was given arguments first."""
        return dependent_property(
            fn, is_discrete=self.is_discrete, event_dim=self.event_dim
        )


class _IndependentConstraint(Constraint):
    """Another constraint for every entry of the last dimensions."""

    def __init__(self, base_constraint: Any, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.is_discrete = base_constraint.is_discrete
        self.event_dim = base_constraint.event_dim + reinterpreted_batch_ndims

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


class _Real(Constraint):
    """All numbers."""

    def check(self, value: Tensor) -> Tensor:
        return value == value  # nan is no number


class _Boolean(Constraint):
    """0 and 1."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value == 0) | (value == 1)


class _OneHot(Constraint):
    """Vectors of zeros with a single one."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        return boolean.check(value).all(-1) & value.sum(-1).eq(1)


class _Simplex(Constraint):
    """Vectors of probabilities."""

    event_dim = 1

    def check(self, value: Tensor) -> Tensor:
        return (value >= 0).all(dim=-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Multinomial(Constraint):
    """Vectors of counts with a largest sum."""

    is_discrete = True
    event_dim = 1

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, value: Tensor) -> Tensor:
        return (value >= 0).all(dim=-1) & (value.sum(dim=-1) <= self.upper_bound)


class _Above(Constraint):
    """Numbers with a lower bound."""

    bounds = ("lower_bound",)

    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound


class _GreaterThan(_Above):
    """Numbers above a bound."""

    def check(self, value: Tensor) -> Tensor:
        return self.lower_bound < value


class _GreaterThanEq(_Above):
    """A bound and the numbers above it."""

    def check(self, value: Tensor) -> Tensor:
        return self.lower_bound <= value


class _IntegerGreaterThan(_Above):
    """Integers from a bound on."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value % 1 == 0) & (value >= self.lower_bound)


class _LessThan(Constraint):
    """Numbers below a bound."""

    bounds = ("upper_bound",)

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, value: Tensor) -> Tensor:
        return value < self.upper_bound


class _Between(Constraint):
    """Numbers between two bounds, both included."""

    bounds = ("lower_bound", "upper_bound")

    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def check(self, value: Tensor) -> Tensor:
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _Interval(_Between):
    """The same, under the name that PyTorch shows."""


class _HalfOpenInterval(_Between):
    """Numbers between two bounds, without the upper one."""

    def check(self, value: Tensor) -> Tensor:
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _IntegerInterval(_Between):
    """Integers between two bounds."""

    is_discrete = True

    def check(self, value: Tensor) -> Tensor:
        return (value % 1 == 0) & super().check(value)


class _LowerCholesky(Constraint):
    """Lower triangular matrices with positive diagonals."""

    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        lower = (value.tril() == value).flatten(-2).all(-1)
        return lower & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _PositiveDefinite(Constraint):
    """Symmetric matrices with positive eigenvalues."""

    event_dim = 2

    def check(self, value: Tensor) -> Tensor:
        symmetric = isclose(value, value.mT, atol=1e-6).all(-2).all(-1)
        if not symmetric.all():
            return symmetric
        return cholesky_ex(value).info.eq(0)


def is_dependent(constraint: Any) -> bool:
    """Whether a constraint depends on parameters and cannot be checked by itself.

    Example:
        >>> import edutorch as torch
        >>> c = torch.distributions.constraints
        >>> c.is_dependent(c.dependent), c.is_dependent(c.real)
        (True, False)
    """
    return isinstance(constraint, _Dependent)


dependent = _Dependent()
independent = _IndependentConstraint
boolean = _Boolean()
one_hot = _OneHot()
nonnegative_integer = _IntegerGreaterThan(0)
positive_integer = _IntegerGreaterThan(1)
integer_interval = _IntegerInterval
real = _Real()
real_vector = independent(real, 1)
positive = _GreaterThan(0.0)
nonnegative = _GreaterThanEq(0.0)
greater_than = _GreaterThan
greater_than_eq = _GreaterThanEq
less_than = _LessThan
multinomial = _Multinomial
interval = _Interval
unit_interval = _Interval(0.0, 1.0)
half_open_interval = _HalfOpenInterval
simplex = _Simplex()
lower_cholesky = _LowerCholesky()
positive_definite = _PositiveDefinite()
