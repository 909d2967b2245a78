"""Adadelta: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import add_rules
from tests.programs import Programs

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.5, rho=0.5, eps=1e-3",
    "weight_decay=0.1",
    "maximize=True",
)
REFUSED = (
    "lr=-1",
    "rho=1.1",
    "eps=-1",
    "weight_decay=-1",
)

add_rules(programs, "Adadelta", SETTINGS, REFUSED)

test_adadelta = programs.test()
