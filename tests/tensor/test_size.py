"""Shapes."""

from __future__ import annotations

import copy
import pickle

import edutorch as torch


def test_size_is_a_tuple_that_counts_and_prints():
    size = torch.ones(2, 3).shape
    assert size == (2, 3) and isinstance(size, tuple)
    assert repr(size) == "torch.Size([2, 3])"
    assert size.numel() == 6
    assert torch.Size([]).numel() == 1


def test_slices_sums_and_products_stay_sizes():
    size = torch.Size([2, 3, 4])
    assert isinstance(size[1:], torch.Size) and size[0] == 2
    assert isinstance(size + (5,), torch.Size)
    assert isinstance((5,) + size, torch.Size)
    assert torch.Size([2]) * 2 == torch.Size([2, 2])


def test_size_survives_copying_and_pickling():
    size = torch.Size([2, 3])
    assert pickle.loads(pickle.dumps(size)) == size
    assert isinstance(copy.deepcopy(size), torch.Size)
