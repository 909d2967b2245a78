"""The table of `make bench`: what it compares, and how it counts."""

from __future__ import annotations

import json

import pytest

import edutorch
from benchmarks.speed import __main__ as command
from benchmarks.speed import table, worker
from benchmarks.speed.rounds import Row, Worker, compare, difference, summary
from benchmarks.speed.workloads import chosen


def test_workloads_are_chosen_by_words_in_their_names():
    assert chosen("conv,loader") == [
        "conv 3x3", "conv stride 2", "conv depthwise", "loader", "loader, 2 workers",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="no workload has 'quux'"):
        chosen("quux")


def test_ratio_is_the_median_of_neighbouring_times():
    row = summary("x", [1.0, 2.0, 9.0], [2.0, 4.0, 3.0])
    assert (row.ours, row.theirs, row.ratio) == (2000.0, 3000.0, 0.5)
    assert row.spread == pytest.approx(2.5)  # 1.25 of 0.5
    assert summary("x", [1.0]).ratio is None


def test_results_of_different_number_or_size_are_told_apart():
    assert difference([[1.0, 2.0]], [[1.0, 2.002]]) == pytest.approx(0.001, rel=0.01)
    assert difference([[1.0]], [[1.0, 2.0]]) == float("inf")
    assert difference([[float("nan")]], [[1.0]]) == float("inf")
    assert difference([[0.0]], [[0.0]]) == 0.0


def test_worker_tells_what_its_steps_compute_and_how_long_they_take():
    with Worker("edutorch", 1) as asked:
        described = asked.ask(do="describe")
        assert (described["library"], described["threads"]) == ("edutorch", 1)
        assert len(asked.ask(do="prepare", name="sum")["values"]) == worker.CHECKED
        assert asked.ask(do="time", seconds=0.001)["seconds"] > 0
        with pytest.raises(RuntimeError, match="edutorch: KeyError: 'quux'"):
            asked.ask(do="prepare", name="quux")
    with pytest.raises((RuntimeError, ValueError)):  # it has ended
        asked.ask(do="describe")
    assert asked.process.returncode == 0


def test_worker_that_dies_is_reported():
    with Worker("edutorch", 1) as asked:
        asked.process.kill()
        asked.process.wait()
        with pytest.raises(RuntimeError, match="ended with code -9"):
            asked.ask(do="describe")


class Echo:
    """A worker that has fixed results and takes no time."""

    def __init__(self, value, seconds, log):
        self.value, self.seconds, self.log = value, seconds, log

    def ask(self, *, do, **_):
        self.log.append((do, self.value))
        return {"values": [[self.value]], "seconds": self.seconds}


def test_blocks_of_both_libraries_take_turns():
    log = []
    row = compare("x", [Echo(1.0, 1.0, log), Echo(1.0001, 2.0, log)], 3, 0.0)
    order = [value for do, value in log if do == "time"][2:]  # after warming up
    assert order == [1.0, 1.0001, 1.0001, 1.0, 1.0, 1.0001]
    assert (row.ratio, row.error) == (0.5, "")


def test_different_results_are_not_timed():
    log = []
    row = compare("x", [Echo(1.0, 1.0, log), Echo(2.0, 2.0, log)], 3, 0.0)
    assert row.error == "results differ"
    assert "time" not in {do for do, _ in log}
    assert "results differ" in table.line(row)


def test_stored_times_are_scaled_by_the_machine():
    old = {"machine": {"reference_ms": 1.0},
           "rows": [Row("x", 1.0, theirs=4.0).as_json()]}  # fmt: skip
    row = table.beside_stored(Row("x", 6.0), old, {"reference_ms": 3.0})
    assert (row.theirs, row.ratio) == (12.0, 0.5)
    assert table.beside_stored(Row("y", 6.0), old, {"reference_ms": 3.0}).ratio is None


def test_mean_of_ratios_is_geometric():
    assert table.mean_ratio([Row("a", 1, ratio=0.5), Row("b", 1, ratio=2.0)]) == 1.0
    assert table.mean_ratio([Row("a", 1)]) is None


def test_stored_table_is_read_as_it_was_written(tmp_path):
    file = tmp_path / "table.json"
    assert table.read(file)["rows"] == []
    row = Row("x", 1.0, theirs=2.0, ratio=0.5)
    table.write(file, [row], [{"library": "edutorch"}])
    read = table.read(file)
    assert read["rows"] == [row.as_json()]
    assert read["machine"]["reference_ms"] > 0


def test_table_is_printed_and_written_without_pytorch(tmp_path, capsys, monkeypatch):
    file = tmp_path / "table.json"
    old = Row("small chain", 1.0, theirs=2.0, ratio=0.5)
    table.write(tmp_path / "old.json", [old], [])
    monkeypatch.setattr(command, "read", lambda: table.read(tmp_path / "old.json"))
    flags = ["--alone", "--only", "small chain", "--rounds", "1", "--block", "0.001"]
    assert command.main([*flags, "--threads", "1", "--json", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"edutorch {edutorch.__version__}, 1 thread.")
    assert [text.split("  ")[0] for text in lines[1:]] == [
        "milliseconds", "small chain", "geometric mean",
    ]  # fmt: skip
    written = json.loads(file.read_text())
    assert [row["name"] for row in written["rows"]] == ["small chain"]
