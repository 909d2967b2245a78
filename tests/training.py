"""A short training run, to be compared between devices."""

from __future__ import annotations

import edutorch as torch

__all__ = ["losses_on"]


def losses_on(device: str) -> list[float]:
    """The losses of a small convolutional network, the same start on each device."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(
        torch.nn.Conv2d(1, 3, 3), torch.nn.BatchNorm2d(3), torch.nn.ReLU(),
        torch.nn.MaxPool2d(2), torch.nn.Flatten(), torch.nn.Linear(27, 4),
    ).to(device)  # fmt: skip
    x = torch.randn(5, 1, 8, 8).to(device)
    y = torch.randint(0, 4, (5,)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(4):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses
