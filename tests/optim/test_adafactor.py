"""Adafactor: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.rules import problem, walk
from tests.programs import Programs, attempt

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.5, beta2_decay=-0.5, d=2.0",
    "weight_decay=0.1, eps=(1e-5, 0.1)",
    "maximize=True",
    "lr=torch.tensor(0.05)",
)
REFUSED = (
    "lr=-1", "lr=torch.ones(2)", "beta2_decay=0.5", "eps=(-1, 1e-3)", "eps=(None, -1)",
    "d=0.5", "weight_decay=-1",
)  # fmt: skip


def make(torch, settings):
    """A function from parameters to an optimizer with some settings."""
    return lambda p: eval(
        f"torch.optim.Adafactor(p, {settings})", {"torch": torch, "p": p}
    )


@programs.add
def twenty_steps(torch):
    return {s: walk(torch, make(torch, s)) for s in SETTINGS}


@programs.add
def double_precision(torch):
    return walk(torch, make(torch, SETTINGS[1]), dtype="float64")


@programs.add
def defaults_and_text(torch):
    optimizer = make(torch, SETTINGS[1])(problem(torch)[0])
    return [repr(optimizer), optimizer.state_dict()]


@programs.add
def settings_out_of_range_are_refused(torch):
    params, _ = problem(torch)
    return {s: attempt(lambda s=s: repr(make(torch, s)(params))) for s in REFUSED}


@programs.add
def complex_parameters_are_refused(torch):
    p = torch.nn.Parameter(torch.ones(2, dtype=torch.complex64))
    p.grad = torch.ones(2, dtype=torch.complex64)
    return attempt(make(torch, "")([p]).step)


test_adafactor = programs.test()
