"""Old names of mixed precision, for the CPU."""

import pytest

import edutorch as torch


def test_old_names_warn_and_work():
    with pytest.warns(FutureWarning, match="^`torch.cpu.amp.autocast"):
        block = torch.cpu.amp.autocast(dtype=torch.float16)
    with block:
        assert (torch.ones(1, 1) @ torch.ones(1, 1)).dtype is torch.float16
    with pytest.warns(FutureWarning, match="^`torch.cpu.amp.GradScaler"):
        assert torch.cpu.amp.GradScaler(8.0).get_scale() == 8.0
