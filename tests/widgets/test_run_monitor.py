"""RunMonitor; what it shares with other views is in test_view.py."""

from __future__ import annotations

import gc
import subprocess
import sys
import time

import pytest

import edutorch as torch
from edutorch import events, nn, optim
from edutorch.inspect import RunStore
from edutorch.inspect.view_schemas import check_view
from edutorch.widgets import RunMonitor
from edutorch.widgets import open as open_run
from edutorch.widgets.notebook import cells


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "runs.db")


def train(steps=3):
    w = nn.Parameter(torch.ones(1))
    optimizer = optim.SGD([w], lr=0.25)
    for _ in range(steps):
        optimizer.zero_grad()
        (w * 2).sum().backward()
        optimizer.step()


PROGRAM = """
import os, signal, sys
import edutorch as torch
from edutorch.inspect import RunStore
from edutorch.widgets import RunMonitor, track

def train(then, batches=range(3)):
    w = torch.nn.Parameter(torch.ones(1))
    optimizer = torch.optim.SGD([w], lr=0.25)
    for i in batches:
        optimizer.zero_grad()
        (w * 2).sum().backward()
        optimizer.step()
        if i == 1 and then is not None:
            then()

def fail():
    raise ValueError("bad")

def interrupt():
    signal.raise_signal(signal.SIGINT)

"""
ENDS = (
    ("monitor = RunMonitor(); train(None)", "ended"),
    ("monitor = RunMonitor(); train(fail)", "failed with ValueError"),
    ("monitor = RunMonitor(); train(interrupt)", "interrupted"),
    ("monitor = RunMonitor(); train(sys.exit)", "ended"),
    ("with RunMonitor(): train(None)", "done"),
    ("with RunMonitor(): train(fail)", "failed with ValueError"),
    ("train(fail, track(range(3)))", "failed with ValueError"),
    ("train(interrupt, track(range(3)))", "interrupted"),
    (
        "monitor = RunMonitor(); train(lambda: (monitor.save(), os._exit(1)))",
        "killed",
    ),
    # a child that ends is no end of the run
    (
        "monitor = RunMonitor(); train(None); monitor.save()\n"
        "if os.fork() == 0: sys.exit()\n"
        "os.wait(); assert RunStore().runs()[0]['state'] == 'running'",
        "ended",
    ),
)


def last(monitor):
    return {s["name"]: s["last"] for s in monitor.refresh()["series"]}


def test_monitor_shows_a_training_that_knows_nothing_of_it(store):
    with RunMonitor(store=store) as monitor:
        train()
        assert last(monitor)["loss"] == 0.0
        assert last(monitor)["lr"] == 0.25
        assert monitor.data["step"] == 3
        check_view("run", monitor.data)


def test_earlier_runs_of_the_name_are_laid_over(store):
    for accuracy in (0.1, 0.2):
        with RunMonitor("net", {"lr": accuracy}, store=store) as monitor:
            monitor.log(accuracy=accuracy)
            monitor.save()
    with RunMonitor("other", store=store) as other:
        other.log(accuracy=1)
        other.save()
    assert [run["id"] for run in monitor.data["others"]] == [1]
    assert monitor.data["others"][0]["series"][0]["last"] == 0.1
    assert other.data["others"] == []


def test_next_run_lays_the_one_so_far_over(store):
    with RunMonitor("net", {"lr": 1}, store=store) as monitor:
        monitor.log(accuracy=0.5)
        monitor.next_run("net", {"lr": 2})
        monitor.log(accuracy=0.75)
        monitor.save()
        data = monitor.refresh()
    assert data["run"] == {"id": 2, "name": "net", "settings": [["lr", "2"]]}
    assert [(o["id"], o["settings"]) for o in data["others"]] == [(1, [["lr", "1"]])]
    assert store.samples(1) == {"accuracy": [(0, 0.5)]}
    assert store.samples(2) == {"accuracy": [(0, 0.75)]}


def test_disk_that_fails_is_a_remark_and_the_training_goes_on(tmp_path):
    (tmp_path / "file").write_text("no folder")
    with RunMonitor(store=RunStore(tmp_path / "file" / "runs.db")) as monitor:
        train()
        monitor.save()
        assert "the run is not saved: " in monitor.refresh()["remarks"][0]
        assert "the run is not saved: " in monitor.text()
    assert last(monitor)["loss"] == 0.0


def test_monitor_without_a_store_writes_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("EDUTORCH_RUNS", str(tmp_path / "runs.db"))
    with RunMonitor(store=False) as monitor:
        monitor.log(accuracy=1)
    assert list(tmp_path.iterdir()) == []


def test_run_whose_view_is_forgotten_is_kept(store):
    monitor = RunMonitor("net", store=store)
    monitor.log(accuracy=0.5)
    monitor._update_output = None
    writer = monitor._holder
    monitor._at_exit()
    assert store.samples(writer[0].id) == {"accuracy": [(0, 0.5)]}
    monitor.close()
    gc.collect()


def test_kept_runs_are_compared(store):
    for name, value in (("a", 0.1), ("b", 0.2), ("c", 0.3)):
        store.write(store.create(name), "done", 1, {"loss": [(1, value)]})
    view = RunMonitor.compare(3, 1, store=store)
    assert view.frozen
    assert view.data["run"]["name"] == "c"
    assert [o["name"] for o in view.data["others"]] == ["a"]
    check_view("run", view.data)
    with pytest.raises(KeyError, match="no run 9"):
        RunMonitor.compare(1, 9, store=store)


def test_compared_run_has_the_elapsed_time_of_its_own_view(store):
    now = [time.perf_counter()]
    with RunMonitor("net", store=store) as monitor:
        monitor.log(accuracy=0.5)
        monitor._recorder._collector.clock = lambda: now[0]
        monitor._recorder.begin(2)
        for rest in (0.0, 500.0):
            now[0] += 2.0
            monitor._recorder.end_batch(1)
            events.control("idle", "begin")
            now[0] += rest
            events.control("idle", "end")
        monitor._recorder.end()
    assert monitor.data["elapsed"] == pytest.approx(4.0)
    compared = RunMonitor.compare(1, store=store)
    assert compared.data["elapsed"] == pytest.approx(4.0)


def test_monitor_is_exported_and_opened_again(store, tmp_path):
    with RunMonitor("net", store=store) as monitor:
        train()
        for suffix in ("svg", "html", "json", "txt", "edu"):
            monitor.export(tmp_path / f"run.{suffix}")
        again = open_run(tmp_path / "run.edu")[0]
        assert (again.kind, again.data) == ("run", monitor.data)
        assert again.text() == monitor.text()


def test_cell_that_fails_within_a_loop_leaves_it_stopped(store):
    with RunMonitor(store=store) as monitor:
        monitor._recorder.begin(5)
        monitor._recorder.end_batch()
        monitor.cell_ended()
        assert monitor.refresh()["state"] == "stopped"
        assert not monitor.looping


def test_cell_that_ends_after_a_loop_that_nobody_tracks_says_so(store):
    with RunMonitor(store=store) as monitor:
        monitor.cell_ended()
        assert monitor.refresh()["state"] == "waiting"
        train()
        assert monitor.refresh()["state"] == "running"
        monitor.cell_ended()
        assert monitor.refresh()["state"] == "ended"
        train()
        assert monitor.refresh()["state"] == "running"


@pytest.mark.parametrize(("last_line", "state"), ENDS)
def test_run_of_a_program_says_how_the_program_ended(
    last_line, state, store, monkeypatch
):
    monkeypatch.setenv("EDUTORCH_RUNS", str(store.path))
    subprocess.run(
        [sys.executable, "-c", PROGRAM + last_line], capture_output=True, check=False
    )
    (run,) = store.runs()
    assert run["state"] == state
    assert run["steps"] in (1, 2, 3)


def test_with_block_that_fails_says_so(store):
    with pytest.raises(ValueError, match="bad"), RunMonitor(store=store) as monitor:
        train()
        raise ValueError("bad")
    assert monitor.data["state"] == "failed with ValueError"
    assert store.runs()[0]["state"] == "failed with ValueError"


def test_cell_that_fails_is_the_end_of_its_run(store, monkeypatch):
    with RunMonitor(store=store) as monitor:
        train()
        monkeypatch.setattr(cells, "error", KeyboardInterrupt())
        monitor.cell_ended()
        assert monitor.refresh()["state"] == "interrupted"
