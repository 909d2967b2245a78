"""Shared by tests of utilities: layers, a training step, and its observed effects."""

from __future__ import annotations

from tests.nn.modules.layers import numbers

__all__ = ["LAYERS", "made", "train"]

LAYERS = {
    "nn.Linear(3, 4)": (2, 3),
    "nn.Linear(4, 3, bias=False)": (2, 4),
    "nn.Conv2d(2, 3, 2)": (2, 2, 3, 3),
    "nn.ConvTranspose1d(2, 3, 2)": (2, 2, 3),
    "nn.LSTM(3, 2)": (4, 1, 3),
}


def made(torch, layer):
    """A layer of an expression."""
    return eval(layer, {"nn": torch.nn})


def train(torch, m, shape, steps=3):
    """Losses, gradients and state over some steps."""
    optimizer = torch.optim.SGD(m.parameters(), lr=0.05)
    seen = []
    for _ in range(steps):
        optimizer.zero_grad()
        dtype = next(m.parameters()).dtype
        y = m(numbers(torch, *shape).to(dtype))
        loss = ((y[0] if isinstance(y, tuple) else y) ** 2).sum()
        loss.backward()
        seen.append([loss, [p.grad for p in m.parameters()]])
        optimizer.step()
    return [seen, m.state_dict()]
