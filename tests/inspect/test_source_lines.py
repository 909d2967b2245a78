"""The line of an op's call, and that of its mathematics."""

from __future__ import annotations

import sys
from pathlib import Path

import edutorch as torch
from edutorch.inspect import record
from edutorch.inspect.source_lines import called_at, defined_at


def test_called_at_when_an_op_ran_is_the_line_outside_the_library():
    with record() as r:
        torch.ones(2).add(1)
    op = next(e for e in r.as_dicts() if e["kind"] == "op" and e["name"] == "add")
    place = called_at(op["src"])
    assert place["file"] == __file__
    assert place["text"] == "torch.ones(2).add(1)"


def test_defined_at_when_given_an_op_class_is_its_forward():
    place = defined_at("Mul")
    assert place["func"] == "Mul.forward"
    assert place["text"].startswith("return")


def test_defined_at_when_an_op_has_a_formula_tells_the_line_of_backward():
    place = defined_at("Mul")
    lines = Path(place["file"]).read_text().splitlines()
    before = [line for line in lines[: place["backward"]] if "def " in line]
    assert "def backward(" in before[-1]
    assert defined_at("Nonzero")["backward"] == 0  # it has none


def test_defined_at_when_there_is_no_such_class_is_none():
    assert defined_at("NoSuchOp") is None


def test_called_at_when_the_line_is_in_a_notebook_names_the_cell(monkeypatch):
    class Shell:
        compile = type("Compiler", (), {"_filename_map": {__file__: 3}})

    fake = type("IPython", (), {"get_ipython": staticmethod(lambda: Shell)})
    with record() as r:
        torch.ones(2).add(1)
    (src,) = {
        e["src"] for e in r.as_dicts() if e["kind"] == "op" and e["name"] == "add"
    }
    monkeypatch.setitem(sys.modules, "IPython", fake)
    assert called_at(src)["file"] == "In [3]"


def test_defined_at_when_forward_begins_with_try_shows_what_is_tried():
    assert defined_at("Mm")["text"] not in ("", "try:")
