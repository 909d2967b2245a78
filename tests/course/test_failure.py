from __future__ import annotations

import sys

import pytest

import edutorch as torch
from edutorch.course.checks.parts import _part
from edutorch.course.failure import CheckFailed, learner_lines


@pytest.fixture
def failure():
    failure = CheckFailed(
        "the value is not right",
        called="f(<b>)",
        index=(0, 1),
        got="1",
        expected="2",
        rule="y = 2x",
        mistake="forgot x",
    )
    failure.exercise, failure.title = "01.9", "double"
    return failure


def test_str_has_every_fact_on_its_line(failure):
    assert str(failure).split("\n") == [
        "01.9 double: the value is not right",
        "  called    f(<b>)",
        "  index     [0, 1]",
        "  got       1",
        "  expected  2",
        "  rule      y = 2x",
        "  mistake?  forgot x",
        '  hint("01.9") helps, and costs nothing',
    ]


def test_message_of_a_first_answer_withholds_the_rule(failure):
    failure.first = True
    assert str(failure).split("\n") == [
        "01.9 double: the value is not right",
        "  called    f(<b>)",
        "  index     [0, 1]",
        "  got       1",
        "  expected  2",
        "  mistake?  forgot x",
        '  hint("01.9") helps, and costs nothing; a second try also shows the rule',
    ]
    assert "y = 2x" not in failure._repr_html_()


@pytest.mark.parametrize("known", [{"expected": "2"}, {"mistake": "forgot x"}])
def test_message_of_a_first_answer_withholds_the_rule_beside_one_fact(known):
    failure = CheckFailed("returned no tensor", rule="y = 2x", **known)
    failure.first = True
    assert "y = 2x" not in str(failure)


def test_message_of_a_first_answer_shows_the_rule_if_nothing_else_explains():
    failure = CheckFailed("x was changed", called="f(x)", rule="y = 2x")
    failure.exercise, failure.first = "01.9", True
    assert str(failure).endswith(
        '  rule      y = 2x\n  hint("01.9") helps, and costs nothing'
    )


def test_str_without_facts_is_one_line():
    assert str(CheckFailed("not written yet")) == "not written yet"


def test_html_shows_names_as_text(failure):
    assert "f(&lt;b&gt;)" in failure._repr_html_()


def test_failure_is_an_assertion():
    assert issubclass(CheckFailed, AssertionError)


def test_traceback_in_a_notebook_is_the_message_alone(failure):
    assert failure._render_traceback_() == [f"✗ {failure}"]


def test_traceback_of_an_exception_shows_the_learners_line(failure):
    try:
        raise ValueError("x")
    except ValueError as error:
        failure.__cause__ = error
    text = "\n".join(failure._render_traceback_())
    assert "where it happened:" in text
    assert 'raise ValueError("x")' in text


def test_learner_lines_without_frames_are_none():
    assert learner_lines(ValueError()) == []


def test_learner_lines_leave_out_what_a_check_wraps_around_an_answer():
    def answer(values):
        raise ValueError

    try:
        _part(answer, 0, 2)([1])
    except ValueError as error:
        lines = "".join(learner_lines(error))
    assert "raise ValueError" in lines
    assert "parts.py" not in lines


def test_learner_lines_in_a_notebook_name_the_cell(monkeypatch):
    class Shell:
        compile = type("Compiler", (), {"_filename_map": {__file__: 7}})

    fake = type("IPython", (), {"get_ipython": staticmethod(lambda: Shell)})
    monkeypatch.setitem(sys.modules, "IPython", fake)
    try:
        raise ValueError
    except ValueError as error:
        lines = "".join(learner_lines(error))
    assert 'File "In [7]", line' in lines


def test_learner_lines_leave_out_the_librarys_frames_around_an_answer():
    class Broken(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        def backward(ctx, g):
            raise ValueError("in the answer")

    y = Broken.apply(torch.ones(2, requires_grad=True)).sum()
    with pytest.raises(ValueError, match="in the answer") as caught:
        y.backward()
    lines = "".join(learner_lines(caught.value))
    assert 'raise ValueError("in the answer")' in lines
    assert "engine.py" not in lines
