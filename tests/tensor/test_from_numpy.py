"""Arrays of NumPy become tensors: one dtype object for each dtype, or a refusal."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import edutorch as torch
from edutorch.tensor.from_numpy import validated_array

UNUSUAL = {
    "unpickled": pickle.loads(pickle.dumps(np.ones((2, 3), np.float32))),
    "byte order named": np.ones((2, 3), np.dtype("<f4").newbyteorder("=")),
    "with metadata": np.ones((2, 3), np.dtype("f4", metadata={"unit": "m"})),
    "field": np.ones((2, 3), np.dtype([("x", "f4"), ("y", "f4")]))["x"],
}
MAKERS = (
    torch.tensor, torch.from_numpy, torch.as_tensor, torch.asarray, torch.Tensor,
    torch.FloatTensor, torch.from_dlpack, lambda a: torch.ones(1).new_tensor(a),
    lambda a: torch.ones(1).new(a), lambda a: torch.tensor([a[0], a[1]]),
)  # fmt: skip


@pytest.mark.parametrize("array", UNUSUAL.values(), ids=UNUSUAL)
@pytest.mark.parametrize("make", MAKERS)
def test_equal_dtype_that_is_another_object_multiplies(make, array):
    found = make(array) @ torch.ones(3, 2)
    assert found.tolist() == [[3, 3], [3, 3]]
    assert make(array)._data.dtype is torch.float32.numpy


@pytest.mark.parametrize("array", UNUSUAL.values(), ids=UNUSUAL)
def test_accepted_memory_is_shared(array):
    array = array.copy() if array.flags.c_contiguous else array
    torch.from_numpy(array).fill_(7)
    assert (array == 7).all()


def test_wide_integers_of_c_are_int64():
    found = torch.from_numpy(np.arange(3, dtype=np.longlong))
    assert found._data.dtype is torch.int64.numpy


def test_values_in_the_other_byte_order_are_refused_but_in_lists_turned():
    array = np.arange(3, dtype=">i4")
    for make in (torch.tensor, torch.from_numpy, torch.Tensor, torch.IntTensor):
        with pytest.raises(ValueError, match="byte order different from the native"):
            make(array)
    assert torch.tensor([array, array]).tolist() == [[0, 1, 2], [0, 1, 2]]


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.ones(3)[::-1], "At least one stride in the given numpy array is negative"),
        (np.ones((1, 3))[::-1], "At least one stride in the given numpy array is neg"),
        (
            np.zeros(4, np.dtype([("a", "u1"), ("x", "<f4")]))["x"],
            "given numpy array strides not a multiple of the element byte size",
        ),
    ],
)
def test_strides_that_tensors_cannot_have_are_refused(array, message):
    with pytest.raises(ValueError, match=message):
        validated_array(array)
    for make in (torch.tensor, torch.from_numpy, torch.Tensor):
        with pytest.raises(ValueError, match=message):
            make(array)


def test_copy_keeps_the_order_of_memory():
    assert torch.tensor(np.asfortranarray(np.ones((2, 3)))).stride() == (1, 2)
