"""The still picture of an error."""

from __future__ import annotations

import pytest

from edutorch.widgets.box_style import BAD
from edutorch.widgets.draw_error import draw_error
from edutorch.widgets.png import render
from tests.widgets.samples import texts


def report(**more):
    return {
        "v": 1, "rev": 1, "type": "RuntimeError", "message": "sizes differ\nmore",
        "op": "add", "attrs": "Add()", "module": "fc", "hint": "transpose one",
        "rule": "sizes must be equal or 1: 3 and 4", "right": True, "graph": None,
        "src": {"file": "a.py", "line": 3, "func": "f", "text": "x + y"},
        "changes": [], "forward": None,
        "operands": [operand("x", [2, 3], [1]), operand("y", [4], [0])],
    } | more  # fmt: skip


def operand(name, shape, lit=(), wrong=""):
    kind = {"dtype": "float32", "device": "cpu", "role": "input"}
    return {"name": name, "shape": shape, "lit": list(lit), "wrong": wrong} | kind


def in_red(picture):
    shapes = [shape for kind, shape in picture.shapes if kind == "text"]
    return [shape["text"] for shape in shapes if shape["fill"] == BAD]


def test_sizes_that_disagree_are_red_and_no_others():
    picture = draw_error(report())
    assert in_red(picture) == ["3", "4", "sizes must be equal or 1: 3 and 4"]
    assert texts(picture)[:2] == ["RuntimeError in add, module fc", "sizes differ"]


def test_sizes_that_are_compared_stand_in_one_column():
    def place(right):
        shapes = draw_error(report(right=right)).shapes
        return {s["text"]: s["x"] for kind, s in shapes if kind == "text"}

    assert place(True)["3"] == place(True)["4"]
    assert place(False)["2"] == place(False)["4"]


def test_dtype_that_differs_is_red():
    operands = [operand("x", [2]), operand("y", [], wrong="dtype")]
    picture = draw_error(report(operands=operands, rule=""))
    assert in_red(picture) == ["float32"]
    assert "a single number" in texts(picture)


def test_lines_hint_and_graph_are_told():
    src = {"file": "a.py", "line": 2, "func": "f", "text": "x.add_(1)"}
    graph = {"nodes": [{"kind": "op"}, {"kind": "param"}]}
    words = texts(
        draw_error(report(changes=[src], forward=src, graph=graph), "recorded")
    )
    assert "changed at a.py:2: x.add_(1)" in words
    assert "forward at a.py:2: x.add_(1)" in words
    assert "at a.py:3: x + y" in words
    assert "hint: transpose one" in words
    assert "graph so far: 1 operations" in words
    assert words[0] == "RuntimeError in add, module fc (recorded)"


@pytest.mark.parametrize("rank", [1, 6, 30])
def test_picture_of_any_rank_stays_within_its_width(rank):
    picture = draw_error(report(operands=[operand("x" * 80, [1000] * rank)]))
    rects = [shape for kind, shape in picture.shapes if kind == "rect"]
    assert max(r["x"] + r["w"] for r in rects) <= picture.width
    assert picture.svg().startswith("<svg")


def test_png_is_drawn_where_matplotlib_is_there():
    pytest.importorskip("matplotlib")
    assert render(draw_error(report())).startswith(b"\x89PNG")
