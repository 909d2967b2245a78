"""Tensors inside vmap: what they show and what they refuse."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import edutorch as torch
from edutorch.autograd.batched_tensor import (
    Batched,
    NeedsSampleValues,
    SamplePlaceholder,
    active_vmaps,
    batched,
    batched_like,
    common_levels,
    expand_to_levels,
)


def sample():
    return batched(torch.ones(4, 2, 3), (1,))


def test_a_batched_tensor_shows_one_sample():
    x = sample()
    assert type(x) is Batched
    assert isinstance(x, torch.Tensor)
    assert (x.shape, x.ndim, x.numel(), x.dtype) == ((2, 3), 2, 6, torch.float32)
    assert "lvl=1" in repr(x)


@pytest.mark.parametrize("name", ["numpy", "tolist", "data_ptr", "item"])
def test_values_are_refused_for_good(name):
    with pytest.raises(RuntimeError) as refusal:
        getattr(sample(), name)()
    assert refusal.value.in_vmap


def test_storage_is_left_to_other_ways():
    with pytest.raises(NeedsSampleValues):
        sample().untyped_storage()


def test_strides_and_offset_are_those_of_a_sample_in_the_batch():
    whole = torch.arange(24.0).reshape(2, 3, 4)[:, 1:]
    x = batched(whole, (1,))
    assert (x.stride(), x.stride(-1), x.storage_offset()) == ((4, 1), 1, 4)


@pytest.mark.parametrize(
    "use", [lambda a: a + 1, np.sum, lambda a: a[0], lambda a: a.max(), bool, list]
)
def test_a_hidden_array_cannot_be_computed_with(use):
    array = sample()._data
    assert type(array) is SamplePlaceholder
    with pytest.raises(NeedsSampleValues):
        use(array)


def test_a_hidden_arrays_memory_passes_for_no_value():
    assert np.isnan(np.asarray(sample()._data)).all()
    whole = batched(torch.ones(2, 2, dtype=torch.int64), (1,))
    assert np.asarray(whole._data).min() == np.iinfo(np.int64).max


def test_without_levels_the_value_itself_is_meant():
    x = torch.ones(2)
    assert batched(x, ()) is x


def _collected(function):
    """How many objects only the cycle collector frees after a call."""
    function()
    gc.collect()
    gc.disable()
    try:
        function()
        return gc.collect()
    finally:
        gc.enable()


def test_transforms_leave_nothing_for_the_cycle_collector():
    w, x = torch.ones(2, 2), torch.ones(3, 2)

    def f(x):
        return (w @ x).tanh().sum()

    assert _collected(lambda: torch.vmap(f)(x)) == 0
    assert _collected(lambda: torch.vmap(torch.func.grad(f))(x)) == 0
    assert _collected(lambda: torch.vmap(torch.func.hessian(f))(x)) == 0
    assert _collected(lambda: torch.vmap(lambda x, i: w[i] + x)(x, x[:, 0].int())) == 0


def test_a_tensor_is_widened_to_the_levels_of_others():
    x = sample()
    assert batched_like(x, (x, None, 3)) is x
    active_vmaps.sizes[1] = 4
    try:
        found = batched_like(torch.zeros(5), (x,))
    finally:
        del active_vmaps.sizes[1]
    assert type(found) is Batched
    assert (found.shape, found._value.shape) == ((5,), (4, 5))


@pytest.mark.parametrize(
    "dtype", [torch.float32, torch.bfloat16, torch.complex64, torch.uint8, torch.bool]
)
def test_what_lies_in_a_placeholder_passes_for_no_result(dtype):
    array = batched(torch.zeros(4, 2, dtype=dtype), (1,))._data
    assert type(array) is SamplePlaceholder
    inside = np.asarray(array.view(np.ndarray))
    zero = torch.zeros(1, dtype=dtype)._data
    assert (inside.shape, inside.dtype) == ((2,), zero.dtype)
    assert zero.tobytes() not in inside.tobytes()


def test_levels_are_those_of_all_values(monkeypatch):
    monkeypatch.setattr(active_vmaps, "sizes", {1: 4, 2: 3})
    first, second = batched(torch.ones(4, 2), (1,)), batched(torch.ones(3, 2), (2,))
    assert common_levels([torch.ones(1), 3, None]) == ()
    assert common_levels([first, first, 3]) == (1,)
    assert common_levels([second, first]) == (1, 2)
    assert expand_to_levels(torch.ones(2), (1, 2)).shape == (4, 3, 2)
    assert expand_to_levels(second, (1, 2)).shape == (4, 3, 2)
    assert expand_to_levels(first, (1, 2))[:, 0].shape == (4, 2)
