"""What the tests of pruning share."""

from __future__ import annotations

import importlib

from tests.nn.modules.layers import numbers

__all__ = ["layer", "pruning", "seen"]


def pruning(torch):
    """`torch.nn.utils.prune`, which PyTorch does not import by itself."""
    return importlib.import_module(f"{torch.__name__}.nn.utils.prune")


def layer(torch):
    """A linear layer whose weights are known."""
    m = torch.nn.Linear(4, 3)
    m.weight.data = numbers(torch, 3, 4)
    return m


def seen(torch, m):
    """State, result and gradients of a pruned layer."""
    y = m(torch.ones(2, 4))
    y.sum().backward()
    return [m.state_dict(), y, m.weight, [p.grad for p in m.parameters()]]
