"""Orders of arrays, with the ties of PyTorch's CPU."""

import numpy as np
import pytest

from edutorch.kernels import sorting
from edutorch.kernels.sorting import (
    argsort_indices,
    kthvalue_index,
    median_index,
    stable_argsort,
    topk_indices,
)
from tests.oracle import torch

SIZES = (1, 2, 5, 16, 17, 40, 129, 700)
DTYPES = ("bool", "uint8", "int16", "int64", "float16", "float32", "float64")


def rows(n, dtype, values=4):
    x = np.random.default_rng(n).integers(0, values, (3, n)).astype(dtype)
    if x.dtype.kind == "f" and n > 4:
        x[:, n // 2], x[:, n // 3] = np.nan, -0.0
    return x


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
def test_order_of_equal_elements_equals_pytorch(dtype, descending):
    for n in SIZES:
        x = rows(n, dtype)
        expected = torch.argsort(torch.from_numpy(x), descending=descending)
        assert (argsort_indices(x, 1, descending) == expected.numpy()).all(), n
        assert (argsort_indices(x.T, 0, descending) == expected.numpy().T).all(), n


@pytest.mark.parametrize("in_order", [True, False])
@pytest.mark.parametrize("largest", [True, False])
@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_top_of_equal_elements_equals_pytorch(dtype, largest, in_order):
    for n in SIZES:
        x = rows(n, dtype, 40)
        for k in {1, min(2, n), max(n // 64, 1), n // 2 + 1, n}:
            expected = torch.topk(torch.from_numpy(x), k, 1, largest, in_order)[1]
            found = topk_indices(x, k, 1, largest, in_order)
            assert (found == expected.numpy()).all(), (n, k)


@pytest.mark.parametrize("dtype", DTYPES[1:])
def test_kth_and_median_of_equal_elements_equal_pytorch(dtype):
    for n in SIZES:
        x = rows(n, dtype)
        t = torch.from_numpy(x)
        for k in {0, n // 3, n // 2, n - 1}:
            expected = torch.kthvalue(t, k + 1, 1, True)[1].numpy()
            assert (kthvalue_index(x, k, 1) == expected).all(), (n, k)
        for name, skip in (("median", False), ("nanmedian", True)):
            expected = getattr(torch, name)(t, 1, True)[1].numpy()
            assert (median_index(x, 1, skip) == expected).all(), n


def test_order_of_long_vectors_of_integers_is_stable():
    x = np.random.default_rng(0).integers(0, 9, 32768)
    assert (argsort_indices(x, 0) == stable_argsort(x, 0)).all()
    assert (argsort_indices(x, 0, radix=False) != stable_argsort(x, 0)).any()
    assert (argsort_indices(x[:-1], 0) != stable_argsort(x[:-1], 0)).any()


@pytest.mark.parametrize("dtype", [np.float32, np.int8, np.uint8, np.int32, bool])
def test_bit_keys_are_in_the_order_of_the_numbers(dtype):
    x = np.random.default_rng(0).integers(-100, 100, 200).astype(dtype)
    if dtype == np.float32:
        x[:5] = 0.0, -0.0, np.inf, -np.inf, 1e-40
        x = x / np.float32(7)
    keys = sorting.sortable_bits(x)
    assert keys.dtype == np.int32
    np.testing.assert_array_equal(keys[:, None] < keys, x[:, None] < x)


def test_bit_keys_of_nan_are_equal_and_the_greatest():
    keys = sorting.sortable_bits(np.float32([np.nan, np.inf, -np.nan]))
    assert keys[0] == keys[2] > keys[1]


def test_bit_keys_of_wide_numbers_are_none():
    assert sorting.sortable_bits(np.zeros(2)) is None
    assert sorting.sortable_bits(np.zeros(2, np.int64)) is None


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "int32", "int64", "uint64"]
)
@pytest.mark.parametrize("span", [100, 2**20, 2**40])
def test_digit_order_is_the_stable_one(dtype, span):
    info = np.iinfo(dtype)
    low = info.min if span % 3 else max(info.min, -50)
    high = min(info.max, low + span)
    x = np.random.default_rng(0).integers(low, high, 3000, dtype, endpoint=True)
    expected = np.argsort(x, kind="stable")
    np.testing.assert_array_equal(sorting.radix_argsort(x), expected)
