"""Notebooks are copied and updated, and never overwritten."""

from __future__ import annotations

import pytest

from edutorch.course.handout import hand_out


@pytest.fixture
def source(tmp_path):
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "01-a.ipynb").write_text("first")
    (folder / "02-b.ipynb").write_text("second")
    return folder


@pytest.fixture
def work(tmp_path, source):
    folder = tmp_path / "work"
    assert hand_out(folder, source) == {"01-a.ipynb": "new", "02-b.ipynb": "new"}
    return folder


def test_second_call_changes_nothing(work, source):
    assert set(hand_out(work, source).values()) == {"unchanged"}


def test_untouched_notebook_is_updated(work, source):
    (source / "01-a.ipynb").write_text("better")
    assert hand_out(work, source)["01-a.ipynb"] == "updated"
    assert (work / "01-a.ipynb").read_text() == "better"


def test_notebook_with_work_in_it_stays_and_the_newer_one_lies_beside_it(work, source):
    (work / "01-a.ipynb").write_text("mine")
    assert hand_out(work, source)["01-a.ipynb"] == "unchanged"
    (source / "01-a.ipynb").write_text("better")
    assert hand_out(work, source)["01-a.ipynb"] == "kept"
    assert (work / "01-a.ipynb").read_text() == "mine"
    assert (work / "01-a.new.ipynb").read_text() == "better"
    assert hand_out(work, source)["01-a.ipynb"] == "unchanged"


def test_notebook_that_was_thrown_away_comes_back(work, source):
    (work / "02-b.ipynb").unlink()
    assert hand_out(work, source)["02-b.ipynb"] == "new"


@pytest.mark.parametrize("record", ["", "[]", "{", None])
def test_work_is_kept_where_the_record_is_damaged(work, source, record):
    path = work / ".handed-out.json"
    path.unlink() if record is None else path.write_text(record)
    (work / "01-a.ipynb").write_text("mine")
    assert hand_out(work, source)["01-a.ipynb"] == "kept"
    assert (work / "01-a.ipynb").read_text() == "mine"
