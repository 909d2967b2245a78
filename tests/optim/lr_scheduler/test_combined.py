"""Several schedules for one optimizer."""

from __future__ import annotations

from tests.optim.lr_scheduler.schedules import refused, start, walk
from tests.programs import Programs, attempt

programs = Programs(__file__)

SCHEDULES = (
    "SequentialLR(opt, [ConstantLR(opt, 0.1, 5), ExponentialLR(opt, 0.9)], [10])",
    "SequentialLR(opt, [LinearLR(opt, total_iters=4), CosineAnnealingLR(opt, 9)], [6])",
    "SequentialLR(opt, [SequentialLR(opt, [ConstantLR(opt), StepLR(opt, 2)], [3]), "
    "ExponentialLR(opt, 0.9)], [8])",
    "ChainedScheduler([ConstantLR(opt, 0.1, total_iters=8), ExponentialLR(opt, 0.95)])",
)
REFUSED = (
    "SequentialLR(opt, [], [])", "SequentialLR(opt, [3], [])",
    "SequentialLR(opt, [ConstantLR(opt)], [3])", "ChainedScheduler([])",
    "SequentialLR(opt, [ReduceLROnPlateau(opt)], [])",
    "ChainedScheduler([ConstantLR(opt), 3])",
)  # fmt: skip


@programs.add
def rates_over_epochs(torch):
    return {s: walk(torch, s) for s in SCHEDULES}


@programs.add
def what_does_not_fit_is_refused(torch):
    schedules = torch.optim.lr_scheduler
    one, other = (schedules.ExponentialLR(start(torch), 0.9) for _ in range(2))
    return [
        refused(torch, REFUSED),
        attempt(lambda: schedules.ChainedScheduler([one, other]))[:2],
    ]


test_combined = programs.test()
