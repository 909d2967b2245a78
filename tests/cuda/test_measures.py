"""Measurements that are not available are refused."""

from __future__ import annotations

import pytest

import edutorch as torch

UNMEASURED = ("memory_usage", "utilization", "temperature", "power_draw", "clock_rate")


@pytest.mark.parametrize("name", UNMEASURED)
def test_what_nobody_measures_is_refused(name):
    measure = getattr(torch.cuda, name)
    assert measure.__name__ == name
    assert f"torch.cuda.{name}()" in measure.__doc__
    with pytest.raises(ModuleNotFoundError, match="nvidia-ml-py"):
        measure(0)
    assert "pynvml" in torch.cuda.list_gpu_processes()
