"""Devices: names, numbers, equality."""

from __future__ import annotations

import copy
import pickle
import threading

import pytest

import edutorch as torch
from edutorch import devices


def test_equal_devices_are_equal_objects():
    assert torch.device("cuda:1") is torch.device("cuda", 1)
    assert torch.device("cuda:1") != torch.device("cuda:0")
    assert repr(torch.device("cuda:1")) == "device(type='cuda', index=1)"
    assert str(torch.device("cpu")) == "cpu"
    assert pickle.loads(pickle.dumps(torch.device("cuda:1"))) is torch.device("cuda:1")
    assert copy.deepcopy(torch.device("cpu")) is torch.device("cpu")


def test_names_that_no_device_has_are_refused():
    with pytest.raises(RuntimeError, match="Expected one of cpu, cuda"):
        torch.device("toaster")
    with pytest.raises(RuntimeError, match="Invalid device string: 'cuda:x'"):
        torch.device("cuda:x")


def test_default_device_is_where_tensors_are_made():
    with torch.cuda.simulate(devices=1):
        torch.set_default_device("cuda")
        try:
            assert torch.zeros(1).device == torch.device("cuda:0")
        finally:
            torch.set_default_device(None)
    assert torch.zeros(1).device == torch.device("cpu")


def test_cuda_without_a_number_is_the_current_gpu():
    assert devices.to_device("cuda") is torch.device("cuda", devices.current_cuda())


def test_device_makes_tensors_inside_its_block():
    with torch.cuda.simulate(devices=2), torch.device("cuda:1"):
        with torch.device("cpu"):
            assert torch.zeros(1).is_cpu
        assert torch.zeros(1).device == torch.device("cuda:1")
    assert torch.get_default_device() == torch.device("cpu")


def test_device_numbers_have_no_leading_zeros():
    with pytest.raises(RuntimeError, match="Invalid device string: 'cuda:01'"):
        torch.device("cuda:01")


def test_default_device_belongs_to_its_thread():
    seen = []
    with torch.cuda.simulate(), torch.device("cuda"):
        thread = threading.Thread(target=lambda: seen.append(torch.zeros(1).device))
        thread.start()
        thread.join()
        assert torch.zeros(1).is_cuda
    assert seen == [torch.device("cpu")]
