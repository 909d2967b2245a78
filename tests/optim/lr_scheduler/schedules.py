"""Shared by tests of schedules: learning rates over epochs."""

from __future__ import annotations

import math

from tests.programs import attempt, warned

__all__ = ["refused", "start", "walk"]


def start(torch, optimizer="SGD", lr=0.1, **settings):
    """An optimizer of two groups with different rates."""
    p = [torch.nn.Parameter(torch.ones(1)) for _ in range(2)]
    groups = [{"params": [p[0]]}, {"params": [p[1]], "lr": 0.02}]
    settings = {"momentum": 0.9} if optimizer == "SGD" else settings
    return getattr(torch.optim, optimizer)(groups, lr=lr, **settings)


def make(torch, expression, optimizer):
    """A schedule of an expression."""
    names = {**vars(torch.optim.lr_scheduler), "torch": torch, "opt": optimizer}
    return eval(expression, {**names, "math": math})


def walk(torch, expression, steps=25, **settings):
    """Rates and momenta over epochs, the state half way loaded anew."""
    optimizer = start(torch, **settings)
    schedule = make(torch, expression, optimizer)
    seen = []
    for i in range(steps):
        group = optimizer.param_groups[0]
        momentum = group.get("momentum", group.get("betas"))
        seen.append([list(schedule.get_last_lr()), momentum])
        optimizer.step()
        if i == steps // 2:
            seen.append(schedule.state_dict())
            schedule.load_state_dict(schedule.state_dict())
        schedule.step(*[abs(i - 8) / 10] * ("Plateau" in expression))
    return seen


def refused(torch, expressions):
    """What is said of schedules that are refused."""
    return {
        e: attempt(lambda e=e: repr(make(torch, e, start(torch)))) for e in expressions
    }


def told(torch, action):
    """What an action on a schedule warns of."""
    optimizer = start(torch)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3)
    return warned(lambda: action(optimizer, schedule))
