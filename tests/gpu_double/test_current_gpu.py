"""CuPy's current device is the one that "cuda" means."""

from __future__ import annotations

import threading

import pytest

import edutorch as torch

pytest.importorskip("cupy", reason="needs cupy, whose names the stand-in has")


@pytest.fixture(autouse=True)
def several(cuda):
    """Two GPUs, of which the first is current afterwards."""
    if torch.cuda.device_count() < 2:
        pytest.skip("needs two GPUs")
    yield
    torch.cuda.set_device(0)


def test_cupy_follows_set_device(cuda):
    torch.cuda.set_device(1)
    assert cuda.cuda.Device().id == 1
    assert cuda.ones(3).device.id == 1
    torch.cuda.set_device(0)
    assert cuda.cuda.Device().id == 0


def test_cupy_follows_blocks_of_devices_and_streams(cuda):
    with torch.cuda.device(1):
        assert cuda.cuda.Device().id == 1
        with torch.cuda.device(None):
            assert cuda.cuda.Device().id == 1
    assert cuda.cuda.Device().id == 0
    with torch.cuda.stream(torch.cuda.Stream(device=1)):
        assert cuda.cuda.Device().id == 1
    assert cuda.cuda.Device().id == 0


def test_replicas_run_with_their_gpu_as_the_current_one(cuda):
    seen = {}

    class Asks(torch.nn.Module):
        def forward(self, x):
            seen[x.device.index] = cuda.cuda.Device().id
            return x

    torch.nn.DataParallel(Asks(), [0, 1])(torch.ones(4, device="cuda:0"))
    assert seen == {0: 0, 1: 1}


def test_current_device_of_other_threads_stays(cuda):
    seen = []
    torch.cuda.set_device(1)
    other = threading.Thread(target=lambda: seen.append(cuda.cuda.Device().id))
    other.start()
    other.join()
    assert seen == [0]
