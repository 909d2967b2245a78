"""Formulas of docstrings."""

from __future__ import annotations

from edutorch.autograd.dispatch import Op
from edutorch.inspect.op_formulas import formulas_of
from edutorch.inspect.source_lines import _family


def test_formula_goes_over_several_lines():
    found = formulas_of("CrossEntropy")
    assert found.result.startswith("y_i = f_i (log")
    assert found.gradients == ("∂L/∂x_ij = f_i g / n · (softmax(x_i)_j − [j = t_i])",)


def test_gradients_come_in_the_order_of_operands():
    assert formulas_of("Linear") == (
        "y = x wᵀ + b",
        ("∂L/∂x = g w", "∂L/∂w = gᵀ x", "∂L/∂b = Σ g"),
    )


def test_formulas_hold_nothing_of_what_follows_them():
    found = [formulas_of(op.__name__) for op in _family(Op)]
    words = " ".join(f.result + " ".join(f.gradients) for f in found)
    assert sum(bool(f.result) for f in found) > 200
    for other in ("Shape:", "Reference:", "Args:", "Example:", "Raises:"):
        assert other not in words
