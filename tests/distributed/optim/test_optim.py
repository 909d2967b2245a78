"""Distributed optimizers are importable from PyTorch's locations."""

from __future__ import annotations

import pytest

from edutorch.distributed import optim
from edutorch.optim.zero_redundancy_optimizer import ZeroRedundancyOptimizer


def test_names_are_those_of_the_package_above():
    assert optim.ZeroRedundancyOptimizer is ZeroRedundancyOptimizer
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = optim.nonsense
