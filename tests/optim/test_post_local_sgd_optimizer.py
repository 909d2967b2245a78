"""An optimizer that averages the model; two ranks: test_post_localSGD_hook.py."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import edutorch as torch
from edutorch.distributed.optim import PostLocalSGDOptimizer


def made():
    w = torch.nn.Parameter(torch.ones(2))
    averager = SimpleNamespace(step=0, seen=[])
    averager.average_parameters = averager.seen.append
    inner = torch.optim.SGD([w], lr=0.5, momentum=0.9)
    return w, averager, PostLocalSGDOptimizer(inner, averager)


def test_step_updates_and_then_averages():
    w, averager, optimizer = made()
    w.sum().backward()
    optimizer.step()
    assert w.tolist() == [0.5, 0.5]
    assert averager.seen == [optimizer.param_groups]
    assert optimizer.state is optimizer.optim.state
    assert repr(optimizer) == repr(optimizer.optim)
    optimizer.zero_grad()
    assert w.grad is None


def test_state_has_the_step_of_the_averager():
    _, averager, optimizer = made()
    averager.step = 7
    state = optimizer.state_dict()
    assert state["step"] == 7
    _, other, loaded = made()
    loaded.load_state_dict(state)
    assert other.step == 7
    del state["step"]
    with pytest.warns(UserWarning, match="does not contain a step counter"):
        loaded.load_state_dict(state)
    assert other.step == 0
