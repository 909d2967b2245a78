"""Names of backends."""

from __future__ import annotations

import pytest

from edutorch import distributed as dist


def test_backend_refuses_a_name_that_nobody_knows():
    assert dist.Backend("cpu:gloo,cuda:nccl") == "cpu:gloo,cuda:nccl"
    with pytest.raises(ValueError, match="Invalid backend: 'carrier'"):
        dist.Backend("carrier")


def test_default_backends_are_those_of_pytorch():
    torch = pytest.importorskip("torch", reason="needs PyTorch (torch)")
    theirs = torch.distributed.get_default_backend_for_device
    for device in ("cpu", "cuda", "cuda:1", "mps", "xpu"):
        assert dist.get_default_backend_for_device(device) == theirs(device)
    for function in (dist.get_default_backend_for_device, theirs):
        with pytest.raises(ValueError, match="not registered for device : meta"):
            function("meta")
