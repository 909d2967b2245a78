"""When models are averaged."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.distributed.algorithms.model_averaging import averagers
from tests.distributed.launching import needs_mpi

pytestmark = needs_mpi


def test_averager_waits_for_its_first_step_and_for_its_period(alone, monkeypatch):
    steps = []
    averager = averagers.PeriodicModelAverager(period=2, warmup_steps=3)
    monkeypatch.setattr(
        averagers,
        "average_parameters_or_parameter_groups",
        lambda params, group: steps.append(averager.step),
    )
    for _ in range(8):
        averager.average_parameters(torch.nn.Linear(1, 1).parameters())
    assert steps == [3, 5, 7]
    assert averager.process_group is torch.distributed.group.WORLD


def test_averager_refuses_periods_and_steps_that_make_no_sense(alone):
    with pytest.raises(ValueError, match="``warmup_steps`` must be a non-negative"):
        averagers.PeriodicModelAverager(2, -1)
    with pytest.raises(ValueError, match="``period`` must be a positive value"):
        averagers.PeriodicModelAverager(0)
    with pytest.warns(UserWarning, match="When period is 1, no need"):
        averagers.PeriodicModelAverager(1)
