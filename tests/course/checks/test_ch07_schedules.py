from __future__ import annotations

import math
import warnings

import pytest

from edutorch.course.checks import ch07_schedules as schedules
from tests.oracle import torch


def rates(make, count):
    """The learning rates of a schedule of PyTorch, step by step."""
    w = torch.zeros(1, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.3)
    schedule = make(optimizer)
    seen = []
    for _ in range(count):
        seen.append(schedule.get_last_lr()[0])
        optimizer.step()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            schedule.step()
    return seen


def test_step_lr_is_pytorchs():
    theirs = rates(lambda o: torch.optim.lr_scheduler.StepLR(o, 4, 0.5), 20)
    assert theirs == pytest.approx(
        [schedules.step_lr(i, 0.3, 4, 0.5) for i in range(20)]
    )


def test_cosine_without_warmup_is_pytorchs():
    theirs = rates(lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 15), 16)
    ours = [schedules.warmup_cosine(i, 0.3, 0, 15) for i in range(16)]
    assert theirs == pytest.approx(ours, abs=1e-12)


def test_warmup_rises_straight_and_ends_in_zero():
    ours = [schedules.warmup_cosine(i, 1.0, 2, 6) for i in range(8)]
    half = math.sqrt(0.5)
    expected = [0.5, 1, 1, (1 + half) / 2, 0.5, (1 - half) / 2, 0, 0]
    assert ours == pytest.approx(expected)


@pytest.mark.parametrize(
    ("right", "known", "cases", "words"),
    [
        (right, known, cases, words)
        for right, known, cases in (
            (schedules.step_lr, schedules.STEP_MISTAKES, schedules.STEP_SHOWN),
            (
                schedules.warmup_cosine,
                schedules.COSINE_MISTAKES,
                schedules.COSINE_SHOWN,
            ),
        )
        for words in known
    ],
)
def test_mistake_differs_from_the_rule_on_two_cases(right, known, cases, words):
    mistakes = known[words]
    for mistake in mistakes if isinstance(mistakes, tuple) else (mistakes,):
        told = 0
        for case in cases:
            try:
                told += mistake(*case) != pytest.approx(right(*case))
            except ZeroDivisionError:  # of a schedule that is all warm-up, or has none
                continue
        assert told >= 2
