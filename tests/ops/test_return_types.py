"""Named results."""

from __future__ import annotations

import edutorch as torch


def test_named_results_are_tuples_with_names():
    result = torch.ones(2, 2).max(dim=0)
    values, indices = result
    assert result.values is values and result.indices is indices
    assert repr(result).startswith("torch.return_types.max(\nvalues=tensor(")
