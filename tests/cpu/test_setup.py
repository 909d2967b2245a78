"""The CPU as a device among others."""

import edutorch as torch


def test_cpu_answers_as_other_devices_do():
    assert torch.cpu.is_available()
    assert torch.cpu.is_initialized()
    assert torch.cpu.device_count() == 1
    assert torch.cpu.current_device() == "cpu"
    assert torch.cpu.set_device("cpu") is None
    assert torch.cpu.synchronize() is None
