"""Philox: the published numbers, and what is made of them."""

from __future__ import annotations

import numpy as np
import pytest

from edutorch.random import philox

# Known answers of the authors (Random123, `philox 4x32 10`): counter, key, result.
KNOWN = [
    ((0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ((2**64 - 1, 2**64 - 1), (2**32 - 1, 2**32 - 1),
     "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ((0x85A308D3_243F6A88, 0x03707344_13198A2E), (0xA4093822, 0x299F31D0),
     "d16cfe09 94fdcceb 5001e420 24126ea1"),
]  # fmt: skip


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN)
def test_words_are_the_published_ones(counter, key, expected):
    low, high = map(np.uint64, counter)
    words = philox.philox(key[0] | key[1] << 32, low, high)
    assert [f"{word:08x}" for word in words] == expected.split()


@pytest.mark.parametrize(("n", "most", "grid"), [(1, 9, 1), (257, 9, 2), (10**6, 9, 9)])
def test_grid_covers_elements_up_to_what_runs_at_once(n, most, grid):
    assert philox.grid_of(n, most) == grid


def test_uniform_numbers_reach_the_lower_end_and_not_the_upper_one():
    out = np.empty(100_000, np.float32)
    philox.draw("uniform_float", out, 4, 0, 0, 1.0, 2.0, 3.0)
    assert 2 <= out.min() < 2.001 and 2.999 < out.max() < 3


@pytest.mark.parametrize("kind", ["float", "double"])
def test_normal_numbers_have_their_mean_and_deviation(kind):
    out = np.empty(100_000, np.float32 if kind == "float" else np.float64)
    philox.draw(f"normal_{kind}", out, 4, 5, 0, 2.0, 1.0)
    assert abs(out.mean() - 1) < 0.03 and abs(out.std() - 2) < 0.03


def test_dropout_masks_by_pairs_and_by_fours_keep_their_share():
    for pack in (2, 4, 8):
        out = np.empty(10_000, np.float32)
        philox.dropout_mask(out, 2, 1, 0, 0.75, pack)
        assert abs(out.mean() - 0.75) < 0.03
        assert set(np.unique(out)) == {0, 1}


def test_places_of_equal_keys_keep_their_members():
    keys, order = np.array([1, 1, 1, 4, 6, 6]), np.arange(6)
    philox.shuffle_equal_keys(keys, order, 3, 0)
    assert sorted(order[:3]) == [0, 1, 2] and order[3] == 3
    assert sorted(order[4:]) == [4, 5]
