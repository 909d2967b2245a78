"""A graded cell runs with the course's own check; others as in any kernel."""

from __future__ import annotations

import ast
import asyncio

import pytest

pytest.importorskip("ipykernel")

from edutorch.course.classroom.kernel import (
    GRADED,
    VERDICT,
    GradingKernel,
    _message,
    _run,
)
from edutorch.course.classroom.originals import Originals


class Bare(GradingKernel):
    """The kernel without its sockets."""

    def __init__(self, names):
        self._names, self._course = (
            names,
            {"check": lambda number, answer: f"own {number}"},
        )
        self._originals, self.execution_count = Originals(("edutorch",)), 1

    def _shell_names(self):
        return dict(self._names)


def verdict(code, **names):
    reply = asyncio.run(
        Bare(names).do_execute(code, False, cell_meta={GRADED: "secret"})
    )
    assert reply["status"] == "ok"
    return reply[VERDICT]


def test_graded_cell_has_the_courses_check_whatever_is_bound():
    assert verdict("check('01.1', f)", f=1, check=print) == ["", "'own 01.1'"]


def test_graded_cell_sees_the_learners_names():
    assert verdict("assert f == 3\nf + 1", f=3) == ["", "4"]


def test_exception_of_a_graded_cell_is_its_verdict():
    assert verdict("assert f == 3, 'no'", f=4) == ["AssertionError", "no"]
    assert verdict("import sys\nsys.exit(0)") == ["SystemExit", "0"]
    assert verdict("if")[0] == "SyntaxError"


def test_graded_cell_binds_no_name_of_the_learners():
    names = {}
    assert verdict("f = 3", **names) == ["", ""]
    assert names == {}


def test_exception_that_has_no_words_is_told_without():
    class SilentError(Exception):
        def __str__(self):
            raise ValueError

    assert _message(SilentError()) == ""


def test_last_expression_is_the_value():
    assert _run(ast.parse("x = 2\nx * 3"), {}) == 6
    assert _run(ast.parse(""), {}) is None
