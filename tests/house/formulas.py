"""Formulas of docstrings as Python, where they are plain enough to be evaluated."""

from __future__ import annotations

import inspect
import math
import re
from typing import Any

import numpy as np
from scipy import special

__all__ = ["evaluate", "formulas"]

FUNCTIONS = "sinh|cosh|tanh|asinh|acosh|atanh|sin|cos|tan|asin|acos|atan"
NAMES = {
    **{name: getattr(np, name) for name in ("exp", "sqrt", "log", "log2", "floor")},
    **{name: getattr(np, name) for name in ("abs", "where", "trunc", "round")},
    **{name: getattr(np, re.sub("^a", "arc", name)) for name in FUNCTIONS.split("|")},
    **{name: getattr(special, name) for name in ("i0", "i1", "i0e", "i1e", "erf")},
    **{name: getattr(special, name) for name in ("digamma", "polygamma", "erfcx")},
    "atan2": np.arctan2, "min": np.minimum, "max": np.maximum, "sgn": np.sign,
    "sign": np.sign, "ceil": np.ceil, "conj": np.conj, "e": math.e, "π": math.pi,
    "σ": special.expit, "Φ": special.ndtr, "Γ": special.gamma, "ζ": special.zeta,
    "φ": lambda x: np.exp(-x * x / 2) / math.sqrt(2 * math.pi),
}  # fmt: skip
SIGNS = str.maketrans({
    "−": "-", "·": "*", "²": "**2", "³": "**3", "^": "**", "≤": "<=", "≠": "!=",
    "₀": "0", "₁": "1",
})  # fmt: skip
REWRITES = (
    (r"\bI([01])", r"i\1"),
    (rf"\b({FUNCTIONS})\*\*2 (\w+)", r"\1(\2)**2"),
    (rf"\b({FUNCTIONS}) (\w+)", r"\1(\2)"),
    (r"\bln (\w+)", r"log(\1)"),
    (r"\bln\(", "log("),
    (r"√(\w+)", r"sqrt(\1)"),
    (r"√\(", "sqrt("),
    (r"⌊([^⌋]*)⌋", r"floor(\1)"),
    (r"⌈([^⌉]*)⌉", r"ceil(\1)"),
    (r"\|([^|]*)\|", r"abs(\1)"),
    (r"\b(\d|[a-z]) (?=[a-zπ]\b)", r"\1*"),  # 2 x y
    (r"\b([2π])([πx])\b", r"\1*\2"),  # 2π, πx
)


def formulas(doc: str) -> dict[str, str]:
    """The formulas of a docstring: {"y": the result's, "∂x": of a gradient ...}."""
    told = re.split(r"\n\s*\n|\nShape:", inspect.cleandoc(doc).partition("Math:")[2])
    found = {}
    for item in re.split(r"\s{3,}|\n\s*", told[0].strip()):
        known = re.match(r"(?:([yz])|∂L/(∂\w)) = (.*)", item)
        if known:
            found[known[1] or known[2]] = known[3]
    return found


def evaluate(formula: str, known: dict[str, Any]) -> Any:
    """A formula's value, or None for one that is not written as Python could be."""
    code = _python(formula)
    try:
        with np.errstate(all="ignore"):  # both branches of `where` are computed
            return eval(code, {"__builtins__": {}}, NAMES | known)
    except (SyntaxError, NameError, TypeError, ValueError):
        return None


def _python(formula: str) -> str:
    """`A where C, B where D, else E`, or `A, B at 0`, or an expression."""
    first, _, otherwise = formula.partition(" else ")
    pieces = first.rstrip(",").split(", ")
    special_case = re.match(r"(\S+) at 0$", pieces[-1])
    if special_case and len(pieces) == 2:
        return f"where(x == 0, {_plain(special_case[1])}, {_plain(pieces[0])})"
    if " where " not in first or " with " in formula:
        return _plain(formula)
    code = _plain(otherwise) if otherwise else "math_tells_no_more"
    for piece in reversed(pieces):
        value, _, condition = piece.partition(" where ")
        code = f"where({_condition(condition)}, {_plain(value)}, {code})"
    return code


def _condition(text: str) -> str:
    """A comparison, or two that have a middle: NumPy wants these apart."""
    code = re.sub(r"(?<![<>!])=", "==", _plain(text))
    between = re.match(r"(.+?)(<=?) ?(\w+) ?(<=?)(.+)", code)
    if not between:
        return code
    low, first, x, second, high = between.groups()
    return f"({low}{first}{x}) & ({x}{second}{high})"


def _plain(text: str) -> str:
    code = text.strip().translate(SIGNS)
    for pattern, replacement in REWRITES:
        code = re.sub(pattern, replacement, code)
    return code
