"""Copies of values within a limit."""

from __future__ import annotations

import numpy as np

import edutorch as torch
from edutorch.inspect.value_store import ValueStore, host_copy


def test_copy_when_the_original_changes_stays():
    store = ValueStore()
    x = np.arange(3.0)
    number = store.keep(x)
    x += 10
    assert store.get(number).tolist() == [0, 1, 2]


def test_equal_values_are_held_once_also_with_nan():
    store = ValueStore()
    x = np.array([1.0, np.nan])
    first = store.keep(x)
    assert store.keep(x.copy(), (first,)) == first
    assert store.keep(x * 2, (first,)) != first
    assert store.keep(x.astype(np.float32), (first,)) != first
    assert store.nbytes == 16 + 16 + 8


def test_largest_copies_are_dropped_beyond_the_limit():
    store = ValueStore(limit=100)
    numbers = [store.keep(np.zeros(n, np.uint8)) for n in (10, 60, 20, 50)]
    held = [store.get(n) is not None for n in numbers]
    assert held == [True, False, True, True]
    assert store.dropped(numbers[1]) == ((60,), "uint8")
    assert store.dropped(numbers[0]) is None
    assert store.nbytes == 80


def test_value_larger_than_the_limit_is_dropped_alone():
    store = ValueStore(limit=8)
    small, large = store.keep(np.zeros(1)), store.keep(np.zeros(2))
    assert store.get(small) is not None
    assert store.get(large) is None


def test_clear_releases_everything():
    store = ValueStore()
    number = store.keep(np.zeros(4))
    store.clear()
    assert (store.get(number), store.nbytes) == (None, 0)


def test_copy_holds_what_arrays_of_any_kind_hold():
    assert host_copy(torch.ones(2, dtype=torch.bfloat16)).tolist() == [1, 1]
    assert host_copy(torch.ones(2, device="meta")) is None
    assert host_copy(3) == 3
    sparse = torch.tensor([[0.0, 2.0]]).to_sparse()
    assert host_copy(sparse).tolist() == [2]
    transposed = np.ones((2, 3)).T
    assert host_copy(transposed).flags.c_contiguous
