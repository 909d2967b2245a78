"""Schedules of a cosine."""

from __future__ import annotations

from tests.optim.lr_scheduler.schedules import refused, start, walk
from tests.programs import Programs, attempt

programs = Programs(__file__)

SCHEDULES = (
    "CosineAnnealingLR(opt, 7)",
    "CosineAnnealingLR(opt, T_max=15, eta_min=0.001)",
    "CosineAnnealingWarmRestarts(opt, 4)",
    "CosineAnnealingWarmRestarts(opt, 3, T_mult=2, eta_min=0.005)",
)


@programs.add
def rates_over_epochs(torch):
    return {s: walk(torch, s) for s in SCHEDULES}


@programs.add
def rates_at_a_time_within_an_epoch(torch):
    found = []
    for ratio in (1, 2):
        optimizer = start(torch)
        made = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts
        schedule = made(optimizer, 3, ratio)
        optimizer.step()
        for time in (0.5, 2.75, 3.0, 8.2, 10, 1):
            schedule.step(time)
            found.append([schedule.get_last_lr(), schedule.T_cur, schedule.T_i])
        found.append(attempt(lambda schedule=schedule: schedule.step(-1)))
    return found


@programs.add
def a_closed_form_leads_to_any_epoch(torch):
    optimizer = start(torch)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 7)
    optimizer.step()
    schedule.step(5)
    return schedule.get_last_lr()


@programs.add
def settings_out_of_range_are_refused(torch):
    made = "CosineAnnealingWarmRestarts"
    settings = ("0", "2.5", "3, 0", "3, 1.5", "3, 1, '0'")
    return refused(torch, [f"{made}(opt, {s})" for s in settings])


test_cosine = programs.test()
