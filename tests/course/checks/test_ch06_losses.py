from __future__ import annotations

import pytest

from edutorch.course import CheckFailed
from edutorch.course.checks import ch06_losses as rules
from edutorch.course.trial import draws


@pytest.mark.parametrize(
    ("grade", "known"),
    [
        (rules.grade_bce, rules.BCE_MISTAKES),
        (rules.grade_smoothed, rules.SMOOTH_MISTAKES),
    ],
    ids=["bce", "smoothed"],
)
def test_every_known_mistake_is_refused(grade, known):
    for mistaken in known.values():
        with pytest.raises(CheckFailed):
            grade(mistaken)


def test_bce_of_paper_is_the_librarys_where_logits_are_small():
    for draw in draws(4, ("float64",)):
        z, y = draw.tensor(5), draw.tensor(5, low=0.0, high=1.0)
        assert rules._paper(z, y).tolist() == pytest.approx(rules._bce(z, y).tolist())


def test_drawn_logits_go_beyond_what_exp_can_say():
    sizes = [
        rules._fresh_pairs(draw)[0].abs().amax() for draw in draws(40, ("float32",))
    ]
    assert max(size.item() for size in sizes) > 89
