"""Muon: steps, states and refusals like PyTorch's."""

from __future__ import annotations

from tests.optim.trajectories import problem
from tests.programs import Programs, attempt

programs = Programs(__file__)

SETTINGS = (
    "",
    "lr=0.1, momentum=0.5, weight_decay=0.0",
    "lr=torch.tensor(0.05), nesterov=False",
    "lr=0.1, adjust_lr_fn='match_rms_adamw', ns_steps=3",
    "lr=0.1, adjust_lr_fn='original', ns_coefficients=(3.0, -3.2, 1.2), eps=1e-3",
)
REFUSED = (
    "lr=-1", "lr=torch.ones(2)", "momentum=-1", "weight_decay=-1", "adjust_lr_fn='x'",
)  # fmt: skip


def make(torch, settings, params):
    return eval(f"torch.optim.Muon(p, {settings})", {"torch": torch, "p": params})


def matrices(torch):
    shapes = (3, 2), (2, 4), (3, 3)
    return [
        torch.nn.Parameter(torch.linspace(-1, 2, n * m).reshape(n, m) ** 2)
        for n, m in shapes
    ]


def near(torch, tensors):
    """Rounded: the iteration is in bfloat16, whose last digit depends on the sums."""
    return [(t.detach() * 50).round() / 50 for t in tensors]


@programs.add
def steps_follow_orthogonal_matrices(torch):
    found = {}
    for settings in SETTINGS:
        params = matrices(torch)
        optimizer = make(torch, settings, params)
        for _ in range(2):
            optimizer.zero_grad()
            sum((p**3).sum() for p in params).backward()
            optimizer.step()
        buffers = [optimizer.state[p]["momentum_buffer"] for p in params]
        found[settings] = [near(torch, params), near(torch, buffers)]
    return found


@programs.add
def defaults_and_text(torch):
    optimizer = make(torch, SETTINGS[1], matrices(torch))
    return [repr(optimizer), optimizer.state_dict()]


@programs.add
def what_does_not_fit_is_refused(torch):
    found = {
        s: attempt(lambda s=s: repr(make(torch, s, matrices(torch)))) for s in REFUSED
    }
    found["vectors"] = attempt(lambda: make(torch, "", problem(torch)[0]))
    for settings in ("ns_steps=100", "ns_coefficients=(1, 2)"):
        params = matrices(torch)
        optimizer = make(torch, settings, params)
        params[0].sum().backward()
        found[settings] = attempt(optimizer.step)
    return found


test_muon = programs.test()
