"""Chebyshev polynomials of four kinds, also shifted to [0, 1]."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tensor.tensor import Tensor
from ..promotion import as_floating
from .polynomial_recurrences import Recurrence, apply_with_degree

__all__ = [
    "chebyshev_polynomial_t",
    "chebyshev_polynomial_u",
    "chebyshev_polynomial_v",
    "chebyshev_polynomial_w",
    "shifted_chebyshev_polynomial_t",
    "shifted_chebyshev_polynomial_u",
    "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w",
]  # fmt: skip


class Chebyshev(Recurrence):
    """Base class of the four kinds: p[k + 1] = 2x p[k] - p[k - 1].

    Inside (-1, 1), high degrees are trigonometric functions of the angle arccos x.

    Math: p₀ = 1      pₖ₊₁ = 2x pₖ - pₖ₋₁      y = pₙ
    """

    MOST = 8  # up to which degree the rule is used inside (-1, 1), too

    def next_term(self, k: int, x: Any, p: Any, q: Any) -> Any:
        return (x + x) * q - p

    def known_values(self, x: Any, n: Any) -> tuple[Any, Any]:
        inside = (np.abs(x) < 1) & (n > self.MOST)
        end = np.abs(x) == 1
        sign = np.where(n % 2 == 0, 1, -1)
        angle = np.arccos(np.where(inside, x, 0))
        values = np.where(inside, self.by_angle(angle, n), self.at_endpoint(x, n, sign))
        return inside | end, values

    def by_angle(self, angle: Any, n: Any) -> Any:
        """The polynomial at cos(angle)."""
        raise NotImplementedError

    def at_endpoint(self, x: Any, n: Any, sign: Any) -> Any:
        """The polynomial at 1 and -1; `sign` is (-1)ⁿ."""
        raise NotImplementedError


class ChebyshevPolynomialT(Chebyshev):
    """First kind: Tₙ(cos a) = cos(n a)."""

    MOST = 6

    def first_terms(self, x: Any) -> Any:
        return x

    def by_angle(self, angle: Any, n: Any) -> Any:
        return np.cos(n * angle)

    def at_endpoint(self, x: Any, n: Any, sign: Any) -> Any:
        return np.where(x > 0, 1, sign)


class ChebyshevPolynomialU(Chebyshev):
    """Second kind: Uₙ(cos a) = sin((n + 1) a) / sin a."""

    def first_terms(self, x: Any) -> Any:
        return x + x

    def by_angle(self, angle: Any, n: Any) -> Any:
        return np.sin((n + 1) * angle) / np.sin(angle)

    def at_endpoint(self, x: Any, n: Any, sign: Any) -> Any:
        return np.where(x > 0, 1, sign) * (n + 1)


class ChebyshevPolynomialV(Chebyshev):
    """Third kind: Vₙ(cos a) = cos((n + 1/2) a) / cos(a/2)."""

    def first_terms(self, x: Any) -> Any:
        return x + x - 1

    def by_angle(self, angle: Any, n: Any) -> Any:
        return np.cos((n + 0.5) * angle) / np.cos(angle / 2)

    def at_endpoint(self, x: Any, n: Any, sign: Any) -> Any:
        return np.where(x > 0, 1, sign * (n + n + 1))


class ChebyshevPolynomialW(Chebyshev):
    """Fourth kind: Wₙ(cos a) = sin((n + 1/2) a) / sin(a/2)."""

    def first_terms(self, x: Any) -> Any:
        return x + x + 1

    def by_angle(self, angle: Any, n: Any) -> Any:
        return np.sin((n + 0.5) * angle) / np.sin(angle / 2)

    def at_endpoint(self, x: Any, n: Any, sign: Any) -> Any:
        return np.where(x > 0, n + n + 1, sign)


class Shifted(Chebyshev):
    """Chebyshev polynomials at 2x - 1, orthogonal on [0, 1].

    Math: y = pₙ(2x - 1)
    """

    def forward(self, x: Any, n: Any) -> Any:
        x = as_floating(x)
        return super().forward(x + x - 1, n)


class ShiftedChebyshevPolynomialT(Shifted, ChebyshevPolynomialT):
    """`chebyshev_polynomial_t` at 2x - 1."""


class ShiftedChebyshevPolynomialU(Shifted, ChebyshevPolynomialU):
    """`chebyshev_polynomial_u` at 2x - 1."""


class ShiftedChebyshevPolynomialV(Shifted, ChebyshevPolynomialV):
    """`chebyshev_polynomial_v` at 2x - 1."""


class ShiftedChebyshevPolynomialW(Shifted, ChebyshevPolynomialW):
    """`chebyshev_polynomial_w` at 2x - 1."""


def chebyshev_polynomial_t(x: Any, n: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Chebyshev polynomial of the first kind; no derivative.

    Math: p₀ = 1, p₁ = x, p[k + 1] = 2x p[k] - p[k - 1];
          Tₙ(cos a) = cos(n a)
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.chebyshev_polynomial_t(torch.tensor([0.0, 0.5, 2.0]), 3)
        tensor([-0., -1., 26.])
    """
    return apply_with_degree(ChebyshevPolynomialT(), x, n, out)


def chebyshev_polynomial_u(x: Any, n: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Chebyshev polynomial of the second kind; no derivative.

    Math: p₀ = 1, p₁ = 2x, p[k + 1] = 2x p[k] - p[k - 1];
          Uₙ(cos a) = sin((n + 1) a) / sin a
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.chebyshev_polynomial_u(torch.tensor([0.0, 0.5, 2.0]), 3)
        tensor([-0., -1., 56.])
    """
    return apply_with_degree(ChebyshevPolynomialU(), x, n, out)


def chebyshev_polynomial_v(x: Any, n: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Chebyshev polynomial of the third kind; no derivative.

    Math: p₀ = 1, p₁ = 2x - 1, p[k + 1] = 2x p[k] - p[k - 1];
          Vₙ(cos a) = cos((n + 1/2) a) / cos(a/2)
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.chebyshev_polynomial_v(torch.tensor([0.0, 0.5, 2.0]), 3)
        tensor([ 1., -1., 41.])
    """
    return apply_with_degree(ChebyshevPolynomialV(), x, n, out)


def chebyshev_polynomial_w(x: Any, n: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Chebyshev polynomial of the fourth kind; no derivative.

    Math: p₀ = 1, p₁ = 2x + 1, p[k + 1] = 2x p[k] - p[k - 1];
          Wₙ(cos a) = sin((n + 1/2) a) / sin(a/2)
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.chebyshev_polynomial_w(torch.tensor([0.0, 0.5, 2.0]), 3)
        tensor([-1., -1., 71.])
    """
    return apply_with_degree(ChebyshevPolynomialW(), x, n, out)


def shifted_chebyshev_polynomial_t(
    x: Any, n: Any, *, out: Tensor | None = None
) -> Tensor:
    """Elementwise Chebyshev polynomial of the first kind, shifted; no derivative.

    Math: y = Tₙ(2x - 1), see `chebyshev_polynomial_t`
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([0.0, 0.5, 2.0])
        >>> torch.special.shifted_chebyshev_polynomial_t(x, 3)
        tensor([-1., -0., 99.])
    """
    return apply_with_degree(ShiftedChebyshevPolynomialT(), x, n, out)


def shifted_chebyshev_polynomial_u(
    x: Any, n: Any, *, out: Tensor | None = None
) -> Tensor:
    """Elementwise Chebyshev polynomial of the second kind, shifted; no derivative.

    Math: y = Uₙ(2x - 1), see `chebyshev_polynomial_u`
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([0.0, 0.5, 2.0])
        >>> torch.special.shifted_chebyshev_polynomial_u(x, 3)
        tensor([ -4.,  -0., 204.])
    """
    return apply_with_degree(ShiftedChebyshevPolynomialU(), x, n, out)


def shifted_chebyshev_polynomial_v(
    x: Any, n: Any, *, out: Tensor | None = None
) -> Tensor:
    """Elementwise Chebyshev polynomial of the third kind, shifted; no derivative.

    Math: y = Vₙ(2x - 1), see `chebyshev_polynomial_v`
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([0.0, 0.5, 2.0])
        >>> torch.special.shifted_chebyshev_polynomial_v(x, 3)
        tensor([ -7.,   1., 169.])
    """
    return apply_with_degree(ShiftedChebyshevPolynomialV(), x, n, out)


def shifted_chebyshev_polynomial_w(
    x: Any, n: Any, *, out: Tensor | None = None
) -> Tensor:
    """Elementwise Chebyshev polynomial of the fourth kind, shifted; no derivative.

    Math: y = Wₙ(2x - 1), see `chebyshev_polynomial_w`
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> x = torch.tensor([0.0, 0.5, 2.0])
        >>> torch.special.shifted_chebyshev_polynomial_w(x, 3)
        tensor([ -1.,  -1., 239.])
    """
    return apply_with_degree(ShiftedChebyshevPolynomialW(), x, n, out)
