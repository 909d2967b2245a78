"""SGD: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.rules import problem, walk
from tests.programs import Programs, attempt

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


def make(torch, settings):
    """A function from parameters to an optimizer with some settings."""
    return lambda p: eval(f"torch.optim.SGD(p, {settings})", {"torch": torch, "p": p})


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


test_sgd = programs.test()
