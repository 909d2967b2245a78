"""Reproduces the errors of PyTorch's Bessel functions J and Y.

# Note [Leading terms]
J and Y are computed with Moshier's rational functions. The leading coefficient of
their denominators is 1, and his tables leave it out. PyTorch leaves it out of the sums
as well, and is wrong by up to 4e-7 for J and 8e-7 for Y. That much is taken from
SciPy's values, which are right, so that programs print the same numbers here.

For z = x² up to 25 the functions are P(z) / Q(z), with zeros and logarithms split off;
beyond, sums of sine and cosine with factors that are rational in q = 25 / z.

Reference: Moshier, 1989
"""

from __future__ import annotations

from math import pi
from typing import Any, NamedTuple

import numpy as np

__all__: list[str] = []


class Tables(NamedTuple):
    """Coefficients for one order, highest power first, without a leading 1."""

    j_below: list[float]  # of J's denominator, degree 8
    y_above: list[float]  # of Y's numerator
    y_below: list[float]  # of Y's denominator
    far_above: list[float]  # the second factor far out: numerator, degree 7
    far_below: list[float]  # ... and denominator, degree 7


ORDER_0 = Tables(
    [4.99563147152651017219e2, 1.73785401676374683123e5, 4.84409658339962045305e7,
     1.11855537045356834862e10, 2.11277520115489217587e12, 3.10518229857422583814e14,
     3.18121955943204943306e16, 1.71086294081043136091e18],
    [1.55924367855235737965e4, -1.46639295903971606143e7, 5.43526477051876500413e9,
     -9.82136065717911466409e11, 8.75906394395366999549e13, -3.46628303384729719441e15,
     4.42733268572569800351e16, -1.84950800436986690637e16],
    [1.04128353664259848412e3, 6.26107330137134956842e5, 2.68919633393814121987e8,
     8.64002487103935000337e10, 2.02979612750105546709e13, 3.17157752842975028269e15,
     2.50596256172653059228e17],
    [-1.13663838898469149931e-2, -1.28252718670509318512, -1.95539544257735972385e1,
     -9.32060152123768231369e1, -1.77681167980488050595e2, -1.47077505154951170175e2,
     -5.14105326766599330220e1, -6.05014350600728481186],
    [6.43178256118178023184e1, 8.56430025976980587198e2, 3.88240183605401609683e3,
     7.24046774195652478189e3, 5.93072701187316984827e3, 2.06209331660327847417e3,
     2.42005740240291393179e2],
)  # fmt: skip

ORDER_1 = Tables(
    [6.20836478118054335476e2, 2.56987256757748830383e5, 8.35146791431949253037e7,
     2.21511595479792499675e10, 4.74914122079991414898e12, 7.84369607876235854894e14,
     8.95222336184627338078e16, 5.32278620332680085395e18],
    [1.26320474790178026440e9, -6.47355876379160291031e11, 1.14509511541823727583e14,
     -8.12770255501325109621e15, 2.02439475713594898196e17, -7.78877196265950026825e17],
    [5.94301592346128195359e2, 2.35564092943068577943e5, 7.34811944459721705660e7,
     1.87601316108706159478e10, 3.88231277496238566008e12, 6.20557727146953693363e14,
     6.87141087355300489866e16, 3.97270608116560655612e18],
    [5.10862594750176621635e-2, 4.98213872951233449420, 7.58238284132545283818e1,
     3.66779609360150777800e2, 7.10856304998926107277e2, 5.97489612400613639965e2,
     2.11688757100572135698e2, 2.52070205858023719784e1],
    [7.42373277035675149943e1, 1.05644886038262816351e3, 4.98641058337653607651e3,
     9.56231892404756170795e3, 7.99704160447350683650e3, 2.82619278517639096600e3,
     3.36093607810698293419e2],
)  # fmt: skip


def j_excess(order: int, x: Any, j: Any) -> Any:
    """The error of PyTorch's J of order 0 or 1, given the exact value `j`."""
    tables = (ORDER_0, ORDER_1)[order]
    size = np.abs(x)
    z = np.minimum(size, 5) ** 2
    near = j * z**8 / np.polyval(tables.j_below, z)
    far = -_far_excess(tables, size) * np.sin(_angle(order, size))
    far = np.where((x < 0) & (order == 1), -far, far)  # odd orders are odd
    return np.where(size <= 5, near, far)


def y_excess(order: int, x: Any, j: Any) -> Any:
    """The error of PyTorch's Y of order 0 or 1, given the exact value `j` of J."""
    tables = (ORDER_0, ORDER_1)[order]
    x = np.where(x > 0, x, np.nan)
    z = np.minimum(x, 5) ** 2
    rest = _denominator_excess(tables.y_above, tables.y_below, z) * x**order
    near = rest + 2 / pi * np.log(x) * j_excess(order, x, j)
    far = _far_excess(tables, x) * np.cos(_angle(order, x))
    return np.where(x > 0, np.where(x <= 5, near, far), 0)


def _denominator_excess(above: list[float], below: list[float], z: Any) -> Any:
    """The difference a missing leading 1 of the denominator makes to a quotient."""
    top, bottom = np.polyval(above, z), np.polyval(below, z)
    return top / bottom - top / (bottom + z ** len(below))


def _far_excess(tables: Tables, x: Any) -> Any:
    x = np.maximum(x, 5)
    return (
        _denominator_excess(tables.far_above, tables.far_below, 25 / (x * x))
        * 5
        / x
        * np.sqrt(2 / (pi * x))
    )


def _angle(order: int, x: Any) -> Any:
    return x - (2 * order + 1) * pi / 4
