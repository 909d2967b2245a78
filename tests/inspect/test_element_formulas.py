"""Formulas with numbers for single elements, against the results."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import edutorch as torch
from edutorch.inspect import StepRecorder
from edutorch.inspect.element_formulas import element_formula
from edutorch.inspect.step_trace import _Trace
from tests.inspect.test_einsum_notation import by_loops
from tests.inspect.test_local_derivatives import CASES

SIGNS = {"·": "*", "−": "-", "²": "**2", "^": "**", "√": "sqrt"}
NAMES = {n: getattr(math, n) for n in ("exp", "sqrt", "sin", "cos", "tanh")}
NAMES |= {"ln": math.log, "max": max, "min": min, "abs": abs}
WITHOUT = {"softmax", "nll", "mse", "bce", "cross", "log_softmax", "transpose", "t"}


def evaluated(template, numbers):
    """A template as Python, with numbers in it."""
    code = template
    for sign, python in SIGNS.items():
        code = code.replace(sign, python)
    code = re.sub(r"\|([^|]*)\|", r"abs(\1)", code)
    return eval(code.format(*(f"({x!r})" for x in map(float, numbers))), NAMES)


def picked(array, letters, at):
    index = [
        0 if n == 1 else at[name] for name, n in zip(letters, array.shape, strict=True)
    ]
    return array[tuple(index)]


@pytest.mark.parametrize("case", CASES)
def test_recipe_gives_the_result(case):
    function, *arrays = CASES[case]
    with StepRecorder() as recorder:
        y = np.asarray(function(*map(torch.tensor, arrays)))
    op = _Trace(recorder.collector)._op_call(recorder.collector.entries[-1])
    recipe = element_formula(op)
    if recipe is None:
        assert case.split("_")[0] in {*WITHOUT, "permute", "log", "silu", "add", "sub"}
        return
    left, out = recipe.spec.split("->")
    letters = left.split(",")
    given = [np.asarray(x) for x in op.inputs[: len(letters)]]
    if recipe.plug and "if" not in recipe.plug:
        for place in np.ndindex(*y.shape):
            at = dict(zip(out, place, strict=True))
            numbers = [picked(*pair, at) for pair in zip(given, letters, strict=True)]
            assert evaluated(recipe.plug, numbers) == pytest.approx(y[place])
    elif not recipe.plug:
        plus = given.pop(recipe.plus) if recipe.plus >= 0 else 0
        spec = ",".join(letters[: len(given)]) + f"->{out}"
        second = given[1] if len(given) > 1 else None
        spec = spec if second is not None else spec.replace("->", ",->")
        total = by_loops(spec, given[0], second, y.shape) + plus
        np.testing.assert_allclose(total / recipe.over, y)


def test_op_without_a_recipe_has_none():
    with StepRecorder() as recorder:
        torch.ones(2).erf()
    op = _Trace(recorder.collector)._op_call(recorder.collector.entries[-1])
    assert element_formula(op) is None
