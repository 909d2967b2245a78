"""Same seed, same losses: the chapters that train, in edutorch and in PyTorch.

A training run multiplies differences where a value lies next to a kink of ReLU or
a tie of max pooling. A chapter's seed is one whose first losses stay within 1e-5
when all weights are disturbed by 5e-7, so that rounding cannot decide the test.
"""

from __future__ import annotations

import pytest

from tests.answers import STORE
from tests.notebooks.program import (
    CELLS,
    LOSSES,
    farthest,
    first_losses,
    store,
    stored,
)
from tests.require import required


@pytest.fixture(scope="module", params=list(CELLS))
def name(request):
    return request.param


@pytest.fixture(scope="module")
def ours(name):
    return first_losses(name, "edutorch")


@pytest.fixture(scope="module")
def theirs(name):
    if not required("torch"):
        pytest.importorskip("torch", reason="needs PyTorch (torch)")
    from tests.oracle import torch

    losses = first_losses(name, torch.__name__)
    if STORE:
        store(name, losses, torch.__version__.split("+")[0])
    return losses


def test_losses_stored_are_pytorchs(name, theirs):
    assert farthest(stored(name), theirs) <= 1e-4


def test_losses_of_the_chapter_are_those_stored_from_pytorch(name, ours):
    assert len(stored(name)) == LOSSES
    assert farthest(ours, stored(name)) <= 1e-4


def test_losses_of_the_chapter_are_the_same_each_time(name, ours):
    assert first_losses(name, "edutorch") == ours


def test_losses_of_the_chapter_are_pytorchs(ours, theirs):
    assert farthest(ours, theirs) <= 1e-4
