from __future__ import annotations

import pytest

from edutorch.course.checks.ch08_stratified_split import (
    SPLIT_MISTAKES,
    SPLIT_SHOWN,
    fresh_split,
    split,
)
from edutorch.course.random_cases import draws


def cases():
    return [*SPLIT_SHOWN, *(fresh_split(draw) for draw in draws(8, ("float32",)))]


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{len(case[0])}-{case[2]}")
def test_parts_hold_every_index_once_and_the_share_of_each_class(case):
    labels, order, share = case
    train, test = split(labels, order, share)
    assert sorted(train + test) == list(range(len(labels)))
    for k in set(labels):
        mine = sum(labels[i] == k for i in test)
        assert mine == round(share * labels.count(k))
        assert abs(share * labels.count(k) % 1 - 0.5) > 0.01 or share in (0, 1, 0.5)


@pytest.mark.parametrize("words", SPLIT_MISTAKES)
def test_mistake_differs_from_the_rule_in_two_cases(words):
    made = SPLIT_MISTAKES[words]
    telling = sum(
        [list(part) for part in made(*case)] != [list(part) for part in split(*case)]
        for case in cases()
    )
    assert telling >= 2
