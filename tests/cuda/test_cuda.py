"""The names of `torch.cuda`."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_names_are_there_and_generators_are_those_of_now():
    assert [n for n in torch.cuda.__all__ if not hasattr(torch.cuda, n)] == []
    with torch.cuda.simulate(devices=3):
        assert len(torch.cuda.default_generators) == 3
    assert torch.cuda.has_half is True
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = torch.cuda.nonsense
