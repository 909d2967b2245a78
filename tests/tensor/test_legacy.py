"""The old names of tensor types."""

from __future__ import annotations

import edutorch as torch


def test_old_names_make_tensors_of_their_type():
    assert torch.LongTensor([1, 2]).dtype is torch.int64
    assert torch.FloatTensor(2, 3).shape == (2, 3)
    assert torch.ByteTensor([1]).type() == "torch.ByteTensor"


def test_old_names_answer_isinstance():
    assert isinstance(torch.ones(1), torch.FloatTensor)
    assert not isinstance(torch.ones(1), torch.DoubleTensor)
