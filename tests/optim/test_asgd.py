"""ASGD: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import add_rules
from tests.programs import Programs

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.1, lambd=0.1, alpha=0.5, t0=5",
    "weight_decay=0.1",
    "maximize=True",
)
REFUSED = (
    "lr=-1",
    "weight_decay=-1",
)

add_rules(programs, "ASGD", SETTINGS, REFUSED)

test_asgd = programs.test()
