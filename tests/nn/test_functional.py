"""nn.functional gathers PyTorch's functions; each is tested with its operation."""

from __future__ import annotations

import inspect

import pytest

import edutorch
import edutorch.nn.functional as F
from tests.programs import Programs

programs = Programs(__file__)

# PyTorch's functions that are not there yet, and what its file imports.
MISSING = {
    "grouped_mm", "native_channel_shuffle", "scaled_grouped_mm", "scaled_mm",
}  # fmt: skip


@pytest.mark.parametrize("name", F.__all__)
def test_every_name_is_a_documented_function(name):
    function = getattr(F, name)
    assert callable(function)
    assert function.__doc__
    assert function.__module__.startswith("edutorch.ops")


def test_names_are_listed_once():
    assert len(set(F.__all__)) == len(F.__all__)


def test_names_are_pytorchs():
    from tests.oracle import torch

    theirs = {
        name
        for name, value in vars(torch.nn.functional).items()
        if callable(value)
        and not name.startswith("_")
        and "torch" in (getattr(value, "__module__", None) or "torch")
        and not inspect.isclass(value)
        and "torch_function" not in name
    }
    helpers = {"assert_int_or_pair", "boolean_dispatch"}
    assert theirs - helpers - MISSING <= set(F.__all__)
    assert set(F.__all__) <= theirs
    assert not MISSING & set(F.__all__)


@programs.add
def a_network_of_functions(torch):
    F = torch.nn.functional
    x = torch.linspace(-1, 1, 2 * 1 * 6 * 6).reshape(2, 1, 6, 6).requires_grad_()
    w = torch.linspace(-0.5, 0.5, 3 * 9).reshape(3, 1, 3, 3).requires_grad_()
    v = torch.linspace(-1, 1, 4 * 12).reshape(4, 12).requires_grad_()
    y = F.max_pool2d(F.relu(F.conv2d(x, w, padding=0)), 2)
    y = F.layer_norm(y.flatten(1), (12,))
    loss = F.cross_entropy(F.linear(y, v), torch.tensor([1, 3]), label_smoothing=0.1)
    loss.backward()
    return [loss, x.grad, w.grad, v.grad]


@programs.add
def arguments_by_name(torch):
    F, x = torch.nn.functional, torch.linspace(-2, 2, 8).reshape(2, 4)
    return [
        F.softmax(input=x, dim=1), F.log_softmax(x, dim=-1, dtype=torch.float64),
        F.dropout(x, p=0.5, training=False), F.normalize(x, p=1.0, dim=0),
        F.pad(x, (1, 0), mode="constant", value=3.0), F.one_hot(torch.tensor([1, 0])),
        F.leaky_relu(x, negative_slope=0.3), F.gelu(x, approximate="tanh"),
        F.mse_loss(input=x, target=x * 2, reduction="sum"),
        F.embedding(torch.tensor([1, 1]), x), F.glu(x, dim=1),
    ]  # fmt: skip


test_functional = programs.test()


def test_threshold_works_in_place():
    x = edutorch.tensor([-1.0, 2.0])
    assert F.threshold(x, 0.0, 9.0, inplace=True) is x
    assert x.tolist() == [9.0, 2.0]
