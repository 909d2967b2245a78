"""Tensors as memory: their own where possible, else a copy that is written back."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.distributed.collectives.buffers import (
    as_bytes,
    receive_buffer,
    send_buffer,
)


def test_contiguous_memory_is_not_copied():
    x = torch.arange(6.0).reshape(2, 3)
    assert send_buffer(x) is x._data
    array, write_back = receive_buffer(x)
    before = x._version
    array[0, 0] = 5.0
    write_back()
    assert x[0, 0] == 5
    assert x._version == before + 1


def test_strided_memory_is_copied_and_written_back():
    x = torch.arange(6.0).reshape(2, 3).t()
    array, write_back = receive_buffer(x)
    assert array.flags.c_contiguous
    array[...] = 7.0
    write_back()
    assert (x == 7).all()


@pytest.mark.parametrize("shape", [(), (2,), (2, 0)])
def test_memory_of_a_simulated_gpu_is_copied_and_written_back(shape):
    with torch.cuda.simulate(devices=1):
        x = torch.zeros(shape, device="cuda")
        array, write_back = receive_buffer(x)
        assert array.shape == shape
        array += 3
        write_back()
        assert (x == 3).all()
        assert (send_buffer(x) == 3).all()


def test_conjugate_views_are_resolved():
    x = torch.tensor([1 + 2j]).conj()
    assert send_buffer(x).tolist() == [1 - 2j]


def test_bytes_are_those_of_the_same_memory():
    x = np.zeros(2, np.float32)
    as_bytes(x)[3] = 0x3F
    assert x[0] == 0.5
