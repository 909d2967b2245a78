"""Common to schedules: first rates, epochs, warnings, state."""

from __future__ import annotations

import copy

import pytest

import edutorch as torch
from tests.optim.lr_scheduler.schedules import start, told
from tests.programs import Programs, attempt

programs = Programs(__file__)


@programs.add
def a_schedule_of_ones_own_needs_get_lr_alone(torch):
    class Halved(torch.optim.lr_scheduler.LRScheduler):
        def get_lr(self):
            return [lr * 0.5**self.last_epoch for lr in self.base_lrs]

    optimizer = start(torch)
    schedule = Halved(optimizer)
    optimizer.step()
    schedule.step()
    old = torch.optim.lr_scheduler._LRScheduler
    return [schedule.get_last_lr(), schedule.state_dict(), issubclass(Halved, old)]


@programs.add
def learning_rates_may_be_tensors(torch):
    p = torch.nn.Parameter(torch.ones(1))
    lr = torch.tensor(0.5)
    optimizer = torch.optim.Adam([p], lr=lr)
    schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
    optimizer.step()
    schedule.step()
    same = optimizer.param_groups[0]["lr"] is lr
    return [same, lr, schedule.get_last_lr(), schedule.base_lrs]


@programs.add
def training_goes_on_from_an_epoch(torch):
    optimizer, schedules = start(torch), torch.optim.lr_scheduler
    found = [attempt(lambda: repr(schedules.StepLR(optimizer, 2, last_epoch=3)))]
    for group in optimizer.param_groups:
        group["initial_lr"] = 1.0
    schedule = schedules.StepLR(optimizer, 2, last_epoch=3)
    return [*found, schedule.get_last_lr(), schedule.last_epoch]


@programs.add
def what_is_no_optimizer_is_refused(torch):
    schedules = torch.optim.lr_scheduler
    return [
        attempt(lambda: schedules.ExponentialLR(3, 0.5)),
        attempt(lambda: schedules.LRScheduler(start(torch))),
        attempt(lambda: schedules.ReduceLROnPlateau("x")),
    ]


@programs.add
def calls_in_the_wrong_order_are_told(torch):
    def overridden(optimizer, schedule):
        optimizer.step = lambda: None
        schedule.step()

    return [
        told(torch, lambda optimizer, schedule: schedule.step()),
        told(torch, lambda optimizer, schedule: schedule.get_lr()),
        told(torch, overridden),
        told(torch, lambda optimizer, schedule: (optimizer.step(), schedule.step(5))),
        told(torch, lambda optimizer, schedule: (optimizer.step(), schedule.step())),
    ]


@programs.add
def an_optimizer_with_a_schedule_can_be_copied(torch):
    optimizer = start(torch)
    torch.optim.lr_scheduler.StepLR(optimizer, 3)
    return copy.deepcopy(optimizer).state_dict()


test_scheduler = programs.test()


def test_a_rate_of_several_numbers_is_refused_as_what_is_filled_in():
    optimizer = torch.optim.SGD([torch.ones(2, requires_grad=True)], lr=0.1)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    optimizer.step()
    optimizer.param_groups[0]["lr"] = torch.ones(2, 3)
    with pytest.raises(RuntimeError, match="fill_ only supports 0-dimension value"):
        scheduler.step()
