"""Adamax: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import add_rules
from tests.programs import Programs

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.1, betas=(0.5, 0.9)",
    "weight_decay=0.1",
    "maximize=True",
)
REFUSED = (
    "lr=-1",
    "eps=-1",
    "betas=(1.0, 0.9)",
    "weight_decay=-1",
)

add_rules(programs, "Adamax", SETTINGS, REFUSED, recorded=False)

test_adamax = programs.test()
