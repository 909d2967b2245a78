"""Objects in a few words."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

import edutorch as torch
from edutorch.inspect.reference_names import describe_path, what_is
from edutorch.inspect.reference_roots import Root


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1, 2], "list of 2"),
        ({}, "dict of 0"),
        (deque([1], maxlen=4), "deque of 1, at most 4"),
        (np.zeros((2, 3)), "array 2×3 float64"),
        (torch.ones(2, 3), "tensor 2×3 float32"),
        (torch.ones((), requires_grad=True) * 2, "tensor scalar float32 with grad_fn"),
        (pytest.raises, "function raises"),
        (torch.nn.Linear(1, 1), "Linear"),
        (torch.nn.Linear, "class Linear"),
    ],
)
def test_object_is_told_in_a_few_words(value, words):
    assert what_is(value) == words


def test_long_key_is_cut():
    held = {"k" * 1000: [1]}
    (hop,) = describe_path(Root("", "d", "", 0), [held, held["k" * 1000]]).hops
    assert len(hop.code) < 60
