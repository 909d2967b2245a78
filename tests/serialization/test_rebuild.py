"""Attributes, subclasses and old objects, under weights_only and not."""

from __future__ import annotations

import io
import warnings
from pickle import UnpicklingError

import pytest

import edutorch as torch
from edutorch.serialization import safe_globals
from tests.serialization.forge import (
    ORDERED,
    Ops,
    archive,
    call,
    encode,
    name,
    program,
    tensor,
)

Marked = torch.Tensor  # set by `subclass`


@pytest.fixture(scope="module", autouse=True)
def subclass():
    """A subclass, made when the tests begin: it changes the public functions."""
    global Marked

    class Marked(torch.Tensor):
        __slots__ = ("mark",)

    Marked.__qualname__ = "Marked"  # so that pickle finds it


def round_trip(value, **options):
    file = io.BytesIO()
    torch.save(value, file)
    file.seek(0)
    return torch.load(file, **options)


def load(value):
    return torch.load(archive(program(value), {"0": bytes(24)}))


def test_attributes_of_tensors_and_parameters_are_kept():
    x, p = torch.ones(2), torch.nn.Parameter(torch.ones(2), requires_grad=False)
    x.name, x.inner, p.tag = "x", [torch.zeros(1)], 5
    found = round_trip({"x": x, "p": p})
    assert found["x"].name == "x"
    assert found["x"].inner[0].tolist() == [0]
    assert found["p"].tag == 5
    assert not found["p"].requires_grad


def test_subclass_is_kept_where_it_is_allowed():
    x = torch.ones(2).as_subclass(Marked)
    x.mark, x.other = 3, "o"
    with pytest.raises(UnpicklingError, match="Unsupported global: GLOBAL .*Marked"):
        round_trip(x)
    with safe_globals([Marked]):
        allowed = round_trip(x)
    for found in (allowed, round_trip(x, weights_only=False)):
        assert type(found) is Marked
        assert (found.mark, found.other) == (3, "o")


def test_buffers_stay_buffers():
    assert isinstance(round_trip(torch.nn.Buffer(torch.ones(1))), torch.nn.Buffer)


FROM_TYPE = name("torch._tensor", "_rebuild_from_type_v2")
REBUILD = name("torch._utils", "_rebuild_tensor_v2")


@pytest.mark.parametrize(
    ("kind", "state"),
    [
        (name("torch", "Tensor"), {"_data": 5}),
        (name("torch", "Tensor"), {"_hooks": 5}),
        (name("torch", "Tensor"), 7),
        (name("torch", "Tensor"), {5: 7}),
        (name("torch", "float32"), {}),
        (name("torch.nn.parameter", "Parameter"), {"_grad": 5}),
    ],
)
def test_attributes_that_are_the_tensors_own_state_are_refused(kind, state):
    args = tuple_of_tensor()
    with pytest.raises(UnpicklingError):
        load(call(FROM_TYPE, REBUILD, kind, args, state))


def tuple_of_tensor():
    """The arguments of the function that makes a tensor."""
    whole = tensor()
    return Ops(whole[len(REBUILD) : -1])


def test_attributes_that_are_others_are_attached():
    found = load(
        call(FROM_TYPE, REBUILD, name("torch", "Tensor"), tuple_of_tensor(), {"a": 1})
    )
    assert found.a == 1


@pytest.mark.parametrize(
    "state", [(False, False, ORDERED), (tensor(), None, ORDERED, False, False)]
)
def test_parameters_of_old_versions_get_their_state(state):
    made = Ops(
        name("torch.nn.parameter", "Parameter") + b")\x81" + encode(state) + b"b"
    )
    found = load(made)
    assert isinstance(found, torch.nn.Parameter)
    assert not found.requires_grad
    assert found.shape == ((2, 3) if len(state) == 5 else (0,))


def test_quantized_tensors_are_refused_by_name():
    from tests.oracle import torch as oracle

    x = oracle.ones(2)
    file = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        oracle.save(oracle.quantize_per_tensor(x, 0.1, 0, oracle.qint8), file)
    file.seek(0)
    with pytest.raises(RuntimeError, match="no quantized tensors"):
        torch.load(file)


def test_tensors_with_hooks_say_that_they_lose_them():
    x = torch.ones(1, requires_grad=True)
    x.register_hook(print)
    with pytest.warns(UserWarning, match="will not be serialized"):
        torch.save(x, io.BytesIO())


def test_pytorch_and_edutorch_exchange_attributes():
    from tests.oracle import torch as oracle

    for one, other in ((torch, oracle), (oracle, torch)):
        x, p = one.ones(2), one.nn.Parameter(one.ones(1))
        x.foo, p.bar = {"a": 1}, "b"
        file = io.BytesIO()
        one.save([x, p], file)
        file.seek(0)
        found = other.load(file)
        assert found[0].foo == {"a": 1}
        assert found[1].bar == "b"
        assert type(found[1]) is other.nn.Parameter


def test_tensors_without_values_are_kept_and_made():
    x = torch.empty(2, 3, device="meta").t()
    found = round_trip([x, torch.nn.Parameter(x)])
    assert found[0].is_meta
    assert found[0].stride() == (1, 3)
    assert isinstance(found[1], torch.nn.Parameter)
    mapped = round_trip({"w": torch.ones(2, 3).t()}, map_location="meta")
    assert mapped["w"].is_meta
    assert mapped["w"].shape == (3, 2)
