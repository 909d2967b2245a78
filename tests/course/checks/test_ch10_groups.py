from __future__ import annotations

import pytest

from edutorch.course.checks.ch10_groups import (
    _WORDS,
    RATES,
    _Names,
    _near,
    _rates_of,
)
from edutorch.course.checks.ch10_transfer import STORIES
from tests.course.solutions.ch10 import groups


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.says)
def test_rates_of_the_solution_are_right(story):
    model, head = story.build()
    found = _rates_of(groups(model, head, 0.2, 0.25), model, "")
    assert _near(found, _Names(model, story).rates(0.2, 0.05))


@pytest.mark.parametrize("words", _WORDS)
def test_mistaken_rates_differ_on_a_story(words):
    other = []
    for i, story in enumerate(STORIES):
        model, _ = story.build()
        names, rates = _Names(model, story), RATES[i % len(RATES)]
        right = names.rates(rates.lr, rates.rest())
        other.append(not _near(_WORDS[words](names, rates), right))
    assert any(other)
