"""DeviceLanes; what it shares with other views is in test_view.py."""

from __future__ import annotations

import threading

import pytest

import edutorch as torch
from edutorch import widgets
from edutorch.inspect import record
from edutorch.widgets import DeviceLanes
from tests.inspect.parallel_steps import DataParallelStep, SplitModel


@pytest.fixture
def gpus():
    with torch.cuda.simulate(devices=2, memory="64MB"):
        yield


def test_view_shows_each_device_while_it_is_open(gpus):
    step = DataParallelStep()
    with DeviceLanes() as view:
        assert view.data["lanes"] == []
        step.step()
        assert view.tick() > 0
        view.tick()  # what the first one found to be freed
        assert view.tick() == 0  # nothing new
        assert [x["device"] for x in view.data["lanes"]] == ["cpu", "cuda:0", "cuda:1"]
        assert "cuda:1 busy" in repr(view)
        assert "cuda:1 -> cuda:0" in view.text()


def test_view_while_two_threads_compute_is_refreshed_without_harm(gpus):
    done = threading.Event()

    def look(view):
        while not done.is_set():
            view.tick()

    with DeviceLanes() as view:
        thread = threading.Thread(target=look, args=(view,))
        thread.start()
        try:
            for _ in range(20):
                DataParallelStep().step()
        finally:
            done.set()
            thread.join()
        assert not view.frozen
        phases = [p["name"] for p in view.refresh()["phases"]]
    assert phases.count("reduce") == 20


def test_view_is_written_to_files_and_opened_again(gpus, tmp_path):
    with DeviceLanes() as view:
        SplitModel().step()
        saved = view.export(tmp_path / "run.edu")
        assert b"<svg" in view.export(tmp_path / "run.svg").read_bytes()
        page = view.export(tmp_path / "run.html").read_text(encoding="utf-8")
        assert '"busy"' in view.export(tmp_path / "run.json").read_text()
        data = view.data
    assert "simulated GPU" in page
    (opened,) = widgets.open(saved)
    assert isinstance(opened, DeviceLanes)
    assert opened.data == data
    assert "cuda:0 -> cuda:1" in opened.text()


def test_recording_of_several_devices_is_saved_with_its_lanes(gpus, tmp_path):
    with record() as recording:
        SplitModel().step()
    opened = widgets.open(recording.save(tmp_path / "run.edu"))
    (view,) = [view for view in opened if view.kind == "lanes"]
    assert view.data == recording.lanes()


def test_view_shown_after_the_simulation_tells_what_was_held(gpus):
    with torch.cuda.simulate(devices=1, memory="8MB"):
        view = DeviceLanes()
        x = torch.ones(1000).to("cuda:0")
        held = torch.cuda.memory_allocated(0)
    lane = next(x for x in view.refresh()["lanes"] if x["device"] == "cuda:0")
    assert lane["memory"]["now"] == held == 4096 and x.numel() == 1000
    view.close()
