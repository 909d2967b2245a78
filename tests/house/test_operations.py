"""The book's page of operations: every one, with its formula and its line."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from edutorch.autograd.op import Op
from tests.house.tree import ROOT


@pytest.fixture(scope="module")
def book():
    path = ROOT / "book" / "operations.py"
    spec = importlib.util.spec_from_file_location("operations", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["operations"] = module  # its dataclass looks itself up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def listed(book):
    return book.entries()


def test_operations_have_formulas(listed):
    bare = [f"{e.file}:{e.line} {e.kind or e.names}" for e in listed if not e.math]
    assert not bare, "no `Math:` in the docstring of:\n" + "\n".join(bare)


def test_operations_are_all_there(book, listed):
    kinds = {e.kind for e in listed}
    assert {"Add", "Mul", "Mm", "Convolution", "Relu", "SparseAddmm"} <= kinds
    assert len(kinds) > 350
    waiting, missing = [Op], []
    while waiting:
        for kind in waiting.pop().__subclasses__():
            waiting.append(kind)
            ours = kind.__module__.startswith(("edutorch.ops", "edutorch.nn"))
            told = kind.__name__.startswith("_") or kind.forward is Op.forward
            if ours and not told and kind.__name__ not in kinds:
                missing.append(kind.__name__)
    assert not missing


def test_operations_stand_where_the_page_says(listed):
    for entry in listed:
        text = (ROOT / entry.file).read_text(encoding="utf-8").splitlines()
        names = [entry.kind] if entry.kind else [n.split(".")[-1] for n in entry.names]
        line = text[entry.line - 1]
        names += [n.removesuffix("_copy").strip("_") for n in names]
        assert any(n in line for n in names), f"{entry.file}:{entry.line} is no {names}"


def test_operations_page_shows_both_directions(book):
    page = book.page()
    at = page.index("**Mul** `torch.mul`")
    shown = page[at : at + 400]
    assert "node `MulBackward0`" in shown
    assert "y = a · b      ∂L/∂a = g · b      ∂L/∂b = g · a" in shown
    assert "`edutorch/ops/pointwise/arithmetic.py`, line " in shown


def test_operations_are_called_by_functions_of_their_own_file(listed):
    stacks = {e.file: e.names for e in listed if e.kind == "Stack"}
    assert stacks["edutorch/ops/shape/joining.py"][0] == "torch.stack"
    assert all(n == () for f, n in stacks.items() if "autograd" in f)


def test_operations_that_are_composed_have_no_class(listed):
    composed = {name for e in listed if not e.kind for name in e.names}
    assert "torch.tensordot" in composed
    assert "torch.mul" not in composed


def test_sections_of_a_docstring(book):
    told = book.sections("Sum.\n\nMath: y = Σ x\n      more\nShape: (*) -> ()\n")
    assert told == {"": ["Sum."], "Math": ["y = Σ x", "more"], "Shape": ["(*) -> ()"]}
