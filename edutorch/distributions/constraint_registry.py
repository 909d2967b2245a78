"""The transform of the real numbers onto the set of a constraint."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number
from typing import Any, TypeVar, overload

from . import constraints, transforms

__all__ = ["ConstraintRegistry", "biject_to", "transform_to"]

Factory = Callable[[Any], transforms.Transform]
F = TypeVar("F", bound=Factory)
ZERO_ONE: tuple[Any, Any] = (0, 1)


class ConstraintRegistry:
    """A table from types of constraints to functions that make transforms of them.

    Raises:
        TypeError: from `register`, for anything other than a constraint.
        NotImplementedError: for a constraint of a type that is not in the table.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions
        >>> d.biject_to(d.constraints.positive)(torch.tensor(0.0))
        tensor(1.)
    """

    def __init__(self) -> None:
        self._registry: dict[type, Factory] = {}

    @overload
    def register(self, constraint: Any) -> Callable[[F], F]: ...
    @overload
    def register(self, constraint: Any, factory: F) -> F: ...
    def register(self, constraint: Any, factory: Factory | None = None) -> Any:
        """Enter a function for a constraint's type; without one, a decorator."""
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = constraint
        if isinstance(constraint, constraints.Constraint):
            kind = type(constraint)
        if not (isinstance(kind, type) and issubclass(kind, constraints.Constraint)):
            raise TypeError(
                "Expected constraint to be either a Constraint subclass or instance, "
                f"but got {kind}"
            )
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint: Any) -> transforms.Transform:
        """A transform from all numbers to those that fulfil a constraint."""
        factory = self._registry.get(type(constraint))
        if factory is None:
            raise NotImplementedError(
                f"Cannot transform {type(constraint).__name__} constraints"
            )
        return factory(constraint)


biject_to = ConstraintRegistry()
transform_to = ConstraintRegistry()


def _both(*kinds: Any) -> Callable[[Factory], Factory]:
    """Enter a function into both tables."""

    def decorate(factory: Factory) -> Factory:
        for kind in kinds:
            biject_to.register(kind, factory)
            transform_to.register(kind, factory)
        return factory

    return decorate


@_both(constraints.real)
def _real(constraint: Any) -> transforms.Transform:
    return transforms.identity_transform


@_both(constraints.greater_than, constraints.greater_than_eq)
def _greater_than(constraint: Any) -> transforms.Transform:
    return _affine_after(transforms.ExpTransform(), constraint.lower_bound, 1)


@_both(constraints.less_than)
def _less_than(constraint: Any) -> transforms.Transform:
    return _affine_after(transforms.ExpTransform(), constraint.upper_bound, -1)


def _affine_after(transform: transforms.Transform, loc: Any, scale: Any) -> Any:
    affine = transforms.AffineTransform(loc, scale)
    return transforms.ComposeTransform([transform, affine])


@_both(constraints.interval, constraints.half_open_interval)
def _interval(constraint: Any) -> transforms.Transform:
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, Number) and isinstance(high, Number) and (low, high) == ZERO_ONE:
        return transforms.SigmoidTransform()
    return _affine_after(transforms.SigmoidTransform(), low, high - low)


@biject_to.register(constraints.simplex)
def _stick(constraint: Any) -> transforms.Transform:
    return transforms.StickBreakingTransform()


@transform_to.register(constraints.simplex)
def _softmax(constraint: Any) -> transforms.Transform:
    return transforms.SoftmaxTransform()


@transform_to.register(constraints.lower_cholesky)
def _lower_cholesky(constraint: Any) -> transforms.Transform:
    return transforms.LowerCholeskyTransform()


@transform_to.register(constraints.positive_definite)
@transform_to.register(constraints.positive_semidefinite)
def _positive_definite(constraint: Any) -> transforms.Transform:
    return transforms.PositiveDefiniteTransform()


@_both(constraints.corr_cholesky)
def _corr_cholesky(constraint: Any) -> transforms.Transform:
    return transforms.CorrCholeskyTransform()


def _register_composites(registry: ConstraintRegistry) -> None:
    """Constraints made of others: their transforms are in the same table."""

    @registry.register(constraints.independent)
    def independent(constraint: Any) -> transforms.Transform:
        return transforms.IndependentTransform(
            registry(constraint.base_constraint), constraint.reinterpreted_batch_ndims
        )

    @registry.register(constraints.cat)
    def cat(constraint: Any) -> transforms.Transform:
        parts = [registry(c) for c in constraint.cseq]
        return transforms.CatTransform(parts, constraint.dim, constraint.lengths)

    @registry.register(constraints.stack)
    def stack(constraint: Any) -> transforms.Transform:
        parts = [registry(c) for c in constraint.cseq]
        return transforms.StackTransform(parts, constraint.dim)


_register_composites(biject_to)
_register_composites(transform_to)
