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


def test_current_device_follows_tensors_and_threads_keep_their_own():
    with torch.cuda.simulate(devices=2):
        with torch.cuda.device_of(torch.ones(1, device="cuda:1")):
            assert torch.cuda.current_device() == 1
        with torch.cuda.device_of(torch.ones(1)), torch.cuda.device(None):
            assert torch.cuda.current_device() == 0
        assert torch.cuda.can_device_access_peer(0, 1)
        with pytest.raises(AssertionError, match="Invalid peer device id"):
            torch.cuda.can_device_access_peer(0, 7)


def test_facts_that_programs_ask_for():
    with torch.cuda.simulate():
        torch.cuda.init()
        assert torch.cuda.is_initialized() and torch.cuda.is_bf16_supported()
        assert torch.cuda.get_device_capability() == (0, 0)
        assert not torch.cuda.is_bf16_supported(including_emulation=False)
        torch.cuda.set_sync_debug_mode("error")
        assert torch.cuda.get_sync_debug_mode() == 2
        torch.cuda.set_sync_debug_mode(0)
        with pytest.raises(RuntimeError, match="invalid value of debug_mode"):
            torch.cuda.set_sync_debug_mode("loud")
    assert torch.cuda.get_arch_list() == [] and torch.cuda.cudaStatus.SUCCESS == 0
    assert str(torch.cuda.CudaError(2)) == "CUDA error (2)"


def test_nothing_is_initialized_without_a_gpu(monkeypatch):
    monkeypatch.setattr("edutorch.backends.gpus.gpus", lambda: None)
    assert not torch.cuda.is_initialized() and not torch.cuda.is_bf16_supported()
    with pytest.raises(AssertionError, match="not compiled with CUDA"):
        torch.cuda.init()


def test_kind_of_gpu_gives_name_memory_and_capability():
    with torch.cuda.simulate(devices=2, like="A100"):
        assert torch.cuda.get_device_name(1) == "simulated A100"
        found = torch.cuda.get_device_properties(0)
        assert found.total_memory == 80 * 2**30 and found.multi_processor_count == 108
        assert torch.cuda.get_device_capability() == (8, 0)
        assert torch.cuda.is_bf16_supported(including_emulation=False)
    with torch.cuda.simulate(devices=4, memory="2GB", like="t4"):
        assert torch.cuda.get_device_properties(3).total_memory == 2 * 2**30
        assert torch.cuda.get_device_name() == "simulated T4"
    with pytest.raises(ValueError, match="expected the name of a GPU"):
        torch.cuda.simulate(like="abacus")
