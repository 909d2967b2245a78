"""Which backend serves a device."""

from __future__ import annotations

import numpy as np
import pytest

import edutorch as torch
from edutorch.backends import array_module, backend_of


def test_cpu_is_numpy_and_copies():
    backend = backend_of(torch.device("cpu"))
    x = np.ones(2)
    assert backend.xp is np
    assert backend.upload(x, torch.device("cpu")) is not x
    assert array_module(x) is np and array_module(3) is np


def test_gpu_where_there_is_none_is_refused_in_pytorchs_words(monkeypatch):
    monkeypatch.setattr("edutorch.backends.gpus._looked", True)
    monkeypatch.setattr("edutorch.backends.gpus._found", None)
    with pytest.raises(AssertionError) as caught:
        torch.ones(1).to("cuda")
    assert str(caught.value).splitlines()[0] == "Torch not compiled with CUDA enabled"
    assert "simulate" in str(caught.value)


def test_devices_that_edutorch_does_not_have_are_refused():
    with pytest.raises(NotImplementedError, match="xpu"):
        backend_of(torch.device("xpu"))
