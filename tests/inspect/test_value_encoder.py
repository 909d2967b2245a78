"""Values as JSON of a bounded size."""

from __future__ import annotations

import json

import numpy as np
import pytest

from edutorch.inspect.value_encoder import ValueEncoder
from edutorch.inspect.value_store import ValueStore


def sent(*arrays, budget=100_000):
    store = ValueStore()
    found = ValueEncoder(store, budget)
    for array in arrays:
        found.index_of(store.keep(array))
    return found.data()


def test_small_value_is_sent_whole_with_six_digits():
    (value,) = sent(np.array([[1 / 3, 2.0]]))
    assert value["cells"] == [0.333333, 2.0]
    assert (value["shape"], value["shown"], value["stats"]) == ([1, 2], [1, 2], None)


def test_integers_booleans_and_what_is_not_finite_are_told():
    numbers, truths, wild = sent(
        np.array([2**53]), np.array([True]), np.array([np.nan, -np.inf])
    )
    assert numbers["cells"] == [2**53]
    assert truths["cells"] == [1]
    assert wild["cells"] == ["nan", "-inf"]


def test_complex_numbers_become_absolute_ones():
    (value,) = sent(np.array([3 + 4j]))
    assert (value["cells"], value["note"]) == ([5.0], "absolute values")


@pytest.mark.parametrize(
    "shape", [(1000,), (100, 100), (3, 50, 50), (2000, 3), (5000, 1), (1, 9000)]
)
def test_large_value_gives_every_kth_row_and_column(shape):
    x = np.arange(np.prod(shape), dtype=float).reshape(shape)
    (value,) = sent(x)
    rows, columns = value["steps"]
    plane = x.reshape(-1, shape[-1])[::rows, ::columns]
    assert value["shown"] == list(plane.shape)
    assert value["cells"] == pytest.approx(plane.ravel().tolist(), rel=1e-5)
    assert 16 <= len(value["cells"]) <= 1024 + 64
    assert value["stats"]["max"] == pytest.approx(x.max(), rel=1e-4)


def test_many_values_stay_within_the_budget():
    data = sent(*(np.random.default_rng(k).random((50, 50)) for k in range(400)))
    assert len(json.dumps(data)) < 2_000_000
    assert all(len(v["cells"]) >= 16 for v in data)


def test_values_beyond_the_budget_are_not_sent():
    data = sent(*(np.arange(60.0) + k for k in range(10)), budget=200)
    notes = [v["note"] for v in data]
    assert notes == [""] * 4 + ["not sent"] * 6
    assert data[-1]["shape"] == [60]


def test_dropped_value_and_one_that_never_was_are_told_apart():
    store = ValueStore(limit=8)
    found = ValueEncoder(store)
    assert found.index_of(store.keep(np.ones(3))) == 0
    assert found.index_of(0) == -1
    assert found.data()[0]["note"] == "dropped"
    assert found.data()[0]["shape"] == [3]


def test_computed_value_has_no_dtype():
    found = ValueEncoder(ValueStore())
    assert found.add_computed([1, 2]) == 0
    assert (found.data()[0]["cells"], found.data()[0]["dtype"]) == ([1, 2], "")


def test_empty_value_has_no_cells():
    (value,) = sent(np.ones((0, 3)))
    assert (value["cells"], value["shown"]) == ([], [0, 0])


def test_numbers_rounded_all_at_once_are_those_of_python():
    rng = np.random.default_rng(1)
    values = rng.standard_normal(2000) * 10.0 ** rng.integers(-40, 40, 2000)
    odd = [0.0, -0.0, 1.0, 1e5, 1e6, 999999.6, 100000.5, 123456.5, 1e-16, 5e-324, 1e308]
    single = rng.standard_normal(2000).astype(np.float32)
    for array in (values, single, np.array(odd)):
        for block in np.array_split(array, max(1, array.size // 50)):
            (value,) = sent(block)
            want = [float(f"{x:.6g}") for x in block.tolist()]
            assert list(map(str, value["cells"])) == list(map(str, want))


def test_rounded_numbers_that_are_not_finite_are_words():
    (value,) = sent(np.array([np.nan, 1.5, np.inf, -np.inf]))
    assert value["cells"] == ["nan", 1.5, "inf", "-inf"]
