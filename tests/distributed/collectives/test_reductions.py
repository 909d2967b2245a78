"""Collectives that combine values, compared with NumPy."""

from __future__ import annotations

from functools import reduce

import numpy as np
import pytest

from tests.distributed.collectives.test_data_movement import own, values
from tests.distributed.launching import needs_mpi

pytestmark = needs_mpi
FUNCTIONS = {
    "SUM": np.add,
    "PRODUCT": np.multiply,
    "MIN": np.minimum,
    "MAX": np.maximum,
}
DTYPES = (
    "float32",
    "float64",
    "float16",
    "bfloat16",
    "uint8",
    "int8",
    "int32",
    "int64",
)


def combined(function, parts):
    return reduce(function, parts)


@pytest.mark.parametrize("op", FUNCTIONS)
def test_all_reduce_combines_every_dtype_as_numpy_does(collected, op):
    parts = [own(rank, 3, 2) for rank in range(len(collected))]
    expected = combined(FUNCTIONS[op], parts)
    for dtype in DTYPES:
        exact = expected
        if dtype in {"uint8", "int8"}:
            exact = expected.astype(np.int64).astype(dtype)
        for rank in collected:
            name, got = rank[f"all_reduce {dtype} {op}"]
            assert name == f"torch.{dtype}"
            if dtype == "bfloat16":  # eight bits
                assert np.allclose(got, exact, rtol=2**-8)
            else:
                assert np.array_equal(got, exact), dtype


@pytest.mark.parametrize(
    ("op", "function"),
    [("BAND", np.bitwise_and), ("BOR", np.bitwise_or), ("BXOR", np.bitwise_xor)],
)
def test_all_reduce_of_bits_is_that_of_numpy(collected, op, function):
    parts = [own(rank, 4).astype(int) for rank in range(len(collected))]
    for got in values(collected, f"all_reduce int32 {op}"):
        assert np.array_equal(got, combined(function, parts))


def test_reduce_gives_the_destination_the_sum(collected):
    total = sum(own(rank, 2, 3) for rank in range(len(collected)))
    assert np.array_equal(collected[1]["reduce"][1], total)


def test_reduce_scatter_gives_each_rank_its_part_of_the_sum(collected):
    size = len(collected)
    total = sum(own(rank, 2 * size) for rank in range(size)).reshape(size, 2)
    for rank, got in enumerate(values(collected, "reduce_scatter_tensor")):
        assert np.array_equal(got, total[rank])
    for rank, got in enumerate(values(collected, "reduce_scatter")):
        assert np.array_equal(got, sum(own(r, 2, add=rank) for r in range(size)))
