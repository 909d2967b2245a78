from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.parts import against_parts


def ends(values):
    return values[0], values[-1]


def graded(answer, **more):
    against_parts(
        answer,
        "ends",
        ("first", "last"),
        right=ends,
        shown=(([1, 2, 3],), ([4, 5],)),
        mistakes={"swapped": lambda values: ends(values)[::-1]},
        rule="the first and the last value",
        **more,
    )


def test_right_parts_pass_as_a_list_too():
    graded(lambda values: [values[0], values[-1]])


def test_wrong_part_is_named_with_its_mistake():
    with pytest.raises(CheckFailed) as failure:
        graded(lambda values: (values[-1], values[0]))
    assert failure.value.mistake == "swapped"
    assert "ends(...)[0], first" in str(failure.value)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda values: None, "is a return missing"),
        (lambda values: (1, 2, 3), "returned 3 things, not 2"),
        (lambda values: 1, "returned 1 thing, not 2"),
        (lambda values: (values.pop(), 1), "changed in place"),
    ],
)
def test_other_results_are_refused(answer, said):
    with pytest.raises(CheckFailed, match=said):
        graded(answer)


def test_answer_that_keeps_something_is_found_at_its_second_call():
    kept = []

    def answer(values):
        kept.append(values[0])
        return len(kept), values[-1]

    with pytest.raises(CheckFailed, match="second call"):
        graded(answer)
