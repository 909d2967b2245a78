"""Adam: steps, states and refusals like PyTorch's."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import config
from tests.optim.trajectories import add_rules
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


@pytest.mark.parametrize("kernels", ["plain", "fast"])
def test_weight_decay_in_a_tensor_counts_as_a_number(kernels):
    steps = []
    for decay in (0.5, torch.tensor(0.5)):
        p = torch.ones(3, requires_grad=True)
        optimizer = torch.optim.Adam([p], lr=0.1, weight_decay=0.1)
        optimizer.param_groups[0]["weight_decay"] = decay
        with config.kernels(kernels):
            for _ in range(2):
                p.grad = torch.arange(3.0) - 0.7
                optimizer.step()
        steps.append(p.tolist())
    assert steps[0] == steps[1]
    assert steps[0] != [1.0] * 3
