"""Powers of complex numbers, with C's results at 0, inf and nan."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backends import array_module
from .memory_format import match_strides

__all__ = ["complex_power", "reciprocal"]


def reciprocal(x: Any) -> Any:
    """1 / x; complex numbers are divided, since NumPy's reciprocal of 0 is nan.

    Example:
        >>> float(reciprocal(np.array(4.0)))
        0.25
    """
    return 1 / x if x.dtype.kind == "c" else np.reciprocal(x)


def complex_power(x: Any, n: Any) -> Any:
    """x^n as C computes it for complex numbers, also where x is 0: exp(n · ln x).

    Example:
        >>> complex_power(np.array([0j, 1j]), np.array([-1 + 0j, 4 + 0j])).real
        array([inf,  1.])
    """
    operands = [v for v in (x, n) if np.ndim(v)]
    dtype = np.result_type(x, n)
    x, n = (dtype.type(v) if np.isscalar(v) else v.astype(dtype) for v in (x, n))
    with np.errstate(all="ignore"):
        y = np.exp(_product(n, np.log(x))).astype(dtype, copy=False)
    return match_strides(y, *operands)


def _product(a: Any, b: Any) -> Any:
    """The product of complex numbers; as in C, inf times any number but 0 is infinite.

    The formula for products gives nan + nan j for some of them; C (Annex G of its
    standard) multiplies such numbers again, by `_factor_of_infinity`.
    """
    xp = array_module(b)
    infinite = [xp.isinf(v.real) | xp.isinf(v.imag) for v in (a, b)]
    product = _multiply(xp, (a.real, a.imag), (b.real, b.imag))
    recovered = xp.inf * _multiply(
        xp,
        _factor_of_infinity(xp, a, *infinite),
        _factor_of_infinity(xp, b, *reversed(infinite)),
    )
    lost = xp.isnan(product[0]) & xp.isnan(product[1]) & (infinite[0] | infinite[1])
    y = xp.empty(product[0].shape, np.result_type(a, b))
    y.real, y.imag = xp.where(lost, recovered, product)
    return y


def _multiply(xp: Any, a: Any, b: Any) -> Any:
    """Real and imaginary part of a product."""
    return xp.stack([a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]])


def _factor_of_infinity(xp: Any, v: Any, infinite: Any, other_infinite: Any) -> Any:
    """Real and imaginary part of a factor of an infinite product, with their signs.

    In an infinite factor, an infinite part counts as 1 and a finite one as 0. In the
    other factor, nan counts as 0.
    """
    parts = []
    for part in (v.real, v.imag):
        numbers = xp.where(other_infinite & xp.isnan(part), 0, part)
        size = xp.where(infinite, xp.isinf(part), xp.abs(numbers))
        parts.append(xp.copysign(size, part))
    return parts
