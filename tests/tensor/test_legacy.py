"""The old names of tensor types."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_old_names_make_tensors_of_their_type():
    assert torch.LongTensor([1, 2]).dtype is torch.int64
    assert torch.FloatTensor(2, 3).shape == (2, 3)
    assert torch.ByteTensor([1]).type() == "torch.ByteTensor"


def test_old_names_answer_isinstance():
    assert isinstance(torch.ones(1), torch.FloatTensor)
    assert not isinstance(torch.ones(1), torch.DoubleTensor)


def test_default_tensor_type_sets_the_default_dtype():
    torch.set_default_tensor_type("torch.DoubleTensor")
    try:
        assert torch.ones(1).dtype is torch.float64
    finally:
        torch.set_default_tensor_type(torch.FloatTensor)
    assert torch.ones(1).dtype is torch.float32
    with pytest.raises(TypeError, match="only floating-point types"):
        torch.set_default_tensor_type(torch.LongTensor)
