"""Memory that several processes see."""

from __future__ import annotations

import os

import numpy as np
import pytest

from edutorch.backends import shared


def test_fresh_memory_is_zero_and_found_again():
    memory = shared.allocate(16)
    array = np.frombuffer(memory, np.float64)
    assert array.tolist() == [0.0, 0.0]
    assert shared.owner(array[1:]) is memory
    assert shared.owner(np.zeros(2)) is None


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="needs memfd_create")
def test_descriptor_leads_to_the_same_memory():
    memory = shared.allocate(8)
    other = shared.attach(os.dup(memory.descriptor), 8)
    memory[0] = 7
    assert other[0] == 7


@pytest.mark.skipif(not hasattr(os, "memfd_create"), reason="needs memfd_create")
def test_descriptor_is_closed_with_the_memory():
    memory = shared.allocate(8)
    descriptor = memory.descriptor
    del memory
    with pytest.raises(OSError):
        os.fstat(descriptor)
