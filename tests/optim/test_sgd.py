"""SGD: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import add_rules
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

add_rules(programs, "SGD", SETTINGS, REFUSED)


def three_steps(torch, convert=None, **settings):
    """A parameter after three steps, and its velocity; converted after the second."""
    p = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([p], lr=0.1, **settings)
    for i in range(3):
        if i == 2 and convert:
            p.data = getattr(p.data, convert)()
        p.grad = torch.full_like(p, 0.37 * (i + 1))
        optimizer.step()
    return [p, optimizer.state[p].get("momentum_buffer")]


@programs.add
def velocity_keeps_its_precision_when_the_parameters_changes(torch):
    return [
        three_steps(torch, convert, momentum=0.9, nesterov=nesterov, weight_decay=0.1)
        for convert in ("double", "half")
        for nesterov in (False, True)
    ]


@programs.add
def settings_may_be_tensors_of_any_dtype(torch):
    return [
        three_steps(torch, weight_decay=torch.tensor(1)),
        three_steps(torch, weight_decay=torch.tensor(1), momentum=0.5),
        three_steps(torch, momentum=torch.tensor(0.5), dampening=torch.tensor(0.1)),
        attempt(lambda: three_steps(torch, weight_decay=torch.tensor([0.1]))),
    ]


@programs.add
def sparse_gradients_are_refused_before_complex_parameters(torch):
    ps = [torch.ones(2, dtype=d, requires_grad=True) for d in (None, torch.complex64)]
    optimizer = torch.optim.SGD(ps, fused=True)
    for p in ps:
        p.grad = torch.ones_like(p).to_sparse()
    return [attempt(optimizer.step)]


test_sgd = programs.test()
