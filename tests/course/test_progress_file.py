from __future__ import annotations

import json
import os

import pytest

from edutorch.course.progress_file import path, progress, record, tries


def test_record_then_progress_has_the_points(progress_file):
    assert record("01.2", passed=True, points=2) == ""
    assert progress().points == 2
    assert json.loads(progress_file.read_text())["v"] == 1


def test_progress_without_a_file_is_empty():
    assert progress().points == 0


def test_progress_of_a_chapter_has_its_exercises_alone():
    record("02.1", passed=True, points=2)
    shown = progress("02")
    assert {exercise.id[:2] for exercise, _, _ in shown.rows} == {"02"}
    assert shown.points == 2


def test_progress_text_and_html_show_each_exercise():
    record("01.1", passed=True, points=1)
    shown = progress()
    assert repr(shown).startswith(f"1 of {shown.total} points\n✓ 01.1  strides")
    assert "✓ 01.1</span>" in shown._repr_html_()


def test_progress_counts_the_tries_up_to_the_first_pass(progress_file):
    for passed in (False, False, True, False, True, False, True):
        record("06.5", passed=passed, points=1)
    ((_, needed, _),) = (row for row in progress("06").rows if row[0].id == "06.5")
    assert needed == 3
    assert "Worth repeating" not in repr(progress("06"))
    assert tries("06.5") == 7


def test_progress_of_an_older_file_counts_all_tries(progress_file):
    progress_file.parent.mkdir()
    entry = {"tries": 7, "passed": True, "points": 1}
    progress_file.write_text(json.dumps({"v": 1, "exercises": {"06.5": entry}}))
    record("06.5", passed=True, points=1)
    assert "Worth repeating: 06.5 (8 tries)" in repr(progress("06"))


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"exercises": {"01.1": 3}}', '{"exercises": 1}']
)
def test_progress_of_a_damaged_file_says_so_and_starts_anew(progress_file, text):
    progress_file.parent.mkdir()
    progress_file.write_text(text)
    assert "damaged" in progress().note
    assert record("01.1", passed=True, points=1) == ""
    assert progress().points == 1


def test_record_that_fails_while_writing_leaves_the_old_file(
    progress_file, monkeypatch
):
    record("01.1", passed=True, points=1)
    old = progress_file.read_text()

    def full(handle):
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    assert "no space left" in record("01.2", passed=True, points=2)
    assert progress_file.read_text() == old
    assert list(progress_file.parent.iterdir()) == [progress_file]


def test_path_without_the_variable_is_in_the_home_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("EDUTORCH_PROGRESS")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert path() == tmp_path / ".edutorch" / "progress.json"
