"""RAdam: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import add_rules
from tests.programs import Programs

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.1, betas=(0.5, 0.9)",
    "weight_decay=0.1",
    "weight_decay=0.1, decoupled_weight_decay=True",
    "maximize=True",
)
REFUSED = (
    "lr=-1",
    "eps=-1",
    "betas=(1.0, 0.9)",
    "weight_decay=-1",
)

add_rules(programs, "RAdam", SETTINGS, REFUSED)

test_radam = programs.test()
