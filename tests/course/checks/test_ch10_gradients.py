from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch10_gradients import (
    _WORDS,
    STORIES,
    _close,
    _measured,
    gradient_norms,
)


@pytest.mark.parametrize("kind", _WORDS)
def test_mistake_differs_from_the_rule_on_two_stories(kind):
    other = [not _close(_measured(s, kind), _measured(s)) for s in STORIES]
    assert sum(other) >= 2


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.says)
def test_story_is_the_same_each_time(story):
    assert _measured(story) == _measured(story)


def test_answer_that_returns_one_number_is_refused():
    with pytest.raises(CheckFailed, match="expects a dictionary"):
        gradient_norms(lambda model, loss: 0.0)  # ignores both
