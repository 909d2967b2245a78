"""The files of the course are found wherever the package is installed."""

from __future__ import annotations

import pytest

from edutorch.course import course_files
from edutorch.course.course_files import notebooks_folder, solutions_folder


def test_notebooks_and_solutions_are_found_in_the_checkout():
    assert any(notebooks_folder().glob("01-*.ipynb"))
    assert any(solutions_folder().glob("ch01.py"))


def test_files_in_the_package_come_first(tmp_path, monkeypatch):
    monkeypatch.setattr(course_files, "_PACKAGE", tmp_path)
    (tmp_path / "solutions").mkdir()
    (tmp_path / "solutions" / "ch01.py").write_text("")
    assert solutions_folder() == tmp_path / "solutions"


def test_installation_without_them_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(course_files, "_PACKAGE", tmp_path)
    monkeypatch.setattr(course_files, "_CHECKOUT", tmp_path)
    with pytest.raises(FileNotFoundError, match="no notebooks"):
        notebooks_folder()
