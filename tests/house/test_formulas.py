"""The formulas of elementwise functions, evaluated as their docstrings have them."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest

import edutorch as torch
from tests.house.formulas import evaluate, formulas
from tests.house.test_public import functions

PACKAGES = ("edutorch.ops.pointwise", "edutorch.ops.activations")
POINTS = np.array([-2.5, -1.2, -0.3, 0.4, 0.7, 1.3, 2.2])
OTHERS = np.array([0.6, -1.1, 1.7, 0.9, 2.3, -0.8, 1.4])
ABOVE_0 = (
    "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "lgamma", "digamma", "entr",
    "xlogy", "xlog1py", "pow", "float_power",
)  # fmt: skip
INSIDE_1 = ("asin", "acos", "atanh", "erfinv")
# The meaning of the letters of a formula, besides operands and results.
LETTERS: dict[str, dict[str, Any]] = {
    "add": {"alpha": 1}, "sub": {"alpha": 1}, "rsub": {"alpha": 1}, "round": {"d": 0},
    "leaky_relu": {"a": 0.01}, "elu": {"α": 1.0}, "celu": {"α": 1.0}, "hardtanh":
    {"low": -1, "high": 1}, "hardshrink": {"λ": 0.5}, "softshrink": {"λ": 0.5},
    "selu": {"s": 1.0507009873554805, "α": 1.6732632423543772},
}  # fmt: skip


def points(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Operands for a function, within what it takes."""
    if name in ABOVE_0:
        return abs(POINTS), abs(OTHERS)
    if name == "acosh":
        return abs(POINTS) + 1, OTHERS
    return (POINTS / 3 if name in INSIDE_1 else POINTS), OTHERS


def cases() -> list[Any]:
    """Every elementwise function that takes one tensor, or two."""
    return [
        pytest.param(function, id=names[0])
        for function, names in functions().items()
        if function.__module__.startswith(PACKAGES)
        and "dim" not in inspect.signature(function).parameters  # as softmax has
        and re.search(r"Shape: \(\*\)(, \(\*\))? ->", inspect.getdoc(function) or "")
    ]


def checked(function: Any) -> list[str]:
    """The formulas that hold; raises for one that does not."""
    told, name = formulas(inspect.getdoc(function) or ""), function.__name__
    two = "Shape: (*), (*) ->" in (inspect.getdoc(function) or "")
    letters = [key[1] for key in told if key[0] == "∂"]
    if len(letters) != 1 + two:  # no derivative, or one that PyTorch has not
        return []
    values = points(name)[: len(letters)]
    operands = [torch.tensor(v, requires_grad=True) for v in values]
    try:
        y = function(*operands)
        if isinstance(y, tuple):  # several results
            return []
        g = torch.linspace(1, 2, y.numel(), dtype=torch.float64)
        slopes = torch.autograd.grad(y, operands, g)
    except (RuntimeError, TypeError):  # it needs more than operands
        return []
    result = "z" if "z" in told else "y"
    known = dict(zip(letters, values, strict=True)) | {result: y.detach().numpy()}
    known |= {"g": g.numpy()} | LETTERS.get(name, {})
    wanted = {f"∂{c}": s.numpy() for c, s in zip(letters, slopes, strict=True)}
    wanted[result] = known[result]
    return [
        f"{name} {key}"
        for key, formula in told.items()
        if key in wanted and _holds(function, key, formula, known, wanted[key])
    ]


def _holds(
    function: Any, key: str, formula: str, known: dict[str, Any], wanted: np.ndarray
) -> bool:
    found = evaluate(formula, known)
    if not isinstance(found, np.ndarray | float | int | np.generic):
        return False  # words, integrals and the like
    found = np.broadcast_to(found, wanted.shape)
    np.testing.assert_allclose(
        found, wanted, 1e-9, 1e-12, err_msg=f"{function.__name__}: {key} = {formula}"
    )
    return True


@pytest.mark.parametrize("function", cases())
def test_formulas_of_docstrings_hold(function):
    checked(function)


def test_formulas_are_mostly_evaluated():
    held = [found for case in cases() for found in checked(case.values[0])]
    assert len(held) >= 150, len(held)
    assert {"exp y", "exp ∂x", "atan2 ∂b", "sinc ∂x", "hardswish ∂x"} <= set(held)


def test_formulas_that_are_wrong_are_found():
    x = np.array([0.5, 2.0])
    assert np.allclose(
        evaluate("g · (1 − tanh² x)", {"g": 1, "x": x}), np.cosh(x) ** -2
    )
    assert np.allclose(evaluate("x where x > 1, else 0", {"x": x}), [0, 2])
    assert np.allclose(evaluate("2^x · ln 2", {"x": x}), np.log(2) * 2**x)
    assert evaluate("the largest of all", {"x": x}) is None

    def halved(input):
        """Half of it.

        Math: y = x / 2      ∂L/∂x = g · 2
        Shape: (*) -> (*)
        """
        return input / 2

    with pytest.raises(AssertionError, match="halved: ∂x"):
        checked(halved)
