"""Simulated GPUs compute real results and account for their memory."""

from __future__ import annotations

import gc

import pytest

import edutorch as torch
from edutorch.backends import gpus
from edutorch.backends.simulated import SimulatedGpus, parse_memory
from tests.training import losses_on

MIB = 2**20


@pytest.mark.parametrize(
    ("text", "nbytes"),
    [("64MB", 64 * MIB), ("1.5 GiB", 3 * 2**29), ("512k", 2**19), (7, 7), ("100", 100)],
)
def test_memory_is_read_in_powers_of_two(text, nbytes):
    assert parse_memory(text) == nbytes


def test_memory_that_is_no_size_is_refused():
    with pytest.raises(ValueError, match="expected a size"):
        parse_memory("much")


def test_transfers_are_counted_and_timed_by_a_model():
    with torch.cuda.simulate(devices=2):
        backend: SimulatedGpus = gpus.gpus()
        x = torch.ones(1000, device="cpu").to("cuda:0")
        y = x.to("cuda:1")
        assert y.device == torch.device("cuda:1") and y.tolist() == [1.0] * 1000
        assert backend.transferred >= 4000 and backend.bus_seconds > 0


def test_the_same_program_gives_the_same_numbers_on_cpu_and_simulated():
    expected = losses_on("cpu")
    with torch.cuda.simulate(devices=1, memory="64MB"):
        assert losses_on("cuda") == expected
        gc.collect()
        assert torch.cuda.memory_allocated() == 0


def test_full_gpu_changes_nothing():
    with torch.cuda.simulate(devices=1, memory="4MB"):
        x = torch.ones(500_000, device="cuda")
        before = torch.cuda.memory_allocated()
        with pytest.raises(torch.OutOfMemoryError, match="CUDA out of memory"):
            x.repeat(4)
        assert torch.cuda.memory_allocated() == before
        assert float(x.sum()) == 500_000.0


def test_device_that_is_not_there_is_refused():
    with (
        torch.cuda.simulate(devices=1),
        pytest.raises(RuntimeError, match="invalid device"),
    ):
        torch.ones(1).to("cuda:3")


def test_sparse_tensors_live_on_simulated_gpus_too():
    with torch.cuda.simulate(devices=1, memory="64MB"):
        x = torch.eye(3).to_sparse().cuda()
        y = x @ torch.ones(3, 2, device="cuda")
        assert y.device.type == "cuda"
        assert "device='cuda:0', size=(3, 3)" in repr(x)
        assert (x * 2).cpu().to_dense().tolist() == (torch.eye(3) * 2).tolist()
