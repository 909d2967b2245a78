"""Functions that are called when a backward pass has ended."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.autograd.final_callbacks import queue_callback


def test_functions_are_called_once_at_the_end_in_their_order():
    x = torch.ones(2, requires_grad=True)
    y, called = x * 3, []

    def hook(g):
        for name in "ab":
            queue_callback(lambda name=name: called.append((name, x.grad.tolist())))

    y.register_hook(hook)
    y.sum().backward()
    assert called == [("a", [3.0, 3.0]), ("b", [3.0, 3.0])]


def test_functions_are_refused_where_no_pass_is_running():
    with pytest.raises(RuntimeError, match="^Final callbacks can only be installed"):
        queue_callback(print)
