"""DLPack's names."""

from __future__ import annotations

import edutorch as torch
from edutorch.utils import dlpack


def test_memory_goes_there_and_back():
    x = torch.arange(3)
    y = dlpack.from_dlpack(dlpack.to_dlpack(x))
    x[0] = 7
    assert y.tolist() == [7, 1, 2]
    assert x.__dlpack_device__()[0] == dlpack.DLDeviceType.kDLCPU
    assert dlpack.DLDeviceType.kDLMAIA == 17
