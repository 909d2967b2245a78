"""Adagrad: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import add_rules, problem
from tests.programs import Programs

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.5, lr_decay=0.1",
    "weight_decay=0.1, initial_accumulator_value=0.5, eps=1e-3",
    "maximize=True",
)
REFUSED = (
    "lr=-1",
    "lr_decay=-1",
    "weight_decay=-1",
    "initial_accumulator_value=-1",
    "eps=-1",
)

make = add_rules(programs, "Adagrad", SETTINGS, REFUSED)


@programs.add
def sums_can_be_shared(torch):
    params, _ = problem(torch)
    optimizer = make(torch, "")(params)
    optimizer.share_memory()
    return [state["sum"].is_shared() for state in optimizer.state.values()]


test_adagrad = programs.test()
