"""Hermite, Laguerre and Legendre polynomials."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...tensor.tensor import Tensor
from .polynomial_recurrences import Recurrence, apply_with_degree

__all__ = [
    "hermite_polynomial_h",
    "hermite_polynomial_he",
    "laguerre_polynomial_l",
    "legendre_polynomial_p",
]  # fmt: skip

# Beyond these degrees PyTorch gives nan, since the dtype overflows.
MOST = {"float32": 128, "float64": 512}


class HermitePolynomialH(Recurrence):
    """Physicists' Hermite polynomials, orthogonal with the weight e^(-x²)."""

    def first_terms(self, x: Any) -> Any:
        return x + x

    def next_term(self, k: int, x: Any, p: Any, q: Any) -> Any:
        return (x + x) * q - 2 * k * p

    def known_values(self, x: Any, n: Any) -> tuple[Any, Any]:
        return n > MOST[str(x.dtype)], np.full_like(x, np.nan)


class HermitePolynomialHe(HermitePolynomialH):
    """Probabilists' Hermite polynomials, with the weight e^(-x²/2)."""

    def first_terms(self, x: Any) -> Any:
        return x

    def next_term(self, k: int, x: Any, p: Any, q: Any) -> Any:
        return x * q - k * p


class LaguerrePolynomialL(Recurrence):
    """Laguerre polynomials, orthogonal on [0, ∞) with the weight e^-x."""

    def first_terms(self, x: Any) -> Any:
        return 1 - x

    def next_term(self, k: int, x: Any, p: Any, q: Any) -> Any:
        return ((2 * k + 1 - x) * q - k * p) / (k + 1)


class LegendrePolynomialP(Recurrence):
    """Legendre polynomials, orthogonal on [-1, 1] with the weight 1."""

    def first_terms(self, x: Any) -> Any:
        return x

    def next_term(self, k: int, x: Any, p: Any, q: Any) -> Any:
        return ((2 * k + 1) * x * q - k * p) / (k + 1)


def hermite_polynomial_h(x: Any, n: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise physicists' Hermite polynomial; no derivative.

    Math: p₀ = 1, p₁ = 2x, p[k + 1] = 2x p[k] - 2k p[k - 1]
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.hermite_polynomial_h(torch.tensor([0.0, 0.5, 2.0]), 3)
        tensor([-0., -5., 40.])
    """
    return apply_with_degree(HermitePolynomialH(), x, n, out)


def hermite_polynomial_he(x: Any, n: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise probabilists' Hermite polynomial; no derivative.

    Math: p₀ = 1, p₁ = x, p[k + 1] = x p[k] - k p[k - 1]
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.hermite_polynomial_he(torch.tensor([0.0, 0.5, 2.0]), 3)
        tensor([-0.0000, -1.3750,  2.0000])
    """
    return apply_with_degree(HermitePolynomialHe(), x, n, out)


def laguerre_polynomial_l(x: Any, n: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Laguerre polynomial; no derivative.

    Math: p₀ = 1, p₁ = 1 - x,
          p[k + 1] = ((2k + 1 - x) p[k] - k p[k - 1]) / (k + 1)
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.laguerre_polynomial_l(torch.tensor([0.0, 0.5, 2.0]), 3)
        tensor([ 1.0000, -0.1458, -0.3333])
    """
    return apply_with_degree(LaguerrePolynomialL(), x, n, out)


def legendre_polynomial_p(x: Any, n: Any, *, out: Tensor | None = None) -> Tensor:
    """Elementwise Legendre polynomial; no derivative.

    Math: p₀ = 1, p₁ = x,
          p[k + 1] = ((2k + 1) x p[k] - k p[k - 1]) / (k + 1)
    Shape: (*), (*) -> (*), broadcast

    Args:
        n: the degree, truncated to an integer; the result for negative ones is 0.

    Raises:
        NotImplementedError: for complex numbers.

    Example:
        >>> import edutorch as torch
        >>> torch.special.legendre_polynomial_p(torch.tensor([0.0, 0.5, 2.0]), 3)
        tensor([-0.0000, -0.4375, 17.0000])
    """
    return apply_with_degree(LegendrePolynomialP(), x, n, out)
