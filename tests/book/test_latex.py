"""The book's formulas: docstrings' plain text as LaTeX."""

from __future__ import annotations

import importlib
import re
import sys

import pytest

from tests.house.source_tree import ROOT


@pytest.fixture(scope="module")
def book():
    """The modules of the book, imported as by a script that is started there."""
    sys.path.insert(0, str(ROOT / "book"))
    names = ("docstrings", "latex", "operations", "reference")
    found = {name: importlib.import_module(name) for name in names}
    sys.path.remove(str(ROOT / "book"))
    return found


@pytest.fixture(scope="module")
def lines(book):
    """Every formula of the library."""
    found = {line for entry in book["operations"].entries() for line in entry.math}
    for group in book["reference"].NAMESPACES.values():
        for space in group:
            for entry in book["reference"].entries(space):
                math = (entry.doc or {}).get("Math", [])
                found.update(book["docstrings"].formulas(math))
    return sorted(found)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("∂L/∂x = g", r"\frac{\partial L}{\partial x} = g"),
        ("y = a / b", r"y = \frac{a}{b}"),
        ("y = 2 a / b", r"y = 2\,a / b"),  # 2 (a / b) or (2 a) / b: as it is written
        ("y = 1 / (1 + e^-x)", r"y = \frac{1}{1 + e^{-x}}"),
        ("y = √(x² + 1)", r"y = \sqrt{x^{2} + 1}"),
        ("y = Σ_(i≤j) x[i]", r"y = \sum_{i\le j} x[i]"),
        ("yᵢ = xᵢ₊₁", "y_{i} = x_{i+1}"),
        ("y = x⁻ᵀ g", r"y = x^{-\top}\,g"),
        ("y = ‖x‖ₚ", r"y = \lVert x\rVert _{p}"),
        ("y = |x| where x > 0", r"y = \lvert x\rvert \ \text{where}\ x > 0"),
        ("c' = c'²", r"c^{\prime} = c^{\prime 2}"),
        ("x̂ = ẋ", r"\hat{x} = \dot{x}"),
        ("y = ln Σ e^x[j]", r"y = \ln \sum e^{x[j]}"),
        ("y ~ U[0, 1)", r"y \sim U[0,\ 1)"),
        ("W_ih + lr_0", r"W_{\text{ih}} + \mathit{lr}_{0}"),
        ("y = exp(a / b)", r"y = \exp\left(\frac{a}{b}\right)"),
        ("y = {x | x ≠ 0}", r"y = \{x \mid x \ne 0\}"),
        ("x ← x − `lr` · g", r"x \leftarrow x - \texttt{lr} \cdot g"),
    ],
)
def test_line_becomes_the_latex_of_its_formula(book, line, expected):
    assert book["latex"].latex(line) == expected


def test_line_of_words_is_no_formula(book):
    for line in ("singular values", "as `Conv1d`", "y = (x", "a) = y"):
        assert book["latex"].latex(line) is None


def test_formulas_of_the_library_become_balanced_latex(book, lines):
    assert len(lines) > 1500
    wrong = []
    for line in lines:
        math = book["latex"].latex(line)
        if math is None:
            continue
        bare = re.sub(r"\\[{}]", "", math)
        scripts = re.search(r"\^\{[^{}]*\}\s*\^|_\{[^{}]*\}\s*_", bare)
        ends = math.count(r"\left") - math.count(r"\leftarrow")
        pairs = ends == math.count(r"\right")
        balanced = bare.count("{") == bare.count("}") and pairs
        if not (balanced and math.isascii()) or scripts:
            wrong.append(f"{line} -> {math}")
    assert not wrong, "\n".join(wrong)


def test_nearly_all_formulas_of_the_library_are_typeset(book, lines):
    plain = [line for line in lines if book["latex"].latex(line) is None]
    assert not [line for line in plain if re.search("[=∂Σ²√]", line)]
