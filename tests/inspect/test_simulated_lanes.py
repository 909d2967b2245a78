"""Lanes by the clocks of simulated GPUs, against sums by hand."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch.backends.cost_model import PRESETS
from edutorch.inspect import LanesRecorder
from edutorch.widgets import DeviceLanes

T4 = PRESETS["T4"]


def test_lanes_show_kernels_launches_and_copies_in_simulated_time():
    with torch.cuda.simulate(devices=2, memory="64MB", like="T4"):
        x = torch.ones(1000, 1000, device="cuda:0").exp()
        torch.cuda.synchronize()
        with LanesRecorder(simulated=True) as lanes:
            y = (x @ x).exp()
            y.to("cuda:1")
            series = lanes.series()
    assert "simulated" in series["clock"] and "T4" in series["clock"]
    product = T4.kernel_seconds(2e9, 12e6, "float32")
    exp = T4.kernel_seconds(1e6, 8e6, "float32")
    cpu, first, second = series["lanes"]
    assert (cpu["ops"], first["ops"], second["ops"]) == (3, 2, 0)
    assert cpu["busy"] == pytest.approx(30, abs=0.2)  # three launches of 10 us
    assert first["busy"] == pytest.approx((product + exp) * 1e6, abs=0.2)
    begin, end, source, target, nbytes, _ = series["transfers"][0]
    assert (source, target, nbytes) == ("cuda:0", "cuda:1", 4_000_000)
    assert begin == pytest.approx(10 + (product + exp) * 1e6, abs=0.2)
    assert end - begin == pytest.approx(T4.peer_seconds(4_000_000) * 1e6, abs=0.2)


def test_sums_of_the_replicas_gradients_belong_to_backward():
    with torch.cuda.simulate(devices=2, memory="64MB", like="T4"):
        model = torch.nn.Linear(3, 2).to("cuda:0")
        replicas = torch.nn.DataParallel(model, device_ids=[0, 1])
        with LanesRecorder(simulated=True) as lanes:
            loss = replicas(torch.ones(4, 3, device="cuda:0")).sum()
            before = sum(job.unit == "compute" for job in torch.cuda.timeline(0))
            loss.backward()
            series = lanes.series()
    first = next(lane for lane in series["lanes"] if lane["device"] == "cuda:0")
    phases = [series["texts"][bar[4]] for bar in first["bars"]]
    names = [series["texts"][bar[2]] for bar in first["bars"]]
    begun = next(i for i, name in enumerate(names) if name.endswith("Backward0"))
    assert begun <= before
    assert any(not name.endswith("Backward0") for name in names[begun:])
    assert set(phases[:begun]) == {"forward"}
    assert set(phases[begun:]) == {"backward"}


def test_view_says_that_its_times_are_simulated():
    with (
        torch.cuda.simulate(devices=1, memory="64MB", like="A100"),
        DeviceLanes(simulated=True) as lanes,
    ):
        torch.ones(10, device="cuda").exp()
        assert "Times are simulated (cost model A100)" in lanes.text()


def test_without_simulated_gpus_times_are_the_computers(monkeypatch):
    monkeypatch.setattr("edutorch.backends.gpus._found", None)
    with LanesRecorder(simulated=True) as lanes:
        torch.ones(3).exp()
    assert [lane["device"] for lane in lanes.series()["lanes"]] == ["cpu"]
