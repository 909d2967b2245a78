from __future__ import annotations

import warnings
from contextlib import suppress

import pytest

import edutorch as torch
from edutorch.course import CheckFailed, check, hint, progress
from edutorch.course.grader import Result
from edutorch.course.random_cases import graded_with
from tests.course.solutions import ch01, ch04


def test_check_right_answer_returns_points():
    result = check("01.1", ch01.strides_of)
    assert repr(result) == "✓ 01.1 strides of a contiguous tensor: right, 1 point"


def test_check_wrong_answer_raises_with_id_and_title():
    with pytest.raises(CheckFailed, match=r"^01\.1 strides of a contiguous tensor:"):
        check("01.1", lambda shape: shape)


def test_check_goes_on_where_an_answer_warns():
    def answer(*args):
        warnings.warn("deprecated", stacklevel=2)
        return ch01.strides_of(*args)

    with pytest.warns(UserWarning, match="deprecated"):
        check("01.1", answer)


def test_check_leaves_the_random_stream():
    torch.manual_seed(3)
    expected = torch.rand(1).item()
    torch.manual_seed(3)
    check("04.3", ch04.where_cut)
    assert torch.rand(1).item() == expected


def test_check_unknown_id_lists_those_there_are():
    with pytest.raises(KeyError, match=r"no exercise '99\.1'; there are 01\.1, 01\.2"):
        check("99.1", None)


def test_check_counts_tries_up_to_the_first_pass_and_keeps_it():
    for answer in (lambda shape: shape, ch01.strides_of, lambda shape: shape):
        with suppress(CheckFailed):
            check("01.1", answer)
    exercise, tries, passed = progress().rows[0]
    assert (exercise.id, tries, passed) == ("01.1", 2, True)


def test_check_goes_on_where_progress_cannot_be_saved(monkeypatch):
    monkeypatch.setenv("EDUTORCH_PROGRESS", "/dev/null/progress.json")
    assert "progress was not saved" in check("01.1", ch01.strides_of).note


RULE = "product of the sizes to the right"


def test_check_shows_the_rule_from_the_second_try_on():
    first, second, third = (said(lambda shape: shape) for _ in range(3))
    assert RULE not in first
    assert "a second try also shows the rule" in first
    assert RULE in second
    assert RULE in third
    assert "second try" not in second


def test_check_does_not_count_the_empty_answer_as_a_try():
    def strides_of(shape):
        raise NotImplementedError("your turn")

    assert "not written yet" in said(strides_of)
    assert RULE not in said(lambda shape: shape)


def test_check_counts_the_tries_of_each_exercise_alone():
    said(lambda shape: shape)
    assert "a second try also shows the rule" in said(lambda a, b: a, "01.2")


def test_check_shows_a_grader_the_rule_at_once():
    with graded_with("of this class"):
        assert RULE in said(lambda shape: shape)


def test_check_shows_the_rule_at_once_where_tries_cannot_be_saved(monkeypatch):
    monkeypatch.setenv("EDUTORCH_PROGRESS", "/dev/null/progress.json")
    assert RULE in said(lambda shape: shape)


def said(answer, number="01.1"):
    with pytest.raises(CheckFailed) as failure:
        check(number, answer)
    return str(failure.value)


def test_result_html_shows_text_as_text():
    result = Result("01.1", "<i>", 2, "a <b>")
    assert result._repr_html_() == (
        "<p><b>✓ 01.1 &lt;i&gt;: right, 2 points</b><br>a &lt;b&gt;</p>"
    )


def test_hint_goes_from_one_to_the_next_and_stays_at_the_last():
    hint("02.1", 1)
    assert [hint("02.1").number for _ in range(3)] == [2, 3, 3]


def test_hint_costs_nothing():
    hint("01.1", 2)
    assert progress().rows[0][1] == 0


def test_hint_of_a_number_that_is_not_there_says_the_range():
    with pytest.raises(IndexError, match=r"01\.1 has hints 1 to 3, got 4"):
        hint("01.1", 4)


def test_hint_html_is_text():
    assert hint("09.1", 1)._repr_html_().startswith("<p><i>hint 1 of 3 for 09.1</i>")


def test_check_ends_an_answer_that_no_call_limits(monkeypatch):
    monkeypatch.setattr("edutorch.course.grader.SECONDS", 0.2)

    def strides_of(shape):
        while True:
            pass

    with pytest.raises(CheckFailed, match="did not end within"):
        check("01.1", strides_of)
