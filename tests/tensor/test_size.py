"""Shapes."""

from __future__ import annotations

import copy
import pickle

import pytest

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


@pytest.mark.parametrize("wrong", [[1.5], "ab", [None], [torch.tensor(1.5)]])
def test_size_of_non_integers_is_refused(wrong):
    with pytest.raises(TypeError, match=r"takes an iterable of 'int' \(item 0 is '"):
        torch.Size(wrong)


def test_size_of_a_tensor_holds_pythons_integers():
    size = torch.Size(torch.tensor([2, 3]))
    assert [type(n) for n in size] == [int, int]


def test_sizes_are_joined_with_tuples_only():
    with pytest.raises(
        TypeError, match=r"concatenate tuple \(not list\) to torch.Size"
    ):
        torch.Size([1]) + [2]
    with pytest.raises(TypeError, match="can only concatenate list"):
        [2] + torch.Size([1])
    with pytest.raises(TypeError, match="non-int of type 'float'"):
        torch.Size([1]) * 1.5
