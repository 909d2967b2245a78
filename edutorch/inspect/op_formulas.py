"""The formulas of ops, from the "Math:" sections of their docstrings."""

from __future__ import annotations

import inspect
import re
from functools import lru_cache
from typing import NamedTuple

from .source_lines import op_class

__all__ = ["Formulas", "formulas_of"]


class Formulas(NamedTuple):
    """The formulas of an op and of its backward.

    Attributes:
        result: "y = a · b".
        gradients: "∂L/∂a = g · b" by operand, in the operands' order.
    """

    result: str
    gradients: tuple[str, ...]


@lru_cache(maxsize=1024)
def formulas_of(cls: str) -> Formulas:
    """The formulas of the op class with this name.

    Example:
        >>> formulas_of("Mul")
        Formulas(result='y = a · b', gradients=('∂L/∂a = g · b', '∂L/∂b = g · a'))
        >>> formulas_of("NoSuchOp")
        Formulas(result='', gradients=())
    """
    op = op_class(cls)
    text = inspect.cleandoc(op.__doc__ or "").partition("Math:")[2] if op else ""
    text = re.split(r"\n\s*\n|\n(?=[A-Z][a-z]+: )", text)[0].strip()
    text = re.sub(r"conj\((\w+)\)", r"\1", text)  # real numbers are their conjugates
    items = [" ".join(item.split()) for item in re.split(r"\s{3,}", text)]
    gradients = tuple(item for item in items if item.startswith("∂L/∂"))
    rest = [item for item in items if item and not item.startswith("∂L/∂")]
    return Formulas("   ".join(rest), gradients)
