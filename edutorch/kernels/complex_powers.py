"""Powers of complex numbers, with C's results at 0, inf and nan."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..backends import array_module

__all__ = ["complex_power", "reciprocal"]


def reciprocal(x: Any) -> Any:
    """1 / x; of complex numbers the quotient, as only this is infinite for x = 0.

    Example:
        >>> float(reciprocal(np.array(4.0)))
        0.25
    """
    return 1 / x if x.dtype.kind == "c" else np.reciprocal(x)


def complex_power(x: Any, n: Any) -> Any:
    """x^n as in C where one is complex: exp(n · ln x), where x is 0, too.

    Example:
        >>> complex_power(np.array([0j, 1j]), np.array([-1 + 0j, 4 + 0j])).real
        array([inf,  1.])
    """
    dtype = np.result_type(x, n)
    x, n = (dtype.type(v) if np.isscalar(v) else v.astype(dtype) for v in (x, n))
    with np.errstate(all="ignore"):
        return np.exp(_product(n, np.log(x))).astype(dtype, copy=False)


def _product(a: Any, b: Any) -> Any:
    """The product of complex numbers as in C, which recovers infinities from nan."""
    xp = array_module(b)
    infinite = [xp.isinf(v.real) | xp.isinf(v.imag) for v in (a, b)]
    product = _multiply(xp, (a.real, a.imag), (b.real, b.imag))
    recovered = xp.inf * _multiply(
        xp, _boxed(xp, a, *infinite), _boxed(xp, b, *reversed(infinite))
    )
    lost = xp.isnan(product[0]) & xp.isnan(product[1]) & (infinite[0] | infinite[1])
    y = xp.empty(product[0].shape, np.result_type(a, b))
    y.real, y.imag = xp.where(lost, recovered, product)
    return y


def _multiply(xp: Any, a: Any, b: Any) -> Any:
    """Real and imaginary part of a product."""
    return xp.stack([a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]])


def _boxed(xp: Any, v: Any, infinite: Any, other_infinite: Any) -> Any:
    """The parts of a number: inf becomes 1 and the rest 0; nan 0 beside an infinity."""
    parts = []
    for part in (v.real, v.imag):
        finite = xp.where(other_infinite & xp.isnan(part), 0, part)
        size = xp.where(infinite, xp.isinf(part), xp.abs(finite))
        parts.append(xp.copysign(size, part))
    return parts
