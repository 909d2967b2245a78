"""SGD: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import add_rules
from tests.programs import Programs

programs = Programs(__file__)

SETTINGS = (
    "lr=0.01",
    "lr=0.01, momentum=0.9",
    "lr=0.01, momentum=0.9, nesterov=True",
    "lr=0.01, momentum=0.5, dampening=0.3, weight_decay=0.1",
    "lr=0.01, maximize=True",
    "lr=0.01, momentum=0.9, weight_decay=0.1, maximize=True",
    "lr=torch.tensor(0.01)",
)
REFUSED = (
    "lr=-1",
    'lr=float("nan")',
    "momentum=-1",
    "weight_decay=-1",
    "nesterov=True",
    "nesterov=True, momentum=0.9, dampening=0.1",
    "lr=torch.ones(2)",
    "fused=True, foreach=True",
    "fused=True, differentiable=True",
)

add_rules(programs, "SGD", SETTINGS, REFUSED)

test_sgd = programs.test()
