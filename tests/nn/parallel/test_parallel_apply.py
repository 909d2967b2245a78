"""Replicas run in threads with the modes of the calling thread."""

from __future__ import annotations

import threading

import pytest

import edutorch as torch
from edutorch import nn
from edutorch.nn.parallel import parallel_apply


class Where(nn.Module):
    def forward(self, x, scale=1):
        thread = threading.current_thread()
        on = torch.cuda.current_device()
        return thread.name, on, torch.is_grad_enabled(), (x * scale).item()


def test_each_call_has_its_thread_device_and_modes():
    with torch.cuda.simulate(devices=2), torch.no_grad():
        xs = [torch.tensor(float(i), device=f"cuda:{i}") for i in (0, 1)]
        found = parallel_apply([Where(), Where()], xs, [{"scale": 2}, {}])
        assert found == [("replica 0", 0, False, 0.0), ("replica 1", 1, False, 1.0)]
        assert torch.cuda.current_device() == 0


def test_numbers_that_differ_are_refused():
    with pytest.raises(AssertionError, match="not equal to the number of"):
        parallel_apply([Where()], [])
