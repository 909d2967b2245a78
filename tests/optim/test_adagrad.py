"""Adagrad: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.rules import problem, walk
from tests.programs import Programs, attempt

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


def make(torch, settings):
    """A function from parameters to an optimizer with some settings."""
    return lambda p: eval(
        f"torch.optim.Adagrad(p, {settings})", {"torch": torch, "p": p}
    )


@programs.add
def twenty_steps(torch):
    return {s: walk(torch, make(torch, s)) for s in SETTINGS}


@programs.add
def double_precision(torch):
    return walk(torch, make(torch, SETTINGS[-1]), dtype="float64")


@programs.add
def defaults_and_text(torch):
    optimizer = make(torch, SETTINGS[1])(problem(torch)[0])
    return [repr(optimizer), optimizer.state_dict()]


@programs.add
def settings_out_of_range_are_refused(torch):
    params, _ = problem(torch)
    return {s: attempt(lambda s=s: repr(make(torch, s)(params))) for s in REFUSED}


@programs.add
def recorded_steps_can_be_differentiated(torch):
    p = torch.tensor([1.0, 2.0], requires_grad=True)
    q = p.clone()
    optimizer = make(torch, "lr=0.1, differentiable=True")([q])
    for _ in range(2):
        q.grad = torch.tensor([0.5, -1.0])
        optimizer.step()
    q.sum().backward()
    return [q, p.grad]


@programs.add
def sums_can_be_shared(torch):
    params, _ = problem(torch)
    optimizer = make(torch, "")(params)
    optimizer.share_memory()
    return [state["sum"].is_shared() for state in optimizer.state.values()]


test_adagrad = programs.test()
