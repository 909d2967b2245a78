"""Which tensors the variables of a function hold."""

from __future__ import annotations

import gc
import sys
import weakref

import edutorch as torch
from edutorch.inspect.frame_tensors import tensors_of


def test_tensors_of_a_function_are_found_by_their_names():
    weight, other = torch.ones(2), 3
    found = tensors_of(sys._getframe())
    assert found["weight"] is weight
    assert "other" not in found and other == 3


def test_tensors_of_a_function_are_not_kept_alive():
    def look():
        local = torch.ones(2)
        assert "local" in tensors_of(sys._getframe())
        return weakref.ref(local)

    reference = look()
    gc.collect()
    assert reference() is None
