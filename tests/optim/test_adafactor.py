"""Adafactor: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import add_rules
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

make = add_rules(programs, "Adafactor", SETTINGS, REFUSED, recorded=False, double=1)


@programs.add
def complex_parameters_are_refused(torch):
    p = torch.nn.Parameter(torch.ones(2, dtype=torch.complex64))
    p.grad = torch.ones(2, dtype=torch.complex64)
    return attempt(make(torch, "")([p]).step)


test_adafactor = programs.test()
