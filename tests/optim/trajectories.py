"""Shared by tests of optimizers: a small problem, and trajectories on it."""

from __future__ import annotations

from tests.programs import attempt

__all__ = ["add_rules", "problem", "walk"]


def problem(torch, dtype="float32"):
    """Parameters of several shapes, and a function that gives them gradients."""
    kind = getattr(torch, dtype)
    shapes = ((3, 2), (4,), ())
    params = []
    for i, shape in enumerate(shapes):
        values = torch.linspace(-1, 1 + i, max(1, torch.zeros(shape).numel()))
        params.append(torch.nn.Parameter(values.reshape(shape).to(kind)))

    def compute():
        total = 0
        for i, p in enumerate(params):
            p.grad = None
            total = total + ((p - 0.3 * i) ** 2 * (i + 1)).sum() + (p**3).sum() * 0.05
        total.backward()
        return total

    return params, compute


def walk(torch, make, steps=20, dtype="float32"):
    """Parameters after some steps, with the state saved and loaded half way."""
    params, compute = problem(torch, dtype)
    optimizer = make(params)
    for i in range(steps):
        if i == steps // 2:
            saved = optimizer.state_dict()
            optimizer = make(params)
            optimizer.load_state_dict(saved)
        optimizer.step(compute) if i % 3 else (compute(), optimizer.step())
    return [[p.detach().clone() for p in params], optimizer.state_dict()]


def add_rules(programs, name, settings, refused, recorded=True, double=-1):
    """Add the programs that all optimizers have; returns what makes this one.

    Args:
        settings: of twenty steps each; the second one's text is compared, too.
        refused: settings that are out of range.
        recorded: whether its steps can be differentiated.
        double: which of the settings is tried in double precision.
    """

    def make(torch, settings):
        """A function from parameters to an optimizer with some settings."""
        call = f"torch.optim.{name}(p, {settings})"
        return lambda p: eval(call, {"torch": torch, "p": p})

    @programs.add
    def twenty_steps(torch):
        return {s: walk(torch, make(torch, s)) for s in settings}

    @programs.add
    def double_precision(torch):
        return walk(torch, make(torch, settings[double]), dtype="float64")

    @programs.add
    def defaults_and_text(torch):
        optimizer = make(torch, settings[1])(problem(torch)[0])
        return [repr(optimizer), optimizer.state_dict()]

    @programs.add
    def settings_out_of_range_are_refused(torch):
        params, _ = problem(torch)
        return {s: attempt(lambda s=s: repr(make(torch, s)(params))) for s in refused}

    def recorded_steps_can_be_differentiated(torch):
        p = torch.tensor([1.0, 2.0], requires_grad=True)
        q = p.clone()
        optimizer = make(torch, "lr=0.1, differentiable=True")([q])
        for _ in range(2):
            q.grad = torch.tensor([0.5, -1.0])
            optimizer.step()
        q.sum().backward()
        return [q, p.grad]

    if recorded:
        programs.add(recorded_steps_can_be_differentiated)
    return make
