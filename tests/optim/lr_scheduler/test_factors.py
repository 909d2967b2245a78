"""Schedules of factors."""

from __future__ import annotations

from tests.optim.lr_scheduler.schedules import refused, start, walk
from tests.programs import Programs

programs = Programs(__file__)

SCHEDULES = (
    "LambdaLR(opt, lambda t: 0.95**t)",
    "LambdaLR(opt, [lambda t: 1 / (1 + t), lambda t: 0.9**t])",
    "MultiplicativeLR(opt, lambda t: 0.95)",
    "MultiplicativeLR(opt, (lambda t: 0.95, lambda t: 1 / t))",
    "StepLR(opt, 7, 0.5)",
    "StepLR(opt, step_size=3)",
    "MultiStepLR(opt, [3, 9, 9, 20], gamma=0.5)",
    "ConstantLR(opt)",
    "ConstantLR(opt, 0.5, total_iters=12)",
    "LinearLR(opt)",
    "LinearLR(opt, 0.25, 0.8, 20)",
    "ExponentialLR(opt, 0.93)",
    "PolynomialLR(opt)",
    "PolynomialLR(opt, 20, power=2.0)",
)
REFUSED = (
    "LambdaLR(opt, [abs])", "MultiplicativeLR(opt, [abs])",
    "MultiplicativeLR(opt, 0.5)", "ConstantLR(opt, 1.5)", "ConstantLR(opt, -1)",
    "LinearLR(opt, 0)", "LinearLR(opt, 1.5)", "LinearLR(opt, 0.5, 2)",
    "LinearLR(opt, 0.5, -1)",
)  # fmt: skip


@programs.add
def rates_over_epochs(torch):
    return {s: walk(torch, s) for s in SCHEDULES}


@programs.add
def rates_at_an_epoch(torch):
    found = {}
    for expression in SCHEDULES:
        optimizer = start(torch)
        names = {**vars(torch.optim.lr_scheduler), "opt": optimizer}
        schedule = eval(expression, names)
        optimizer.step()
        schedule.step(11)
        found[expression] = schedule.get_last_lr()
    return found


@programs.add
def functions_with_a_state_keep_it(torch):
    class Falling:
        def __init__(self, rate):
            self.rate = rate

        def __call__(self, t):
            return self.rate**t

    made = torch.optim.lr_scheduler.LambdaLR
    first, other = (made(start(torch), Falling(r)) for r in (0.5, 0.9))
    other.load_state_dict(first.state_dict())
    return [first.state_dict(), other.lr_lambdas[0].rate]


@programs.add
def settings_out_of_range_are_refused(torch):
    return refused(torch, REFUSED)


@programs.add
def whole_rates_stay_whole(torch):
    rates = []
    for make in (
        lambda o: torch.optim.lr_scheduler.MultiStepLR(o, [2], gamma=0.5),
        lambda o: torch.optim.lr_scheduler.StepLR(o, 2, gamma=0.5),
        lambda o: torch.optim.lr_scheduler.ExponentialLR(o, 0.5),
    ):
        optimizer = torch.optim.SGD([torch.ones(2, requires_grad=True)], lr=1)
        schedule = make(optimizer)
        rates.append(repr(optimizer.param_groups[0]["lr"]))
        optimizer.step()
        schedule.step()
        rates.append(repr(optimizer.param_groups[0]["lr"]))
    return rates


test_factors = programs.test()
