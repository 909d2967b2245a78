"""Base class of transforms: a function, its inverse and log-determinant."""

from __future__ import annotations

from typing import Any

from ...tensor.tensor import Tensor
from .. import constraints

__all__ = ["Transform"]


class Transform:
    """An invertible function of tensors, whose Jacobian's determinant is known.

    Args:
        cache_size: 1 to remember the last pair of x and y, so that going back from
            this very y gives this very x; or 0.

    Attributes:
        domain: the constraint that x fulfils.
        codomain: the one that y fulfils.
        bijective: whether every y comes from a single x.
        sign: for monotonic functions of numbers, whether they rise (1) or fall (-1).

    Raises:
        ValueError: for another size of the cache.

    Example:
        >>> import edutorch as torch
        >>> t = torch.distributions.AffineTransform(1, 4)
        >>> x = torch.tensor([0.0, 1.0])
        >>> t(x), t.inv(t(x)), t.log_abs_det_jacobian(x, t(x))
        (tensor([1., 5.]), tensor([0., 1.]), tensor([1.3863, 1.3863]))
    """

    bijective: Any = False
    domain: Any
    codomain: Any

    def __init__(self, cache_size: int = 0) -> None:
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._inv: Transform | None = None
        if cache_size:
            self._cached_x_y: tuple[Any, Any] = (None, None)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_inv": None}

    @property
    def event_dim(self) -> Any:
        """The number of last dimensions that are transformed together."""
        if self.domain.event_dim == self.codomain.event_dim:
            return self.domain.event_dim
        raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")

    @property
    def inv(self) -> Transform:
        """The inverse, a transform too."""
        if self._inv is None:
            self._inv = _InverseTransform(self)
        return self._inv

    @property
    def sign(self) -> Any:
        """Whether the function rises (1) or falls (-1)."""
        raise NotImplementedError

    def with_cache(self, cache_size: int = 1) -> Transform:
        """The same transform with another size of the cache."""
        if self._cache_size == cache_size:
            return self
        return self._copied(cache_size)

    def _copied(self, cache_size: int) -> Transform:
        if type(self).__init__ is Transform.__init__:
            return type(self)(cache_size=cache_size)
        raise NotImplementedError(f"{type(self)}.with_cache is not implemented")

    def __eq__(self, other: object) -> bool:
        return self is other or self._equals(other)

    __hash__ = None  # type: ignore[assignment]  # parameters are tensors

    def _equals(self, other: object) -> bool:
        """Whether another transform does the same."""
        return False

    def __call__(self, x: Tensor) -> Tensor:
        if self._cache_size == 0:
            return self._call(x)
        known, y = self._cached_x_y
        if x is not known:
            y = self._call(x)
            self._cached_x_y = x, y
        return y

    def _inv_call(self, y: Tensor) -> Tensor:
        if self._cache_size == 0:
            return self._inverse(y)
        x, known = self._cached_x_y
        if y is not known:
            x = self._inverse(y)
            self._cached_x_y = x, y
        return x

    def _call(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def _inverse(self, y: Tensor) -> Tensor:
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """Ln |det ∂y/∂x|, one number for each event."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def forward_shape(self, shape: Any) -> Any:
        """The shape of y for one of x."""
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        """The shape of x for one of y."""
        return shape


class _InverseTransform(Transform):
    """A transform backwards."""

    _inv: Transform

    def __init__(self, transform: Transform) -> None:
        super().__init__(cache_size=transform._cache_size)
        self._inv = transform

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The constraint on y of the transform."""
        return self._inv.codomain

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """The constraint on x of the transform."""
        return self._inv.domain

    @property
    def bijective(self) -> Any:
        return self._inv.bijective

    @property
    def sign(self) -> Any:
        return self._inv.sign

    @property
    def inv(self) -> Transform:
        return self._inv

    def with_cache(self, cache_size: int = 1) -> Transform:
        return self.inv.with_cache(cache_size).inv

    def _equals(self, other: object) -> bool:
        return isinstance(other, _InverseTransform) and self._inv == other._inv

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._inv!r})"

    def __call__(self, x: Tensor) -> Tensor:
        return self._inv._inv_call(x)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape: Any) -> Any:
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        return self._inv.forward_shape(shape)


class Stateless(Transform):
    """Transforms without parameters: all of a type are equal.

    Example:
        >>> import edutorch as torch
        >>> torch.distributions.ExpTransform() == torch.distributions.ExpTransform()
        True
    """

    def _equals(self, other: object) -> bool:
        return type(other) is type(self)
