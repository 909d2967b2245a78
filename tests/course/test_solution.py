"""The official answer is shown only after an attempt."""

from __future__ import annotations

import pytest

from edutorch.course import CheckFailed, NotYet, check, solution
from tests.course.solutions import ch01


def empty(shape):
    raise NotImplementedError("your turn")


def attempt(answer):
    with pytest.raises(CheckFailed):
        check("01.1", answer)


def test_solution_before_any_attempt_is_refused():
    with pytest.raises(NotYet, match="try it first"):
        solution("01.1")


def test_empty_answer_is_no_attempt():
    for _ in range(5):
        attempt(empty)
    with pytest.raises(NotYet, match="try it first"):
        solution("01.1")


def test_solution_after_two_attempts_is_shown_as_code():
    attempt(lambda shape: shape)
    with pytest.raises(NotYet, match="once more"):
        solution("01.1")
    attempt(lambda shape: shape)
    shown = solution("01.1")
    assert "def strides_of" in repr(shown)
    assert "###" not in repr(shown)
    assert "<pre><code>def strides_of" in shown._repr_html_()


def test_solution_after_a_right_answer_is_shown():
    check("01.1", ch01.strides_of)
    assert "def strides_of" in repr(solution("01.1"))


def test_solution_is_switched_off_by_a_teacher(monkeypatch):
    check("01.1", ch01.strides_of)
    monkeypatch.setenv("EDUTORCH_SOLUTIONS", "off")
    with pytest.raises(NotYet, match="switched off"):
        solution("01.1")


def test_solution_of_no_exercise_is_refused():
    with pytest.raises(KeyError, match=r"no exercise '99\.9'"):
        solution("99.9")
