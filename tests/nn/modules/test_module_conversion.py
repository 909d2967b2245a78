"""Casting modules; devices are tested in tests/cuda."""

from __future__ import annotations

import pytest

import edutorch
from edutorch import nn
from tests.programs import Programs, attempt, warned

programs = Programs(__file__)


def dtypes(m):
    return [str(t.dtype) for t in (*m.parameters(), *m.buffers())]


@programs.add
def floats_are_cast_and_integers_stay(torch):
    m = torch.nn.BatchNorm1d(2)
    found = [dtypes(m)]
    for cast in (
        lambda: m.double(),
        lambda: m.half(),
        lambda: m.bfloat16(),
        lambda: m.float(),
        lambda: m.to(torch.float64),
        lambda: m.to(dtype=torch.float32),
        lambda: m.to("cpu", torch.float64),
        lambda: m.to(torch.ones(1)),
        lambda: m.to(device="cpu"),
        lambda: m.to(torch.float64, non_blocking=True),
        lambda: m.type(torch.float32),
    ):
        assert cast() is m
        found.append(dtypes(m))
    return found


@programs.add
def values_and_gradients_are_cast_in_place(torch):
    m = torch.nn.Linear(2, 1)
    w = m.weight
    m(torch.ones(1, 2)).sum().backward()
    m.double()
    return [m.weight is w, w, w.grad, w.requires_grad]


@programs.add
def integer_dtypes_are_refused(torch):
    m = torch.nn.Linear(1, 1)
    return [attempt(lambda: m.to(torch.int64)), dtypes(m)]


@programs.add
def memory_is_made_without_values(torch):
    m = torch.nn.Linear(2, 3).double()
    m.to_empty(device="cpu")
    return [dtypes(m), [list(p.shape) for p in m.parameters()]]


@programs.add
def a_function_is_applied_to_every_tensor(torch):
    m = torch.nn.BatchNorm1d(2)
    m._apply(lambda t: t + 1)
    return list(m.state_dict().values())


@programs.add
def complex_modules_are_warned_of(torch):
    return warned(lambda: torch.nn.Linear(1, 1).to(torch.complex64).weight.dtype)


@programs.add
def what_waits_for_its_shape_is_cast_and_goes_on_waiting(torch):
    m = torch.nn.LazyBatchNorm1d()
    kinds = [type(t).__name__ for t in (m.double().running_mean, m.weight)]
    y = m(torch.ones(3, 2, dtype=torch.float64))
    return [kinds, repr(m), dtypes(m), y]


@programs.add
def gradients_stay_the_same_tensors(torch):
    m = torch.nn.Linear(1, 1)
    m(torch.ones(1, 1)).sum().backward()
    p, g = m.weight, m.weight.grad
    m.double()
    return [m.weight is p, p.grad is g, g]


test_moving = programs.test()


def test_to_a_gpu_when_there_is_none_is_refused():
    if edutorch.cuda.is_available():
        pytest.skip("there is a GPU")
    m = nn.Linear(1, 1)
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        m.cuda()
    assert m.weight.device.type == "cpu"
