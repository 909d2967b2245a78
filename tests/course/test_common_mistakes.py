"""Mistakes that can be made in every exercise are recognized by values alone."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.course.common_mistakes import relation

SQUARES = [np.arange(6.0).reshape(2, 3) + i for i in range(3)]
COLUMNS = [np.arange(1.0, 4.0)[:, None] * i for i in range(1, 4)]
PAIRS = [(1.26, -2.52), (3.17, 4.26), (-5.55, 6.98)]
GIVEN = [(SQUARES[i].T, i + 10) for i in range(3)]


def told(change, rights=SQUARES):
    return relation(GIVEN, [change(right) for right in rights], rights)


@pytest.mark.parametrize(
    ("change", "rights", "words"),
    [
        (lambda b: -b, SQUARES, "sign is wrong"),
        (np.ravel, SQUARES, "flat"),
        (np.squeeze, COLUMNS, "keepdim"),
        (lambda b: b[None], SQUARES, "too many, in front"),
        (lambda b: b[..., None], SQUARES, "too many, at the end"),
        (lambda b: b.reshape(3, 2), SQUARES, "only the shape is not"),
        (lambda b: b * 2.5, SQUARES, "2.5 times"),
        (lambda b: b * 0, SQUARES, "every number is 0"),
        (lambda b: b + 3, SQUARES, "3 too large"),
        (lambda b: b[:-1], COLUMNS, "last one is missing"),
        (lambda b: b[:1], COLUMNS, "only the first one is there"),
        (lambda b: b.sum(), SQUARES, "added up"),
        (lambda b: b[::-1], PAIRS, "reverse order"),
        (lambda b: b[0], PAIRS, "only the first"),
        (lambda b: np.trunc(b), PAIRS, "cut off"),
        (lambda b: np.round(b, 1), PAIRS, "rounded to 1 digit"),
        (lambda b: (b,), SQUARES, "a comma at the end"),
        (lambda b: (7, b), SQUARES, "the second of the things returned"),
    ],
)
def test_relation_that_holds_in_every_case_is_told(change, rights, words):
    assert words in told(change, rights)


def test_result_that_never_changes_is_told():
    assert "always the same" in told(lambda _: np.ones((2, 3)))


def test_argument_that_is_returned_as_it_is_is_told():
    values = [args[1] for args in GIVEN]
    assert "second argument itself" in relation(GIVEN, values, [5, 6, 9])


def test_relation_that_fails_once_is_not_told():
    values = [2 * SQUARES[0], 2 * SQUARES[1], 3 * SQUARES[2]]
    assert relation(GIVEN, values, SQUARES) == ""


def test_relation_is_not_told_where_only_one_value_is_wrong():
    values = [SQUARES[0], SQUARES[1], SQUARES[2] * 0 + 1]
    assert relation(GIVEN, values, SQUARES) == ""


def test_exceptions_and_texts_have_no_relation():
    assert relation(GIVEN, [ValueError, ValueError, ValueError], SQUARES) == ""
    assert relation(GIVEN, ["a", "b", "c"], SQUARES) == ""


def test_relation_to_a_text_is_told():
    assert "always the same" in relation(GIVEN, ["a", "a", "a"], ["a", "b", "c"])
    values = [(1, "a"), None, (2, "c")]
    assert "the second of the things" in relation(GIVEN, values, ["a", None, "c"])


def test_infinities_are_compared_without_a_warning():
    rights = [np.array([np.inf, -np.inf, 1.0]) + i for i in range(3)]
    assert "always the same" in told(np.ones_like, rights)
    assert "2 times" in told(lambda b: b * 2, [*SQUARES[:2], SQUARES[0] + np.inf])
