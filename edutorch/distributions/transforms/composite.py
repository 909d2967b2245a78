"""Transforms made of others: one after the other, together, piece by piece."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import Any

from ...ops import cat, stack, zeros_like
from ...tensor.tensor import Tensor
from .. import constraints
from ..constraints.base import need
from ..utils import _sum_rightmost, lazy_property
from .base import Transform

__all__ = [
    "CatTransform", "ComposeTransform", "IndependentTransform", "StackTransform",
    "identity_transform",
]  # fmt: skip


class ComposeTransform(Transform):
    """Transforms one after the other; none of them leave x as it is.

    Math: y = fₙ(... f₁(x))      ln |dy/dx| = Σ ln |∂fᵢ|

    Args:
        parts: the transforms, the first one first.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions
        >>> t = d.ComposeTransform([d.ExpTransform(), d.AffineTransform(1.0, 2.0)])
        >>> t(torch.tensor(0.0)), t.codomain
        (tensor(3.), Real())
    """

    def __init__(self, parts: list[Transform], cache_size: int = 0) -> None:
        if cache_size:
            parts = [part.with_cache(cache_size) for part in parts]
        super().__init__(cache_size=cache_size)
        self.parts = parts

    def _equals(self, other: object) -> bool:
        return isinstance(other, ComposeTransform) and self.parts == other.parts

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The domain, with as many event dimensions as any part needs."""
        if not self.parts:
            return constraints.real
        dims = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            grown = part.domain.event_dim - part.codomain.event_dim
            dims = max(dims + grown, part.domain.event_dim)
        return _widened(self.parts[0].domain, dims)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """The codomain, with as many event dimensions as any part needs."""
        if not self.parts:
            return constraints.real
        dims = self.parts[0].domain.event_dim
        for part in self.parts:
            grown = part.codomain.event_dim - part.domain.event_dim
            dims = max(dims + grown, part.codomain.event_dim)
        return _widened(self.parts[-1].codomain, dims)

    @lazy_property
    def bijective(self) -> bool:
        """Whether all parts are."""
        return all(part.bijective for part in self.parts)

    @lazy_property
    def sign(self) -> Any:
        """The product of the parts' signs."""
        return functools.reduce(operator.mul, (part.sign for part in self.parts), 1)

    @property
    def inv(self) -> Transform:
        if self._inv is None:
            self._inv = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inv._inv = self
        return self._inv

    def _copied(self, cache_size: int) -> Transform:
        return ComposeTransform(self.parts, cache_size=cache_size)

    def __call__(self, x: Tensor) -> Tensor:
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        if not self.parts:
            return zeros_like(x)
        between = [x]
        for part in self.parts[:-1]:
            between.append(part(between[-1]))
        dims, terms = self.domain.event_dim, []
        for part, a, b in zip(self.parts, between, [*between[1:], y], strict=True):
            term = part.log_abs_det_jacobian(a, b)
            terms.append(_sum_rightmost(term, dims - part.domain.event_dim))
            dims += part.codomain.event_dim - part.domain.event_dim
        return functools.reduce(operator.add, terms)

    def forward_shape(self, shape: Any) -> Any:
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape: Any) -> Any:
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape

    def __repr__(self) -> str:
        lines = ",\n    ".join(repr(part) for part in self.parts)
        return f"{type(self).__name__}(\n    {lines}\n)"


def _widened(constraint: Any, dims: int) -> Any:
    """A constraint of events with so many dimensions."""
    more = dims - constraint.event_dim
    return constraints.independent(constraint, more) if more else constraint


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """Another transform, with its last batch dimensions treated as event dimensions.

    Math: ln |dy/dx| = Σ ln |dyᵢ/dxᵢ| over the dimensions of the event

    Args:
        base_transform: the other transform.
        reinterpreted_batch_ndims: how many dimensions.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions
        >>> t = d.IndependentTransform(d.ExpTransform(), 1)
        >>> x = torch.tensor([1.0, 2.0])
        >>> t.log_abs_det_jacobian(x, t(x))
        tensor(3.)
    """

    def __init__(
        self,
        base_transform: Transform,
        reinterpreted_batch_ndims: int,
        cache_size: int = 0,
    ) -> None:
        super().__init__(cache_size=cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def _copied(self, cache_size: int) -> Transform:
        return IndependentTransform(
            self.base_transform, self.reinterpreted_batch_ndims, cache_size=cache_size
        )

    def _together(self, constraint: Any) -> Any:
        return constraints.independent(constraint, self.reinterpreted_batch_ndims)

    @constraints.dependent_property(is_discrete=False)
    def domain(self) -> Any:
        """The base's constraint, with more dimensions."""
        return self._together(self.base_transform.domain)

    @constraints.dependent_property(is_discrete=False)
    def codomain(self) -> Any:
        """The base's constraint, with more dimensions."""
        return self._together(self.base_transform.codomain)

    @property
    def bijective(self) -> Any:
        return self.base_transform.bijective

    @property
    def sign(self) -> Any:
        return self.base_transform.sign

    def _call(self, x: Tensor) -> Tensor:
        if x.ndim < self.domain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform(x)

    def _inverse(self, y: Tensor) -> Tensor:
        if y.ndim < self.codomain.event_dim:
            raise ValueError("Too few dimensions on input")
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        each = self.base_transform.log_abs_det_jacobian(x, y)
        return _sum_rightmost(each, self.reinterpreted_batch_ndims)

    def __repr__(self) -> str:
        inside = f"{self.base_transform!r}, {self.reinterpreted_batch_ndims}"
        return f"{type(self).__name__}({inside})"

    def forward_shape(self, shape: Any) -> Any:
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape: Any) -> Any:
        return self.base_transform.inverse_shape(shape)


class _Pieces(Transform):
    """A transform for each piece of a tensor along a dimension."""

    dim: int

    def __init__(
        self, tseq: Sequence[Transform], dim: int = 0, cache_size: int = 0
    ) -> None:
        need(
            all(isinstance(t, Transform) for t in tseq),
            "All elements of tseq must be Transform instances",
        )
        if cache_size:
            tseq = [t.with_cache(cache_size) for t in tseq]
        super().__init__(cache_size=cache_size)
        self.transforms, self.dim = list(tseq), dim

    def _pieces(self, x: Tensor, name: str) -> list[Tensor]:
        raise NotImplementedError

    def _need_size(self, x: Tensor, name: str, what: str, size: int, who: str) -> None:
        """Refuse tensors that have no such dimension, or one of another size."""
        dim = self.dim
        need(
            -x.ndim <= dim < x.ndim,
            f"dim {dim} out of range for {who} with {x.ndim} dimensions",
        )
        need(
            x.shape[dim] == size,
            f"{name}.size({dim}) = {x.shape[dim]} must equal {what} {size}",
        )

    def _jacobians(self, x: Tensor, y: Tensor) -> list[Tensor]:
        ends = zip(
            self.transforms, self._pieces(x, "x"), self._pieces(y, "y"), strict=True
        )
        return [t.log_abs_det_jacobian(a, b) for t, a, b in ends]

    @property
    def bijective(self) -> bool:
        return all(t.bijective for t in self.transforms)


class CatTransform(_Pieces):
    """Transforms of the pieces along a dimension.

    Args:
        tseq: the transforms.
        dim: the dimension.
        lengths: how long their pieces are, 1 if nothing is said.

    Raises:
        AssertionError: where pieces and lengths do not fit.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions
        >>> t = d.CatTransform([d.ExpTransform(), d.identity_transform], -1, [1, 2])
        >>> t(torch.zeros(3))
        tensor([1., 0., 0.])
    """

    def __init__(
        self,
        tseq: Sequence[Transform],
        dim: int = 0,
        lengths: Sequence[int] | None = None,
        cache_size: int = 0,
    ) -> None:
        super().__init__(tseq, dim, cache_size)
        n = len(self.transforms)
        self.lengths = [1] * n if lengths is None else list(lengths)
        need(
            len(self.lengths) == n,
            f"lengths ({len(self.lengths)}) must match transforms ({n})",
        )

    @lazy_property
    def event_dim(self) -> int:
        """The most dimensions that one of them transforms together."""
        return max(t.event_dim for t in self.transforms)

    @lazy_property
    def length(self) -> int:
        """The total length of all pieces."""
        return sum(self.lengths)

    def _copied(self, cache_size: int) -> Transform:
        return CatTransform(self.transforms, self.dim, self.lengths, cache_size)

    def _pieces(self, x: Tensor, name: str, who: str = "") -> list[Tensor]:
        self._need_size(x, name, "length", self.length, who or name)
        return list(x.split(self.lengths, self.dim))

    def _call(self, x: Tensor) -> Tensor:
        pieces = zip(self.transforms, self._pieces(x, "x", "tensor"), strict=True)
        return cat([t(piece) for t, piece in pieces], dim=self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        pieces = zip(self.transforms, self._pieces(y, "y", "tensor"), strict=True)
        return cat([t.inv(piece) for t, piece in pieces], dim=self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        terms = [
            _sum_rightmost(term, self.event_dim - t.event_dim)
            for t, term in zip(self.transforms, self._jacobians(x, y), strict=True)
        ]
        dim = self.dim - x.ndim if self.dim >= 0 else self.dim
        dim += self.event_dim
        return cat(terms, dim=dim) if dim < 0 else functools.reduce(operator.add, terms)

    @constraints.dependent_property
    def domain(self) -> Any:
        """The domains of the pieces."""
        parts = [t.domain for t in self.transforms]
        return constraints.cat(parts, self.dim, self.lengths)

    @constraints.dependent_property
    def codomain(self) -> Any:
        """The codomains of the pieces."""
        parts = [t.codomain for t in self.transforms]
        return constraints.cat(parts, self.dim, self.lengths)


class StackTransform(_Pieces):
    """Transforms of the entries of a dimension, one for each.

    Args:
        tseq: the transforms.
        dim: the dimension.

    Raises:
        AssertionError: where it has not as many entries.

    Example:
        >>> import edutorch as torch
        >>> d = torch.distributions
        >>> t = d.StackTransform([d.ExpTransform(), d.identity_transform], dim=1)
        >>> t(torch.zeros(1, 2))
        tensor([[1., 0.]])
    """

    def _copied(self, cache_size: int) -> Transform:
        return StackTransform(self.transforms, self.dim, cache_size)

    def _pieces(self, x: Tensor, name: str, who: str = "") -> list[Tensor]:
        n = len(self.transforms)
        self._need_size(x, name, "len(transforms)", n, who or name)
        return list(x.unbind(self.dim))

    def _call(self, x: Tensor) -> Tensor:
        pieces = zip(self.transforms, self._pieces(x, "x", "tensor"), strict=True)
        return stack([t(piece) for t, piece in pieces], dim=self.dim)

    def _inverse(self, y: Tensor) -> Tensor:
        pieces = zip(self.transforms, self._pieces(y, "y", "tensor"), strict=True)
        return stack([t.inv(piece) for t, piece in pieces], dim=self.dim)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return stack(self._jacobians(x, y), dim=self.dim)

    @constraints.dependent_property
    def domain(self) -> Any:
        """The domains of the entries."""
        return constraints.stack([t.domain for t in self.transforms], self.dim)

    @constraints.dependent_property
    def codomain(self) -> Any:
        """The codomains of the entries."""
        return constraints.stack([t.codomain for t in self.transforms], self.dim)
