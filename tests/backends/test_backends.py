"""Which backend serves a device."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest

import edutorch as torch
from edutorch.backends import array_module, backend_of
from tests.training import losses_on


def test_cpu_is_numpy_and_copies():
    backend = backend_of(torch.device("cpu"))
    x = np.ones(2)
    assert backend.xp is np
    assert backend.upload(x, torch.device("cpu")) is not x
    assert array_module(x) is np and array_module(3) is np


def test_gpu_where_there_is_none_is_refused_with_pytorchs_message(monkeypatch):
    monkeypatch.setattr("edutorch.backends.gpus._looked", True)
    monkeypatch.setattr("edutorch.backends.gpus._found", None)
    with pytest.raises(AssertionError) as caught:
        torch.ones(1).to("cuda")
    assert str(caught.value).splitlines()[0] == "Torch not compiled with CUDA enabled"
    assert "simulate" in str(caught.value)


def test_devices_that_edutorch_does_not_have_are_refused():
    with pytest.raises(NotImplementedError, match="xpu"):
        backend_of(torch.device("xpu"))


class Memory:
    """Bytes that are counted until they are released."""

    def __init__(self, backend, nbytes):
        self.backend, self.rounded, self.held = backend, nbytes, True
        backend.used += nbytes

    def release(self):
        if self.held:
            self.held = False
            self.backend.used -= self.rounded


class Xpu:
    """A type of device as `docs/adding-a-backend.md` describes it."""

    xp = np
    used = 0

    def allocate(self, device, nbytes):
        return Memory(self, nbytes)

    def upload(self, array, device):
        return array.copy()

    def download(self, array):
        return np.array(array)


@pytest.fixture
def xpu(monkeypatch):
    made = Xpu()

    def serving(device):
        return made if device.type == "xpu" else backend_of(device)

    for module in list(sys.modules.values()):
        if vars(module).get("backend_of") is backend_of and module.__name__ != __name__:
            monkeypatch.setattr(module, "backend_of", serving)
    return made


def test_another_type_of_device_needs_a_backend_alone(xpu):
    assert losses_on("xpu") == losses_on("cpu")
    gc.collect()
    assert xpu.used == 0
    x = torch.ones(3, device="xpu")
    assert xpu.used == 12
    with pytest.raises(RuntimeError, match="xpu and cpu"):
        x + torch.ones(3)
