"""Rprop: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.rules import add_rules
from tests.programs import Programs

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.1, etas=(0.3, 1.5)",
    "step_sizes=(1e-3, 0.05)",
    "maximize=True",
)
REFUSED = (
    "lr=-1",
    "etas=(1.5, 0.5)",
)

add_rules(programs, "Rprop", SETTINGS, REFUSED)

test_rprop = programs.test()
