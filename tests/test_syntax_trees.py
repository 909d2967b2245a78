"""Syntax trees of programs."""

import ast
import linecache
import sys

from edutorch.syntax_trees import expression_at, tree_of


def frame_of_caller(*_):
    """The frame that calls this, and its instruction."""
    return sys._getframe(1), sys._getframe(1).f_lasti


def test_tree_of_this_file_has_its_functions():
    names = [n.name for n in tree_of(__file__).body if isinstance(n, ast.FunctionDef)]
    assert "test_tree_of_this_file_has_its_functions" in names
    assert tree_of(__file__) is tree_of(__file__)


def test_file_without_text_and_text_that_is_no_python_have_no_tree(monkeypatch):
    text = "%time x\n"
    monkeypatch.setitem(linecache.cache, "a cell", (len(text), None, [text], "a cell"))
    assert tree_of("a cell") is tree_of("a file that is nowhere") is None


def test_tree_follows_a_cell_that_is_written_anew(monkeypatch):
    for text in ("x = 1\n", "y = 2\n"):
        entry = (len(text), None, [text], "a cell")
        monkeypatch.setitem(linecache.cache, "a cell", entry)
        assert ast.unparse(tree_of("a cell")) == text.strip()


def test_expression_is_the_one_that_is_running_even_over_several_lines():
    frame, at = frame_of_caller(
        "ä",
        2,
    )
    tree = expression_at(frame.f_code, at)
    assert ast.unparse(tree) == "frame_of_caller('ä', 2)"


def test_expression_of_code_without_text_is_unknown():
    found = {"frame_of_caller": frame_of_caller}
    exec("frame, at = frame_of_caller()", found)
    assert expression_at(found["frame"].f_code, found["at"]) is None
