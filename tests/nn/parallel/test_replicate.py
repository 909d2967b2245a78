"""Replicas share only what they must."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.nn.parallel import replicate


def test_gradients_of_replicas_are_added_on_the_first_device():
    with torch.cuda.simulate(devices=2):
        net = nn.Linear(2, 1).to("cuda:0")
        for i, replica in enumerate(replicate(net, [0, 1])):
            replica(torch.ones(i + 1, 2, device=f"cuda:{i}")).sum().backward(
                retain_graph=True
            )
        assert net.weight.grad.tolist() == [[3.0, 3.0]]
        assert net.weight.grad.device.index == 0


def test_detached_replicas_have_no_history():
    with torch.cuda.simulate(devices=2):
        net = nn.Linear(2, 1).to("cuda:0")
        assert not replicate(net, [0, 1], detach=True)[1].weight.requires_grad


def test_parameters_of_the_cpu_are_refused():
    with torch.cuda.simulate(devices=2), pytest.raises(AssertionError, match="CPU"):
        replicate(nn.Linear(1, 1), [0, 1])
