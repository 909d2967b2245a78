"""Formulas for the elements of a result in terms of the elements of its operands.

A formula is either elementwise, a template such as "{0} · {1}", or a sum of products
over indices, in the notation of `einsum_notation.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from string import ascii_lowercase
from typing import NamedTuple

import numpy as np

from .einsum_notation import OpCall, elementwise, product_letters, reduced_letters

__all__ = ["ElementFormula", "element_formula"]


class ElementFormula(NamedTuple):
    """The formula of one element of a result.

    Attributes:
        plug: a template with {0}, {1} for the operands' elements, or "".
        spec: for each operand the letters of its dimensions, and those of the result.
        plus: the index of the operand added to a sum of products (a bias); -1 for none.
        over: the divisor of a sum, as for a mean.
    """

    plug: str
    spec: str
    plus: int = -1
    over: int = 1


_PLUGS = {
    "Add": "{0} + {1}",
    "Mul": "{0} · {1}",
    "Div": "{0} / {1}",
    "AddNumber": "{0} + {1}",
    "SubNumber": "{0} − {1}",
    "MulNumber": "{0} · {1}",
    "DivNumber": "{0} / {1}",
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
    "CopyView": "{0}",
    "Expand": "{0}",
}


def element_formula(op: OpCall) -> ElementFormula | None:
    """The formula of the result's elements; None if there is no rule for the op.

    Example:
        >>> a = np.ones((2, 3))
        >>> element_formula(OpCall("Mul", [a, a[0]], a, {}))
        ElementFormula(plug='{0} · {1}', spec='ab,b->ab', plus=-1, over=1)
    """
    factors = product_letters(op)
    if factors is not None:
        first, second, out = factors
        return ElementFormula("", f"{first},{second}->{out}")
    structured = _STRUCTURED.get(op.cls)
    if structured is not None:
        return structured(op)
    plug = _PLUGS.get(op.cls) or _with_attributes(op)
    if not plug:
        return None
    y = np.shape(op.y)
    used = op.inputs[: plug.count("{")]
    letters = ",".join(elementwise(y, np.shape(x)) for x in used)
    return ElementFormula(plug, f"{letters}->{ascii_lowercase[: len(y)]}")


def _with_attributes(op: OpCall) -> str:
    if op.cls == "PowScalar" and isinstance(op.attributes["exponent"], int | float):
        return f"({{0}})^{op.attributes['exponent']:g}"
    if op.cls == "Sub" and op.attributes["alpha"] == 1:
        return "{0} − {1}"
    if op.cls == "LeakyRelu" and op.attributes["negative_slope"] is not None:
        a = op.attributes["negative_slope"]
        return f"{{0}} if positive, else {a:g} · that"
    return ""


def _linear(op: OpCall) -> ElementFormula:
    lead = ascii_lowercase[: np.ndim(op.inputs[0]) - 1]
    biased = len(op.inputs) > 2 and op.inputs[2] is not None
    if biased:
        return ElementFormula("", f"{lead}x,zx,z->{lead}z", plus=2)
    return ElementFormula("", f"{lead}x,zx->{lead}z")


def _sum(op: OpCall) -> ElementFormula:
    x, y = reduced_letters(op)
    return ElementFormula("", f"{x}->{y}")


def _mean(op: OpCall) -> ElementFormula:
    terms = op.inputs[0].size // max(1, op.y.size)
    return _sum(op)._replace(over=max(1, terms))


_STRUCTURED: dict[str, Callable[[OpCall], ElementFormula]] = {
    "Linear": _linear,
    "Sum": _sum,
    "SumAll": _sum,
    "Mean": _mean,
}
