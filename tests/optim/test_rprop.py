"""Rprop: steps, states and refusals like PyTorch's."""

from __future__ import annotations

import edutorch as torch
from tests.optim.trajectories import add_rules
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


def test_rprop_in_double_precision_grows_by_exact_factors():
    p = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.Rprop([p], lr=0.1)
    for _ in range(2):
        p.grad = torch.ones_like(p)
        optimizer.step()
    assert p.item() == -0.1 - 0.1 * 1.2
