"""A new class has all files, overwrites nothing, and has its own secret."""

from __future__ import annotations

import json

import pytest

from edutorch.course.__main__ import main
from edutorch.course.classroom.new_class import new_class


def test_class_has_the_chapters_with_their_solutions(tmp_path):
    folder = tmp_path / "class"
    assert new_class(folder, ("02", "01")) == ["ch01", "ch02"]
    notebook = json.loads((folder / "source/ch01/01-tensors.ipynb").read_text())
    text = "".join("".join(cell["source"]) for cell in notebook["cells"])
    assert text.count("### BEGIN SOLUTION") == text.count("### END SOLUTION") >= 5


def test_class_has_every_chapter_by_default(tmp_path):
    assert {"ch01", "ch09"} <= set(new_class(tmp_path))
    assert not (tmp_path / "source" / "ch00").exists()


def test_secret_is_another_one_for_each_class_and_not_for_its_repository(tmp_path):
    new_class(tmp_path / "a", ("01",))
    new_class(tmp_path / "b", ("01",))
    secrets = [(tmp_path / x / "grading-secret.txt").read_text() for x in "ab"]
    assert secrets[0] != secrets[1]
    assert "grading-secret.txt" in (tmp_path / "a" / ".gitignore").read_text()


def test_configuration_is_python(tmp_path):
    new_class(tmp_path / "it's", ("01",))
    text = (tmp_path / "it's" / "nbgrader_config.py").read_text()
    compile(text, "nbgrader_config.py", "exec")
    assert "ExecuteConfined" in text


def test_folder_with_something_in_it_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit, match="is not empty"):
        main(["new", str(tmp_path)])
    with pytest.raises(FileExistsError):
        new_class(tmp_path)


def test_chapter_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(ValueError, match="no chapter"):
        new_class(tmp_path / "class", ("77",))
    assert not (tmp_path / "class").exists()


def test_command_says_what_to_do_next(tmp_path, capsys):
    main(["new", str(tmp_path / "class"), "--chapters", "01"])
    said = capsys.readouterr().out
    assert "1 assignments, ch01" in said
    assert "nbgrader generate_assignment ch01" in said
