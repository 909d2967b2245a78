"""Formulas of the elements of a result, in terms of the elements of its operands.

Either elementwise, as a template such as "{0} · {1}", or as a sum of products over
indices, in the notation of `local_derivatives.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np

from .index_letters import Ran, elementwise, product_letters, reduced_letters

__all__ = ["Recipe", "recipe_of"]


class Recipe(NamedTuple):
    """How an element of a result is computed.

    Attributes:
        plug: a template with {0}, {1} for the operands' elements, or "".
        spec: for each operand the letters of its dimensions, and those of the result.
        plus: the operand that is added to a sum of products, -1 for none.
        over: what a sum is divided by, 1 for nothing.
    """

    plug: str
    spec: str
    plus: int = -1
    over: int = 1


_PLUGS = {
    "Add": "{0} + {1}",
    "Mul": "{0} · {1}",
    "Div": "{0} / {1}",
    "Neg": "−({0})",
    "Exp": "exp({0})",
    "Log": "ln({0})",
    "Log1p": "ln(1 + {0})",
    "Expm1": "exp({0}) − 1",
    "Sqrt": "√({0})",
    "Rsqrt": "1 / √({0})",
    "Square": "({0})²",
    "Reciprocal": "1 / ({0})",
    "Abs": "|{0}|",
    "Sin": "sin({0})",
    "Cos": "cos({0})",
    "Sigmoid": "1 / (1 + exp(−({0})))",
    "Tanh": "tanh({0})",
    "Relu": "max({0}, 0)",
    "Maximum": "max({0}, {1})",
    "Minimum": "min({0}, {1})",
    "PowTensor": "({0})^({1})",
    "Clone": "{0}",
    "Expand": "{0}",
}


def recipe_of(ran: Ran) -> Recipe | None:
    """How the result's elements are computed; None where there is no rule here.

    Example:
        >>> a = np.ones((2, 3))
        >>> recipe_of(Ran("Mul", [a, a[0]], a, {}))
        Recipe(plug='{0} · {1}', spec='ab,b->ab', plus=-1, over=1)
    """
    factors = product_letters(ran)
    if factors is not None:
        first, second, out = factors
        return Recipe("", f"{first},{second}->{out}")
    structured = _STRUCTURED.get(ran.cls)
    if structured is not None:
        return structured(ran)
    plug = _PLUGS.get(ran.cls) or _with_attributes(ran)
    if not plug:
        return None
    y = np.shape(ran.y)
    used = ran.given[: plug.count("{")]
    letters = ",".join(elementwise(y, np.shape(x)) for x in used)
    return Recipe(plug, f"{letters}->{ascii_lowercase[: len(y)]}")


def _with_attributes(ran: Ran) -> str:
    if ran.cls == "PowScalar" and isinstance(ran.attributes["exponent"], int | float):
        return f"({{0}})^{ran.attributes['exponent']:g}"
    if ran.cls == "Sub" and ran.attributes["alpha"] == 1:
        return "{0} − {1}"
    if ran.cls == "LeakyRelu" and ran.attributes["negative_slope"] is not None:
        a = ran.attributes["negative_slope"]
        return f"{{0}} if positive, else {a:g} · that"
    return ""


def _linear(ran: Ran) -> Recipe:
    lead = ascii_lowercase[: np.ndim(ran.given[0]) - 1]
    biased = len(ran.given) > 2 and ran.given[2] is not None
    if biased:
        return Recipe("", f"{lead}x,zx,z->{lead}z", plus=2)
    return Recipe("", f"{lead}x,zx->{lead}z")


def _sum(ran: Ran) -> Recipe:
    x, y = reduced_letters(ran)
    return Recipe("", f"{x}->{y}")


def _mean(ran: Ran) -> Recipe:
    terms = ran.given[0].size // max(1, ran.y.size)
    return _sum(ran)._replace(over=max(1, terms))


_STRUCTURED: dict[str, Callable[[Ran], Recipe]] = {
    "Linear": _linear,
    "Sum": _sum,
    "SumAll": _sum,
    "Mean": _mean,
}
