"""Old names of mixed precision, for GPUs."""

import pytest

import edutorch as torch


def test_old_names_warn_and_work():
    with torch.cuda.simulate():
        assert not torch.cuda.amp.amp_definitely_not_available()
        with pytest.warns(FutureWarning, match="^`torch.cuda.amp.autocast"):
            block = torch.cuda.amp.autocast()
        x = torch.ones(1, 1, device="cuda")
        with block:
            assert (x @ x).dtype is torch.float16
        with pytest.warns(FutureWarning, match="^`torch.cuda.amp.GradScaler"):
            scaler = torch.cuda.amp.GradScaler()
        assert scaler.scale(x).item() == 65536.0
        assert scaler.is_enabled()


def test_old_decorators_warn_and_decorate():
    with pytest.warns(FutureWarning, match="^`torch.cuda.amp.custom_fwd"):
        assert torch.cuda.amp.custom_fwd(lambda ctx: 1).__name__ == "<lambda>"
    with pytest.warns(FutureWarning, match="^`torch.cuda.amp.custom_bwd"):
        assert torch.cuda.amp.custom_bwd(lambda ctx: 1).__name__ == "<lambda>"
