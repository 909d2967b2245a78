"""MemoryView; what it shares with other views is in test_view.py."""

from __future__ import annotations

import edutorch as torch
from edutorch.widgets import MemoryView


def test_view_when_on_the_cpu_says_cpu_storages():
    with MemoryView() as view:
        x = torch.ones(1000)
        y = x * 2
        view.refresh()
    assert view.data["kind"] == "tensors on the CPU"
    assert view.data["now"] == 8000
    assert y is not None


def test_view_when_given_a_simulated_gpu_says_simulated():
    with torch.cuda.simulate(memory="8MB"), MemoryView("cuda:0") as view:
        x = torch.ones(1000, device="cuda:0")
        y = x * 2
        assert "(simulated GPU)" in view.text()
        assert view.data["limit"] == 8 * 2**20
        assert y is not None
