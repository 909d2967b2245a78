"""Objects in a few words."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

import edutorch as torch
from edutorch.inspect.reference_names import describe_path, what_is
from edutorch.inspect.reference_roots import Root


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1, 2], "list of 2"),
        ({}, "dict of 0"),
        (deque([1], maxlen=4), "deque of 1, at most 4"),
        (np.zeros((2, 3)), "array 2×3 float64"),
        (torch.ones(2, 3), "tensor 2×3 float32"),
        (torch.ones((), requires_grad=True) * 2, "tensor scalar float32 with grad_fn"),
        (pytest.raises, "function raises"),
        (torch.nn.Linear(1, 1), "Linear"),
        (torch.nn.Linear, "class Linear"),
    ],
)
def test_object_is_told_in_a_few_words(value, words):
    assert what_is(value) == words


def test_long_key_is_cut():
    held = {"k" * 1000: [1]}
    (hop,) = describe_path(Root("", "d", "", 0), [held, held["k" * 1000]]).hops
    assert len(hop.code) < 60


def codes_to(model, *links):
    """What the references of a module are called, with and without its dictionary."""
    root = Root("variable", "model", "", 0)
    chain = [model]
    for module, table, held in links:
        chain += [module.__dict__, module.__dict__[table], held]
    whole = [hop.code for hop in describe_path(root, chain).hops]
    short = [link for link in chain if not any(link is m.__dict__ for m, *_ in links)]
    assert [hop.code for hop in describe_path(root, short).hops] == whole
    return whole


def test_members_of_modules_are_called_as_programs_call_them():
    inner = torch.nn.Linear(1, 1)
    weight = (inner, "_parameters", inner.weight)
    model = torch.nn.Sequential(torch.nn.ReLU(), inner)
    assert codes_to(model, (model, "_modules", inner), weight) == ["[1]", ".weight"]
    model = torch.nn.ModuleDict({"0": inner})
    assert codes_to(model, (model, "_modules", inner), weight) == ["['0']", ".weight"]
    model = torch.nn.Module()
    model.head = inner
    assert codes_to(model, (model, "_modules", inner), weight) == [".head", ".weight"]
    norm = torch.nn.BatchNorm1d(2)
    assert codes_to(norm, (norm, "_buffers", norm.running_mean)) == [".running_mean"]
