"""A learning rate that falls on a plateau."""

from __future__ import annotations

from tests.optim.lr_scheduler.schedules import refused, start, walk
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)

SCHEDULES = (
    "ReduceLROnPlateau(opt, patience=3)",
    "ReduceLROnPlateau(opt, 'max', 0.5, 2, cooldown=2, min_lr=1e-3, "
    "threshold_mode='abs')",
    "ReduceLROnPlateau(opt, factor=0.3, patience=0, min_lr=[1e-3, 1e-4], eps=0.01)",
    "ReduceLROnPlateau(opt, 'max', patience=1, threshold=0.2)",
    "ReduceLROnPlateau(opt, threshold=0.2, threshold_mode='abs', patience=1)",
)


@programs.add
def rates_over_epochs(torch):
    return {s: walk(torch, s) for s in SCHEDULES}


@programs.add
def groups_may_be_added(torch):
    found = []
    for lowest in (0.01, [0.01, 0.02]):
        optimizer = start(torch)
        made = torch.optim.lr_scheduler.ReduceLROnPlateau
        schedule = made(optimizer, patience=0, min_lr=lowest)
        optimizer.add_param_group({"params": [torch.nn.Parameter(torch.ones(1))]})
        schedule.step(1.0)
        found.append(attempt(lambda schedule=schedule: schedule.step(2.0)))
        found.append(schedule.in_cooldown)
    return found


@programs.add
def epochs_are_deprecated(torch):
    schedule = torch.optim.lr_scheduler.ReduceLROnPlateau(start(torch))
    return warned(lambda: schedule.step(torch.tensor(1.0), 4)), schedule.last_epoch


@programs.add
def settings_out_of_range_are_refused(torch):
    settings = ("factor=1.0", "mode='x'", "threshold_mode='x'", "min_lr=[1]")
    return refused(torch, [f"ReduceLROnPlateau(opt, {s})" for s in settings])


test_plateau = programs.test()
