"""Sizes for every dimension."""

from __future__ import annotations

from edutorch.nn.modules.utils import ntuple


def test_ntuple_repeats_numbers_and_keeps_sequences():
    assert ntuple(3, 2) == (3, 3)
    assert ntuple([1, 2], 2) == (1, 2)
    assert ntuple((1, 2, 3), 3) == (1, 2, 3)
