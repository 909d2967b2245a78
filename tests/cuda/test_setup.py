"""Which GPUs there are, and which one is current."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_simulation_is_a_block_that_restores():
    before = torch.cuda.is_available(), torch.cuda.device_count()
    with torch.cuda.simulate(devices=2, memory="64MB"):
        assert torch.cuda.is_available() and torch.cuda.is_simulated()
        assert torch.cuda.device_count() == 2
        assert torch.cuda.get_device_name(1) == "simulated GPU 1"
    assert (torch.cuda.is_available(), torch.cuda.device_count()) == before


def test_current_device_is_what_cuda_means():
    with torch.cuda.simulate(devices=2):
        with torch.cuda.device(1):
            assert torch.ones(1, device="cuda").device == torch.device("cuda:1")
        assert torch.cuda.current_device() == 0
        with pytest.raises(RuntimeError, match="invalid device"):
            torch.cuda.set_device(5)


def test_devices_that_are_no_gpus_are_refused():
    with (
        torch.cuda.simulate(),
        pytest.raises(ValueError, match="Expected a cuda device"),
    ):
        torch.cuda.memory_allocated("cpu")
    with pytest.raises(ValueError, match="at least one device"):
        torch.cuda.simulate(devices=0)


def test_work_on_two_devices_is_kept_apart():
    with torch.cuda.simulate(devices=2):
        a = torch.ones(2, device="cuda:0", requires_grad=True)
        b = a.to("cuda:1") * 3
        b.sum().backward()
        assert b.device == torch.device("cuda:1")
        assert a.grad.device == torch.device("cuda:0") and a.grad.tolist() == [3.0, 3.0]
        torch.cuda.synchronize()
