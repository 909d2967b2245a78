"""Page-locked memory of simulated GPUs."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_pinned_copy_is_marked_and_its_source_is_not():
    with torch.cuda.simulate():
        x = torch.arange(6.0)
        y = x.pin_memory()
        assert y.is_pinned() and y[2:].is_pinned() and not x.is_pinned()
        assert y.pin_memory() is y and y.tolist() == x.tolist()
        assert not (y + 1).is_pinned()


def test_tensor_of_a_gpu_cannot_be_pinned():
    with torch.cuda.simulate():
        x = torch.ones(2, device="cuda")
        with pytest.raises(RuntimeError, match=r"cannot pin 'torch.cuda.FloatTensor'"):
            x.pin_memory()


def test_marks_end_with_the_memory():
    with torch.cuda.simulate():
        marked = torch.ones(3).pin_memory()
        del marked
        assert not any(torch.ones(3).is_pinned() for _ in range(20))
