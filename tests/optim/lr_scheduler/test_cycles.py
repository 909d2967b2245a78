"""Schedules in cycles."""

from __future__ import annotations

from tests.optim.lr_scheduler.schedules import make, refused, start, walk
from tests.programs import Programs, attempt

programs = Programs(__file__)

SCHEDULES = (
    "CyclicLR(opt, 0.01, 0.1, 4)",
    "CyclicLR(opt, [0.01, 0.02], [0.1, 0.2], 3, 5, mode='triangular2')",
    "CyclicLR(opt, 0.01, 0.1, 4, mode='exp_range', gamma=0.95)",
    "CyclicLR(opt, 0.01, 0.1, 4, scale_fn=lambda x: 1 / x, cycle_momentum=False)",
    "CyclicLR(opt, 0.01, 0.1, 4, scale_fn=lambda x: 0.9**x, scale_mode='iterations')",
    "OneCycleLR(opt, 0.3, total_steps=30)",
    "OneCycleLR(opt, [0.3, 0.1], epochs=3, steps_per_epoch=10, pct_start=0.4)",
    "OneCycleLR(opt, 0.3, 30, anneal_strategy='linear', three_phase=True)",
    "OneCycleLR(opt, 0.3, 30, cycle_momentum=False, div_factor=10.0)",
)
REFUSED = (
    "CyclicLR(opt, [0.1], 1)", "CyclicLR(opt, 0.1, 1, mode='x')",
    "OneCycleLR(opt, 1.0)", "OneCycleLR(opt, 1.0, 0)", "OneCycleLR(opt, 1.0, 2.5)",
    "OneCycleLR(opt, 1.0, epochs=0, steps_per_epoch=1)",
    "OneCycleLR(opt, 1.0, epochs=1, steps_per_epoch=0.5)",
    "OneCycleLR(opt, 1.0, 10, pct_start=2.0)", "OneCycleLR(opt, 1.0, 10, pct_start=1)",
    "OneCycleLR(opt, 1.0, 10, anneal_strategy='x')", "OneCycleLR(opt, [1.0], 10)",
)  # fmt: skip


def shown(seen):
    """Without the names of functions, which differ."""
    return [
        {k: v for k, v in s.items() if k != "_scale_fn_ref"}
        if isinstance(s, dict)
        else s
        for s in seen
    ]


@programs.add
def rates_and_momenta_over_steps(torch):
    return {s: shown(walk(torch, s)) for s in SCHEDULES}


@programs.add
def momenta_may_be_betas(torch):
    return [
        walk(torch, "CyclicLR(opt, 0.01, 0.1, 4)", 6, optimizer="Adam"),
        walk(torch, "OneCycleLR(opt, 0.1, 8)", 6, optimizer="Adam"),
    ]


@programs.add
def steps_beyond_the_last_are_refused(torch):
    optimizer = start(torch)
    schedule = make(torch, "OneCycleLR(opt, 0.1, 2)", optimizer)
    optimizer.step()
    schedule.step()
    schedule.step()
    return attempt(schedule.step)


@programs.add
def settings_out_of_range_are_refused(torch):
    p = [torch.nn.Parameter(torch.ones(1))]
    without = torch.optim.Adagrad(p, lr=0.1)
    found = refused(torch, REFUSED)
    for expression in ("CyclicLR(opt, 0.1, 1)", "OneCycleLR(opt, 0.1, 5)"):
        found[expression] = attempt(lambda e=expression: make(torch, e, without))
    return found


test_cycles = programs.test()
