"""Runs in one SQLite file."""

from __future__ import annotations

import csv
import math
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing

import pytest

from edutorch.inspect import RunRecorder, RunStore
from edutorch.inspect import run_store as module
from edutorch.inspect.run_store import RunWriter, run_data


@pytest.fixture
def store(tmp_path):
    return RunStore(tmp_path / "deep" / "runs.db")


def test_path_is_what_the_variable_names(monkeypatch, tmp_path):
    monkeypatch.setenv("EDUTORCH_RUNS", str(tmp_path / "a.db"))
    assert RunStore().path == tmp_path / "a.db"
    monkeypatch.delenv("EDUTORCH_RUNS")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert RunStore().path == tmp_path / ".edutorch" / "runs.db"


def test_listing_runs_where_there_are_none_makes_no_file(store):
    assert store.runs() == []
    assert not store.path.exists()


def test_runs_are_listed_newest_first_and_by_name(store):
    for name in ("a", "b", "a"):
        store.create(name, {"lr": 0.1})
    assert [run["id"] for run in store.runs()] == [3, 2, 1]
    assert [run["id"] for run in store.runs("a")] == [3, 1]


def test_values_come_back_as_they_were_also_those_that_are_no_numbers(store):
    run = store.create("a")
    points = [(1, 0.1), (2, math.inf), (3, -math.inf), (4, 1e300)]
    store.write(run, "done", 4, {"loss": [*points, (5, math.nan)]})
    back = store.samples(run)["loss"]
    assert back[:4] == points
    assert math.isnan(back[4][1])


def test_run_that_is_not_there_is_an_error(store):
    with pytest.raises(KeyError, match="no run 7"):
        store.samples(7)


def test_deleted_runs_leave_no_sample(store):
    for name in ("a", "b"):
        store.write(store.create(name), "done", 1, {"loss": [(1, 1.0)]})
    store.delete(1)
    assert [run["name"] for run in store.runs()] == ["b"]
    with closing(sqlite3.connect(store.path)) as db, db:
        assert db.execute("SELECT DISTINCT run FROM samples").fetchall() == [(2,)]


def test_oldest_runs_are_dropped(store, monkeypatch):
    monkeypatch.setattr(module, "RUNS", 3)
    for _ in range(5):
        store.write(store.create("a"), "done", 1, {"loss": [(1, 1.0)]})
    assert [run["id"] for run in store.runs()] == [5, 4, 3]


def test_csv_has_a_line_for_each_sample(store, tmp_path):
    store.write(store.create('a,"b"\nc'), "done", 2, {"loss": [(1, 0.5), (2, 0.25)]})
    store.write(store.create("d"), "done", 1, {"acc": [(1, math.nan)]})
    with store.export_csv(tmp_path / "runs.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows == [
        ["run", "name", "metric", "step", "value"],
        ["1", 'a,"b"\nc', "loss", "1", "0.5"],
        ["1", 'a,"b"\nc', "loss", "2", "0.25"],
        ["2", "d", "acc", "1", "nan"],
    ]
    only = store.export_csv(tmp_path / "one.csv", 2).read_text()
    assert len(only.splitlines()) == 2


@pytest.mark.parametrize(
    "content", [b"no database at all" * 100, b"SQLite format 3\0" * 99]
)
def test_damaged_file_is_moved_aside_with_a_warning(store, content):
    store.path.parent.mkdir()
    store.path.write_bytes(content)
    with pytest.warns(RuntimeWarning, match="is damaged"):
        assert store.create("a") == 1
    aside = list(store.path.parent.glob("runs.db.damaged-*"))
    assert [p.read_bytes() for p in aside] == [content]
    assert [run["name"] for run in store.runs()] == ["a"]


def test_file_of_a_newer_version_is_left_alone(store):
    store.create("a")
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(sqlite3.OperationalError, match="newer version"):
        store.create("b")


def test_forged_contents_are_read_as_far_as_they_make_sense(store):
    run = store.create("a")
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("UPDATE runs SET settings = '[1', alerts = '{}'")
        db.execute("INSERT INTO samples VALUES (?, 'loss', 1, 'text')", (run,))
    found = store.runs()[0]
    assert (found["settings"], found["alerts"]) == ({}, [])
    assert math.isnan(store.samples(run)["loss"][0][1])


def test_locked_file_is_an_error_and_stays(store, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.05)
    store.create("a")
    other = sqlite3.connect(store.path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        store.create("b")
    other.rollback()
    other.close()
    assert store.create("b") == 2


def test_threads_and_processes_write_at_once(store, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 30.0)
    code = (
        "import sys; from edutorch.inspect import RunStore, run_store\n"
        "run_store.PATIENCE = 30.0\n"
        "for _ in range(10): RunStore(sys.argv[1]).create('process')"
    )
    store.create("first")
    other = subprocess.Popen([sys.executable, "-c", code, str(store.path)])

    def work():
        for _ in range(10):
            store.write(store.create("thread"), "done", 1, {"loss": [(1, 1.0)]})

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert other.wait(120) == 0
    assert len(store.runs()) == 41


def test_writer_keeps_a_growing_run_as_the_recorder_has_it(store):
    recorder, writer = RunRecorder(), RunWriter(store, "a", {"lr": 1})
    for step in range(2600):
        recorder.log(loss=1 / (step + 1))
        recorder.end_batch()
        if step % 130 == 0:
            writer.write(recorder.series())
    writer.write(recorder.series())
    series = recorder.series()["series"][0]
    kept = list(zip(series["steps"], series["values"], strict=True))
    assert series["stride"] == 4
    assert store.samples(writer.id)["loss"] == kept
    assert store.runs()[0]["steps"] == 2600


def test_earlier_runs_have_the_same_name(store):
    for name in ("a", "b", "a"):
        writer = RunWriter(store, name, {"lr": 0.5})
        recorder = RunRecorder()
        recorder.log(loss=1.0)
        writer.write(recorder.series())
    found = writer.earlier_runs()
    assert [(o["id"], o["settings"]) for o in found] == [(1, [["lr", "0.5"]])]


def test_long_run_is_laid_over_with_every_kth_sample(store):
    run = store.create("a")
    store.write(run, "done", 900, {"loss": [(s, float(s)) for s in range(900)]})
    series = run_data(store, store.runs()[0])["series"][0]
    assert (series["stride"], series["steps"][:3], len(series["steps"])) == (
        5, [0, 5, 10], 180,
    )  # fmt: skip


def test_elapsed_is_that_of_all_loops_without_rests(store):
    now = [100.0]
    recorder = RunRecorder(clock=lambda: now[0])
    writer = RunWriter(store, "a", {})
    with recorder:
        for seconds in (2.0, 5.0):
            recorder.begin(1)
            now[0] += seconds
            recorder.end_batch(1)
            recorder.log(loss=1.0)
            recorder.end()
            now[0] += 1000  # between two loops
            writer.write(recorder.series(), recorder._collector.earlier)
    assert [run["elapsed"] for run in store.runs()] == [7.0]
    store.delete(writer.id)
    assert store.runs() == []


def test_file_of_an_earlier_version_has_runs_without_a_time(store):
    run = store.create("a")
    store.write(run, "done", 1, {"loss": [(1, 0.5)]})
    with closing(sqlite3.connect(store.path)) as db, db:
        db.execute("DROP TABLE times")
        db.execute("PRAGMA user_version = 2")
    assert [run["elapsed"] for run in store.runs()] == [None]
    store.write(run, "done", 1, {}, elapsed=3.0)
    assert [run["elapsed"] for run in store.runs()] == [3.0]


def test_metrics_of_a_kept_run_are_in_the_order_of_a_view(store):
    names = ["accuracy", "batches/s", "loss", "lr"]
    store.write(store.create("a"), "done", 1, {n: [(1, 0.5)] for n in names})
    found = [series["name"] for series in run_data(store, store.runs()[0])["series"]]
    assert found == ["loss", "accuracy", "lr", "batches/s"]
