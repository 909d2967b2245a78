"""Simulated time, as programs read it."""

from __future__ import annotations

import pytest

import edutorch as torch


def test_timeline_lists_kernels_and_copies_of_one_gpu():
    with torch.cuda.simulate(devices=2, memory="64MB", like="T4"):
        x = torch.ones(1000).to("cuda:1")
        x.exp().cpu()
        jobs = torch.cuda.timeline(1)
        assert [(job.name, job.unit, job.nbytes) for job in jobs] == [
            ("copy to cuda:1", "in", 4000),
            ("Exp", "compute", 0),
            ("copy to cpu", "out", 4000),
        ]
        assert torch.cuda.timeline("cuda:0") == []
        assert torch.cuda.simulated_time() == jobs[-1].end


def test_simulated_time_of_real_gpus_is_refused(monkeypatch):
    monkeypatch.setattr("edutorch.backends.gpus._found", None)
    for call in (torch.cuda.timeline, torch.cuda.simulated_time):
        with pytest.raises(RuntimeError, match="only simulated GPUs"):
            call()
