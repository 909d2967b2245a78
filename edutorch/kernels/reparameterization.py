"""Derivatives of gamma and Dirichlet samples with respect to their parameters.

A sample x keeps its quantile u = F(x; a) when the parameter changes, so
dx/da = -(∂F/∂a) / p(x). There is no closed form of ∂F/∂a; series, expansions and
fitted rational functions are used where each is accurate.

Reference: Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients", 2018;
    Rice, "Saddle point approximation for the distribution of the sum", 1980.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .lazy_modules import scipy_special
from .reparameterization_fit import BETA_P, BETA_Q, GAMMA_P, GAMMA_Q

__all__ = ["dirichlet_grad", "standard_gamma_grad"]


def _by_region(regions: Any, rest: Any, *arguments: Any) -> Any:
    """Each formula at the places of its region, the last one if there is none."""
    found = np.empty(arguments[0].shape)
    free = np.ones(found.shape, bool)
    for region, formula in (*regions, (free.copy(), rest)):
        here = free & region
        if here.any():
            found[here] = formula(*(a[here] for a in arguments))
        free &= ~region
    return found


def _finite_or_zero(x: Any) -> Any:
    return np.where(np.isnan(x), 0, x)


def standard_gamma_grad(a: Any, x: Any) -> Any:
    """dx/da of a gamma sample x of shape a and rate 1.

    Shape: (*), (*) -> (*), broadcast
    """
    dtype = np.result_type(a, x)
    a, x = np.broadcast_arrays(a.astype(np.float64), x.astype(np.float64))
    with np.errstate(all="ignore"):
        near = np.float32(0.9) * a <= x
        near &= x <= np.float32(1.1) * a
        regions = (
            (x < np.float32(0.8), _gamma_by_series),
            ((a > 8) & near, _gamma_at_mean),
            (a > 8, _gamma_by_saddle_point),
        )
        return _by_region(regions, _gamma_by_fit, a, x).astype(dtype)


def _gamma_by_series(a: Any, x: Any) -> Any:
    """Six terms of the power series in x of the incomplete gamma function."""
    term, first, second = np.ones_like(x), 1 / a, 1 / a**2
    for i in range(1, 6):
        term = term * -x / i
        first = first + term / (a + i)
        second = second + term / (a + i) ** 2
    power = x**a
    density = x ** (a - 1) * np.exp(-x)
    by_shape = (np.log(x) - scipy_special.digamma(a)) * power * first - power * second
    return _finite_or_zero(-by_shape / density)


def _gamma_at_mean(a: Any, x: Any) -> Any:
    """The saddle point expansion around x = a, where the general one is singular."""
    first = 1 + 24 * a * (1 + 12 * a)
    second = 1440 * a**2 + 6 * x * (53 - 120 * x) - 65 * x**2 / a + a * (107 + 3600 * x)
    return first * second / (1244160 * a**4)


def _gamma_by_saddle_point(a: Any, x: Any) -> Any:
    apart, ratio, root = a - x, np.log(x / a), np.sqrt(8 * a)
    tail = (x - a - a * ratio) ** -1.5
    slope = root / apart - np.where(x < a, tail, -tail)
    term = ratio * slope - np.sqrt(2 / a) * (a + x) / apart**2
    stirling = 1 + 1 / (12 * a) * (1 + 1 / (24 * a))
    return -stirling * x * term / root


def _gamma_by_fit(a: Any, x: Any) -> Any:
    """The exponential of a fitted rational function of two logarithms."""
    u, v = np.log(x / a), np.log(a)
    return np.exp(_polynomial(GAMMA_P, v, u) / _polynomial(GAMMA_Q, v, u))


def _polynomial(rows: Any, v: Any, *powers: Any) -> Any:
    """Σ rows[i]... vᵏ uⁱ ...: a polynomial in v, whose coefficients are ones in u."""
    if not powers:
        return sum(c * v**k for k, c in enumerate(rows))
    u, *others = powers
    return sum(_polynomial(row, v, *others) * u**i for i, row in enumerate(rows))


def dirichlet_grad(x: Any, a: Any, total: Any) -> Any:
    """dx/da / (1 - x) of one entry x of a Dirichlet sample with parameter a of `total`.

    Shape: (*), (*), (*) -> (*), broadcast
    """
    dtype = np.result_type(x, a, total)
    x, a, total = np.broadcast_arrays(*(v.astype(np.float64) for v in (x, a, total)))
    b = total - a
    with np.errstate(all="ignore"):
        edge = total * x * (1 - x)
        regions = (
            ((x <= 0.5) & (edge < 2.5), _beta_near_zero),
            ((x >= 0.5) & (edge < 0.75), _beta_near_one),
            ((a > 6) & (b > 6), _beta_by_saddle_point),
        )
        return _by_region(regions, _beta_by_fit, x, a, b).astype(dtype)


def _beta_near_zero(x: Any, a: Any, b: Any) -> Any:
    """Eleven terms of the power series in x of the incomplete beta function."""
    digamma = scipy_special.digamma
    factor = digamma(a) - digamma(a + b) - np.log(x)
    term, series = np.ones_like(x), (factor + 1 / a) / a
    for i in range(1, 11):
        term = term * (i - b) * x / i
        series = series + term / (a + i) * (factor + 1 / (a + i))
    return _finite_or_zero(x * (1 - x) ** -b * series)


def _beta_near_one(x: Any, a: Any, b: Any) -> Any:
    """The same for 1 - x and its other parameter, of which nine terms are taken."""
    y, digamma = 1 - x, scipy_special.digamma
    factor = digamma(a + b) - digamma(a)
    term, product, derivative = np.ones_like(y), np.ones_like(y), np.zeros_like(y)
    series = factor / b
    for i in range(1, 9):
        term = term * -y / i
        derivative = derivative * (a - i) + product
        product = product * (a - i)
        series = series + term / (b + i) * (derivative + factor * product)
    return _finite_or_zero((1 - y) ** (1 - a) * series)


def _beta_by_saddle_point(x: Any, a: Any, b: Any) -> Any:
    total = a + b
    mean = a / total
    deviation = np.sqrt(a * b / (total + 1)) / total
    near = np.abs(x - mean) <= 0.1 * deviation
    regions = ((near, _beta_at_mean),)
    return _by_region(regions, _beta_by_saddle_point_far, x, a, b)


def _beta_at_mean(x: Any, a: Any, b: Any) -> Any:
    """The expansion around the mean, where the general one is singular."""
    total, y = a + b, 1 - x
    by_power = (
        47 * x * b**4,
        (43 + 20 * (16 + 27 * b) * x) * b**3,
        3 * (59 + 180 * b - 90 * x) * b**2,
        (453 + 1620 * b * y - 455 * x) * b,
        8 * y * (135 * b - 11),
    )
    polynomial = sum(c * a**k for k, c in enumerate(by_power))
    above = (1 + 12 * a) * (1 + 12 * b) / total**2
    return above / y * polynomial / (12960 * a**3 * b**2 * (1 + 12 * total))


def _beta_by_saddle_point_far(x: Any, a: Any, b: Any) -> Any:
    total, y = a + b, 1 - x
    apart = b * x - a * y
    stirling = _stirling(a) * _stirling(b) / _stirling(total)
    outer = -x / np.sqrt(2 * a * b / total)
    first = (-2 * a * a * y - a * b * y - x * b * b) / (
        np.sqrt(2 * a / b) * total**1.5 * apart**2
    )
    divergence = b * np.log(b / (total * y)) + a * np.log(a / (total * x))
    tail = divergence**-1.5
    side = np.where(x < a / total, tail, -tail)
    second = np.sqrt(8 * a * b / total) / apart + side
    return stirling * outer * (first + 0.5 * np.log(a / (total * x)) * second)


def _stirling(a: Any) -> Any:
    return 1 + 1 / (12 * a) + 1 / (288 * a * a)


def _beta_by_fit(x: Any, a: Any, b: Any) -> Any:
    """An approximation times a fitted rational function of three logarithms."""
    digamma, total = scipy_special.digamma, a + b
    u = np.log(x)
    v = np.log(a) - u
    w = np.log(total) - v
    correction = _polynomial(BETA_P, w, u, v) / _polynomial(BETA_Q, w, u, v)
    return correction * x * (digamma(total) - digamma(a)) / b
