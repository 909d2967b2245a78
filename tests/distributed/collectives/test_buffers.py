"""Tensors as memory: their own where possible, else a copy that is written back."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.distributed.collectives.buffers import (
    as_bytes,
    check_tensor,
    check_tensors,
    readable,
    writable,
)


def test_contiguous_memory_is_not_copied():
    x = torch.arange(6.0).reshape(2, 3)
    assert readable(x) is x._data
    array, changed = writable(x)
    before = x._version
    array[0, 0] = 5.0
    changed()
    assert x[0, 0] == 5
    assert x._version == before + 1


def test_strided_memory_is_copied_and_written_back():
    x = torch.arange(6.0).reshape(2, 3).t()
    array, changed = writable(x)
    assert array.flags.c_contiguous
    array[...] = 7.0
    changed()
    assert (x == 7).all()


@pytest.mark.parametrize("shape", [(), (2,), (2, 0)])
def test_memory_of_a_simulated_gpu_is_copied_and_written_back(shape):
    with torch.cuda.simulate(devices=1):
        x = torch.zeros(shape, device="cuda")
        array, changed = writable(x)
        assert array.shape == shape
        array += 3
        changed()
        assert (x == 3).all()
        assert (readable(x) == 3).all()


def test_conjugate_views_are_resolved():
    x = torch.tensor([1 + 2j]).conj()
    assert readable(x).tolist() == [1 - 2j]


def test_bytes_are_those_of_the_same_memory():
    x = np.zeros(2, np.float32)
    as_bytes(x)[3] = 0x3F
    assert x[0] == 0.5


def test_what_is_no_tensor_is_refused():
    with pytest.raises(
        TypeError, match="Expected parameter `tensor` of type torch.Tensor"
    ):
        check_tensor([1.0], "tensor")
    with pytest.raises(TypeError, match="Expected parameter `tensors`"):
        check_tensors([torch.ones(1), 2], "tensors")
