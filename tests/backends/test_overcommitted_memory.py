"""Arrays larger than the memory of the computer."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import edutorch as torch
from edutorch.backends import overcommitted_memory

pytestmark = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="addresses are reserved on Linux only"
)


def test_reserved_memory_is_zero_and_can_be_written():
    x = overcommitted_memory.reserved((1 << 18, 1 << 18), np.float32)  # 256 GiB
    assert x.nbytes == 2**38 and x[12345, -1] == 0
    x[12345, -1] = 7
    assert x[12345].sum() == 7


def test_number_is_a_shape_too():
    assert overcommitted_memory.reserved(3).tolist() == [0.0, 0.0, 0.0]


def test_more_than_there_is_is_booked_and_refused_where_it_is_computed():
    n = 2**40 // 4
    with torch.cuda.simulate(devices=1, memory="3000GB"):
        x = torch.empty(n, device="cuda")
        y = torch.zeros(n, device="cuda")
        assert torch.cuda.memory_allocated() == 2 * 2**40
        y[-1] = 3.0
        assert y[-2:].tolist() == [0.0, 3.0]
        with pytest.raises(torch.OutOfMemoryError, match="capacity of 3000.00 GiB"):
            torch.zeros(n, device="cuda")
        with pytest.raises(RuntimeError, match="you tried to allocate"):
            x + 1
        assert torch.cuda.memory_allocated() == 2 * 2**40


def test_system_that_refuses_is_believed(monkeypatch):
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(MemoryError):
        overcommitted_memory.reserved(3)
