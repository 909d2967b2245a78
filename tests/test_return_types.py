"""The classes of results with names."""

from __future__ import annotations

import copy
import pickle

import pytest

import edutorch as torch


def test_classes_are_found_by_name():
    found = torch.ones(2, 2).max(0)
    assert type(found) is torch.return_types.max
    assert "linalg_qr" in dir(torch.return_types)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = torch.return_types.nothing


def test_results_are_pickled_and_copied():
    result = torch.tensor([[1.0, 5.0], [7.0, 2.0]]).max(1)
    for same in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
        found = same(result)
        assert type(found) is type(result)
        assert found.values.tolist() == [5, 7]
        assert found.indices.tolist() == [1, 0]
