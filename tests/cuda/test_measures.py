"""What nobody measures is refused."""

from __future__ import annotations

import pytest

import edutorch as torch

ASKED = ("memory_usage", "utilization", "temperature", "power_draw", "clock_rate")


@pytest.mark.parametrize("name", ASKED)
def test_what_nobody_measures_is_refused(name):
    with pytest.raises(ModuleNotFoundError, match="nvidia-ml-py"):
        getattr(torch.cuda, name)()
    assert "pynvml" in torch.cuda.list_gpu_processes()
