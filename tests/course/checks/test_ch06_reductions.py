from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.course import CheckFailed
from edutorch.course.checks import ch06_reductions as rules


@pytest.mark.parametrize(
    ("grade", "known"),
    [
        (rules.grade_masked, rules.MASK_MISTAKES),
        (rules.grade_weighted, rules.WEIGHT_MISTAKES),
    ],
    ids=["masked", "weighted"],
)
def test_every_known_mistake_is_refused(grade, known):
    for mistaken in known.values():
        with pytest.raises(CheckFailed):
            grade(mistaken)


def test_gradient_that_goes_to_what_does_not_count_is_refused():
    def masked_mean(losses, mask):
        kept = torch.where(mask, losses, torch.zeros_like(losses))
        if losses.isfinite().all():
            kept = kept + 0.5 * losses - 0.5 * losses.detach()
        return kept.sum() / mask.sum().clamp(min=1)

    with pytest.raises(CheckFailed, match=r"losses\.grad"):
        rules.grade_masked(masked_mean)


def test_result_that_is_cut_off_from_the_losses_is_refused():
    def masked_mean(losses, mask):
        kept = torch.where(mask, losses, torch.zeros_like(losses))
        return (kept.sum() / mask.sum().clamp(min=1)).detach()

    with pytest.raises(CheckFailed, match="no gradient can go back"):
        rules.grade_masked(masked_mean)
