"""The accelerator of this machine."""

from __future__ import annotations

import pytest

import edutorch
from edutorch import accelerator
from tests.programs import Programs, attempt

programs = Programs(__file__)
NEEDING = (
    "current_device_index", "empty_cache", "max_memory_allocated",
    "max_memory_reserved", "memory_allocated", "memory_reserved", "memory_stats",
    "reset_peak_memory_stats", "synchronize",
)  # fmt: skip


@programs.add
def without_accelerators(torch):
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    found = torch.accelerator
    answers = [attempt(getattr(found, name)) for name in NEEDING]
    with found.device_index(None):
        answers.append(found.device_count())
    answers += [found.is_available(), found.current_accelerator()]
    return [*answers, attempt(lambda: found.set_device_index(0))]


test_accelerator = programs.test()


def test_simulated_gpus_are_accelerators():
    with edutorch.cuda.simulate(devices=2, memory="1MB"):
        assert accelerator.is_available()
        assert accelerator.device_count() == 2
        assert accelerator.current_accelerator(check_available=True).type == "cuda"
        with accelerator.device_index(1):
            x = edutorch.ones(256, device=accelerator.current_accelerator())
            assert x.device.index == accelerator.current_device_index() == 1
            assert accelerator.memory_allocated() == 1024
        assert accelerator.current_device_index() == 0
        assert accelerator.memory_allocated() == 0


@pytest.mark.parametrize("device", ["cpu", edutorch.device("cuda:1"), "cuda"])
def test_device_module_is_the_room_of_its_kind(device):
    kind = str(device).split(":", maxsplit=1)[0]
    assert edutorch.get_device_module(device) is getattr(edutorch, kind)


def test_device_module_is_that_of_the_accelerator_if_there_is_one():
    with edutorch.cuda.simulate():
        assert edutorch.get_device_module() is edutorch.cuda


def test_device_module_of_other_devices_is_refused():
    with pytest.raises(RuntimeError, match="Device 'xla' does not have a correspond"):
        edutorch.get_device_module("xla")
    with pytest.raises(RuntimeError, match="Invalid value of device '3', expect torch"):
        edutorch.get_device_module(3)


def test_accelerator_has_streams_memory_and_capability():
    with edutorch.cuda.simulate(memory="1MB"):
        assert edutorch.accelerator.get_memory_info() == (2**20, 2**20)
        before = edutorch.accelerator.current_stream()
        edutorch.accelerator.set_stream(own := edutorch.Stream())
        assert (
            edutorch.accelerator.current_stream()
            == own
            == edutorch.cuda.current_stream()
        )
        edutorch.accelerator.set_stream(before)
        edutorch.accelerator.empty_host_cache()
        edutorch.accelerator.reset_accumulated_memory_stats()
        able = edutorch.accelerator.get_device_capability()["supported_dtypes"]
        assert edutorch.bfloat16 in able
        with pytest.raises(RuntimeError, match="captures no graphs"):
            edutorch.accelerator.Graph()
