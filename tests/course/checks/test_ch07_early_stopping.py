from __future__ import annotations

import numpy as np
import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks.ch07_early_stopping import (
    _FIT_MISTAKES,
    _policy,
    _stories,
    _Story,
    grade_fit,
)
from tests.course.solutions import ch07


def rng():
    return np.random.default_rng(7)


def test_policy_stops_when_the_best_is_old_enough():
    story = _Story((5, 3, 4, 2, 6, 7, 1), 7, 2)
    assert _policy(story) == ([5, 3, 4, 2, 6, 7], {4.0})


def test_policy_of_equal_losses_keeps_the_first():
    assert _policy(_Story((2, 1, 1, 1, 1), 5, 3)) == ([2, 1, 1, 1, 1], {2.0})


def test_story_marks_the_model_with_its_epoch():
    story = _Story((3.0, 1.0), 2, 2)
    assert story.kept() == {0.0}
    story.train_epoch()
    assert (story.kept(), story.validate()) == ({1.0}, 3.0)


def test_grade_of_the_solution_passes():
    grade_fit(ch07.fit, rng())


@pytest.mark.parametrize("words", _FIT_MISTAKES)
def test_mistake_differs_from_the_rule_on_two_stories(words):
    settings = _FIT_MISTAKES[words]
    stories = list(_stories(rng()))
    assert sum(_policy(s, **settings) != _policy(s) for s in stories) >= 2


def test_grade_of_endless_training_ends():
    def fit(model, train_epoch, validate, epochs, patience):
        while True:
            train_epoch()
            validate()

    with pytest.raises(CheckFailed, match="went on after 7 epochs"):
        grade_fit(fit, rng())
