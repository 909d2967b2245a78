"""RMSprop: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import add_rules
from tests.programs import Programs

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.05, alpha=0.5, eps=1e-3",
    "momentum=0.9",
    "centered=True",
    "centered=True, momentum=0.5, weight_decay=0.1",
    "maximize=True",
)
REFUSED = (
    "lr=-1",
    "eps=-1",
    "momentum=-1",
    "weight_decay=-1",
    "alpha=-1",
)

add_rules(programs, "RMSprop", SETTINGS, REFUSED)

test_rmsprop = programs.test()
