"""Scattering of nested inputs, and gathering of nested outputs."""

from __future__ import annotations

from collections import namedtuple

import pytest

import edutorch as torch
from edutorch.nn.parallel import gather, scatter, scatter_kwargs

Pair = namedtuple("Pair", "first second")  # noqa: PYI024 (as users write them)


@pytest.fixture(autouse=True)
def two_gpus():
    with torch.cuda.simulate(devices=2):
        yield


def test_named_tuples_stay_named_both_ways():
    parts = scatter(Pair(torch.arange(4.0), 7), [0, 1])
    assert [type(p) for p in parts] == [Pair, Pair]
    assert parts[1].second == 7
    joined = gather([Pair(p.first, p.first * 2) for p in parts], "cpu")
    assert joined.second.tolist() == [0.0, 2.0, 4.0, 6.0]


def test_both_have_gradients():
    x = torch.arange(4.0, requires_grad=True)
    parts = scatter(x, [0, 1])
    (gather(parts, 0) ** 2).sum().backward()
    assert x.grad.tolist() == [0.0, 2.0, 4.0, 6.0]
    assert parts[0].grad_fn.name() == "ScatterBackward"


def test_missing_arguments_are_filled_up():
    inputs, kwargs = scatter_kwargs((torch.ones(1),), {"k": torch.ones(2)}, [0, 1])
    assert [len(i) for i in inputs] == [1, 0]
    assert [k["k"].shape[0] for k in kwargs] == [1, 1]


def test_other_keys_are_refused():
    with pytest.raises(ValueError, match="same number of keys"):
        gather([{"a": 1}, {"a": 1, "b": 2}], "cpu")
