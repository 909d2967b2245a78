"""Timeline; what it shares with other views is in test_view.py."""

from __future__ import annotations

import json

import pytest

import edutorch as torch
from edutorch import widgets
from edutorch.widgets import Timeline
from tests.inspect.models import TRAININGS
from tests.trace_rules import check_trace


@pytest.fixture(scope="module")
def training():
    made = TRAININGS["cnn"]()
    made.step()
    return made


def test_view_shows_what_runs_while_it_is_open(training):
    with Timeline() as view:
        assert view.data["bars"]["kind"] == []
        training.step()
        assert view.tick() > 0
        assert view.tick() == 0  # nothing new
        rows = {row.name: row.count for row in view.totals("op")}
    assert rows["conv2d"] == rows["ConvolutionBackward0"] == 1
    assert "1 step in" in repr(view)


def test_totals_of_something_unknown_are_refused(training):
    with Timeline() as view, pytest.raises(ValueError, match='got "thread"|thread'):
        view.totals("thread")


def test_view_is_written_to_files_and_opened_again(training, tmp_path):
    with Timeline() as view:
        training.step()
        saved = view.export(tmp_path / "run.edu")
        assert b"<svg" in view.export(tmp_path / "run.svg").read_bytes()
        page = view.export(tmp_path / "run.html").read_text(encoding="utf-8")
        plain = json.loads(view.export(tmp_path / "run.json").read_text())
        data = view.data
    assert "ConvolutionBackward0" in page
    assert plain == data
    (opened,) = widgets.open(saved)
    assert isinstance(opened, Timeline)
    assert opened.data == data
    assert "by module" in opened.text()


def test_trace_of_a_view_has_its_bars_and_arrows(training, tmp_path):
    with Timeline() as view:
        training.step()
        file = view.export(tmp_path / "x.trace.json")
        data = view.data
    trace = json.loads(file.read_text(encoding="utf-8"))
    check_trace(trace)
    spans = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    assert len(spans) == len(data["bars"]["kind"])
    assert sum(round(e["dur"] * 1000) for e in spans) == sum(data["bars"]["dur"])
    arrows = [e for e in trace["traceEvents"] if e["ph"] == "f"]
    assert len(arrows) == len([e for e in spans if e["name"].endswith("Backward0")])


def test_view_of_a_training_that_fails_shows_what_ran():
    with Timeline() as view:
        with pytest.raises(RuntimeError):
            torch.ones(2, 3) @ torch.ones(2, 3)
        assert "matmul (failed)" in view.text()


def test_view_of_thousands_of_ops_keeps_its_bounds():
    x = torch.ones(1)
    with Timeline() as view:
        for _ in range(12_000):
            x.exp()
        data = view.refresh()
        assert len(data["bars"]["kind"]) <= 10_000
        assert data["dropped"] > 0
        assert "older bars omitted" in view.text()
        assert len(view.svg()) < 1_500_000


def test_hostile_names_stay_text():
    with Timeline() as view:
        with torch.profiler.record_function("<script>\x1b[2J"):
            torch.ones(2).exp()
        assert "\x1b" not in view.text()
        assert "<script>" not in view.svg()
