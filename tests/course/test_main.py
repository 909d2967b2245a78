"""The course's commands, as they are called."""

from __future__ import annotations

import pytest

from edutorch.course.__main__ import main


def test_notebooks_are_copied_and_counted(tmp_path, capsys):
    main(["notebooks", str(tmp_path / "work")])
    said = capsys.readouterr().out
    assert f"notebooks in {tmp_path / 'work'}" in said
    assert any((tmp_path / "work").glob("01-*.ipynb"))


def test_work_that_is_kept_is_named(tmp_path, capsys):
    main(["notebooks", str(tmp_path)])
    (tmp_path / ".handed-out.json").unlink()
    (tmp_path / "01-tensors.ipynb").write_text("{}")
    capsys.readouterr()
    main(["notebooks", str(tmp_path)])
    assert "01-tensors.ipynb: your work is kept" in capsys.readouterr().out


def test_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit, match="cannot be copied"):
        main(["notebooks", str(tmp_path / "file" / "work")])


def test_call_without_a_command_is_refused(capsys):
    with pytest.raises(SystemExit):
        main([])
    assert "notebooks" in capsys.readouterr().err
