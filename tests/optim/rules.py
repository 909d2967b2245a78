"""What the tests of optimizers share: a small problem, and walking down it."""

from __future__ import annotations

__all__ = ["problem", "walk"]


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
