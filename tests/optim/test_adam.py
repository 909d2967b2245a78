"""Adam: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.rules import add_rules
from tests.programs import Programs

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.1, betas=(0.5, 0.9), eps=1e-3",
    "weight_decay=0.1",
    "lr=0.1, amsgrad=True",
    "maximize=True",
    "decoupled_weight_decay=True, weight_decay=0.2",
    "lr=torch.tensor(0.01)",
    "lr=0.1, amsgrad=True, weight_decay=0.1, maximize=True",
)
REFUSED = (
    "lr=-1",
    "eps=-1",
    "betas=(1.0, 0.9)",
    "betas=(0.5, -1.0)",
    "weight_decay=-1",
    "betas=(0.5, torch.tensor(0.9))",
    "lr=torch.ones(2)",
    "lr=torch.tensor(0.1), foreach=True",
    "fused=True, foreach=True",
)

add_rules(programs, "Adam", SETTINGS, REFUSED)

test_adam = programs.test()
