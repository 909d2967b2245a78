"""NaNTrail; what it shares with other views is in test_view.py."""

from __future__ import annotations

import pytest

import edutorch as torch
from edutorch import widgets
from edutorch.inspect import NonFiniteError, record
from edutorch.widgets import NaNTrail


def go_wrong():
    x = torch.tensor([-1.0, 4.0], requires_grad=True)
    x.log().sum().backward()


def test_view_shows_what_went_wrong_while_it_is_open():
    with NaNTrail() as trail:
        assert trail.data["finding"] is None
        go_wrong()
        assert trail.tick() > 0
        assert trail.tick() == 0  # nothing new
        assert trail.data["finding"]["reached"] == "loss"
        assert "log made 1 nan of 2 values" in repr(trail)


def test_view_that_stops_raises_in_the_training():
    with NaNTrail(stop=True) as trail:
        with pytest.raises(NonFiniteError):
            go_wrong()
        assert [b["name"] for b in trail.refresh()["finding"]["trail"]] == ["log"]


def test_next_cell_looks_again():
    with NaNTrail() as trail:
        go_wrong()
        trail.cell_began()
        torch.tensor([-1.0]).sqrt()
        assert trail.refresh()["finding"]["trail"][0]["name"] == "sqrt"


def test_finding_stays_until_a_later_cell_has_values():
    with NaNTrail() as trail:
        go_wrong()
        trail.cell_began()  # as by a cell that prints
        assert "log made 1 nan of 2 values" in trail.text()
        trail.cell_began()
        torch.tensor([4.0]).sqrt()
        assert trail.refresh()["finding"] is None
        assert trail.data["earlier"].startswith("step 0: log made 1 nan of 2 values")
        assert "; before that, step 0: log made 1 nan" in trail.text()
        torch.tensor([-4.0]).sqrt()
        assert trail.refresh()["finding"]["trail"][0]["name"] == "sqrt"
        assert trail.data["earlier"] == ""


def test_view_is_written_to_files_and_opened_again(tmp_path):
    with NaNTrail() as trail:
        go_wrong()
        saved = trail.export(tmp_path / "run.edu")
        assert b"<svg" in trail.export(tmp_path / "run.svg").read_bytes()
        page = trail.export(tmp_path / "run.html").read_text(encoding="utf-8")
        data = trail.data
    assert "log made 1 nan" in page
    (opened,) = widgets.open(saved)
    assert isinstance(opened, NaNTrail)
    assert opened.data == data
    assert "reached the loss" in opened.text()


def test_recording_with_a_nan_is_saved_with_its_trail(tmp_path):
    with record(level=3) as recording:
        go_wrong()
    opened = widgets.open(recording.save(tmp_path / "run.edu"))
    assert [view.kind for view in opened] == ["graph", "memory", "timeline", "nan"]
