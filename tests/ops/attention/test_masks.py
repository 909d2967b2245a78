"""Masks of attention."""

import pytest

import edutorch as torch
from edutorch.ops.attention.masks import additive_mask, check_masks, subsequent_mask

INF = float("inf")


def test_booleans_become_numbers_to_add():
    mask = additive_mask(torch.tensor([True, False]), "mask", torch.float64)
    assert mask.tolist() == [-INF, 0.0]
    assert mask.dtype is torch.float64


def test_numbers_stay_as_they_are():
    mask = torch.zeros(2)
    assert additive_mask(mask, "mask", torch.float32) is mask


def test_integers_are_refused():
    with pytest.raises(AssertionError, match="only bool and floating types of mask"):
        additive_mask(torch.tensor([1]), "mask", torch.float32)


def test_masks_of_two_kinds_are_warned_of():
    with pytest.warns(UserWarning, match="mismatched a and b"):
        additive_mask(torch.tensor([True]), "a", torch.float32, torch.zeros(1), "b")


def test_nobody_looks_into_the_future():
    assert subsequent_mask(2).tolist() == [[0.0, -INF], [0.0, 0.0]]


def test_a_mask_for_all_heads_gets_a_dimension_for_them():
    mask = torch.zeros(2, 3)
    assert check_masks(mask, 2, 3, 4).shape == (1, 2, 3)
    with pytest.raises(RuntimeError, match="The shape of the 2D attn_mask"):
        check_masks(mask, 3, 2, 4)
