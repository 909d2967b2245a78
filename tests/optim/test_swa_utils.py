"""Averages of weights."""

from __future__ import annotations

from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


def model(torch):
    return torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.BatchNorm1d(3))


def train(torch, m, averaged, steps=4):
    """A few steps; the averages are updated after each."""
    optimizer = torch.optim.SGD(m.parameters(), lr=0.1)
    x = torch.linspace(-1, 1, 8).reshape(4, 2)
    for _ in range(steps):
        optimizer.zero_grad()
        ((m(x) - 0.3) ** 2).mean().backward()
        optimizer.step()
        averaged.update_parameters(m)
    return averaged.state_dict()


@programs.add
def parameters_are_averaged(torch):
    utils, found = torch.optim.swa_utils, []
    settings = (
        {},
        {"use_buffers": True},
        {"avg_fn": utils.get_ema_avg_fn(0.9)},
        {"multi_avg_fn": utils.get_ema_multi_avg_fn(0.9), "use_buffers": True},
        {"multi_avg_fn": utils.get_swa_multi_avg_fn()},
        {"avg_fn": utils.get_swa_avg_fn(), "device": "cpu"},
    )
    for kinds in settings:
        m = model(torch)
        averaged = utils.AveragedModel(m, **kinds)
        found += [train(torch, m, averaged), repr(averaged)]
        found.append(averaged.eval()(torch.ones(1, 2)))
    return found


@programs.add
def statistics_are_measured_anew(torch):
    m = model(torch).eval()
    x = torch.linspace(-1, 1, 16).reshape(8, 2)
    torch.optim.swa_utils.update_bn([x[:4], [x[4:], None]], m, device="cpu")
    torch.optim.swa_utils.update_bn([x], torch.nn.Linear(2, 2))
    return [m.state_dict(), m.training, m[1].momentum]


@programs.add
def rates_go_to_a_constant(torch):
    found = []
    for kinds in ({}, {"anneal_epochs": 4, "anneal_strategy": "linear"},
                  {"anneal_epochs": 0}):  # fmt: skip
        p = [torch.nn.Parameter(torch.ones(1)) for _ in range(2)]
        groups = [{"params": p[:1]}, {"params": p[1:], "lr": 0.2}]
        optimizer = torch.optim.SGD(groups, lr=1.0)
        schedule = torch.optim.swa_utils.SWALR(optimizer, [0.05, 0.01], **kinds)
        for _ in range(8):
            found.append(schedule.get_last_lr())
            optimizer.step()
            schedule.step()
        found.append(schedule.state_dict())
        schedule.load_state_dict(schedule.state_dict())
        found.append(warned(schedule.get_lr)[1])
    return found


@programs.add
def settings_out_of_range_are_refused(torch):
    utils, m = torch.optim.swa_utils, model(torch)
    optimizer = torch.optim.SGD(m.parameters(), lr=1.0)
    return [
        attempt(lambda: utils.get_ema_avg_fn(1.5)),
        attempt(lambda: utils.get_ema_multi_avg_fn(-1)),
        attempt(lambda: utils.AveragedModel(m, avg_fn=abs, multi_avg_fn=abs)),
        attempt(lambda: utils.SWALR(optimizer, [1, 2])),
        attempt(lambda: utils.SWALR(optimizer, 1, anneal_strategy="x")),
        attempt(lambda: utils.SWALR(optimizer, 1, anneal_epochs=-1)),
    ]


@programs.add
def integers_are_averaged_as_far_as_they_can(torch):
    utils = torch.optim.swa_utils
    a, b = torch.tensor([2, 4]), torch.tensor([4, 9])
    utils.get_ema_multi_avg_fn(0.5)([a], [b], 1)
    return a


@programs.add
def share_of_a_new_value_is_rounded_in_lists_only(torch):
    utils, found = torch.optim.swa_utils, []
    for settings in ({}, {"multi_avg_fn": utils.get_swa_multi_avg_fn()}):
        m = torch.nn.Linear(1, 1).double()
        averages = utils.AveragedModel(m, **settings)
        for value in (0.0, 0.0, 1.0):
            m.weight.data.fill_(value)
            averages.update_parameters(m)
        found.append(abs(averages.module.weight.item() - 1 / 3) > 1e-12)
    return found


test_swa_utils = programs.test()
