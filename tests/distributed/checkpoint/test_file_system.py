"""The folder of a checkpoint."""

from __future__ import annotations

import json

import pytest

import edutorch as torch
import edutorch.distributed.checkpoint as dcp


def test_folder_has_its_name_once_it_is_whole(tmp_path):
    folder = tmp_path / "step"
    writer = dcp.FileSystemWriter(folder)
    part = writer.begin()
    file = writer.write(part, 0, {"x": torch.ones(1)})
    assert not folder.exists()
    writer.finish(part, {"x": {"file": file}})
    assert [p.name for p in tmp_path.iterdir()] == ["step"]
    assert dcp.FileSystemReader(folder).read(file, "x").tolist() == [1]


def test_checkpoint_is_replaced_and_other_folders_are_not(tmp_path):
    for step in (1, 2):
        dcp.save({"step": step}, checkpoint_id=tmp_path / "last")
    state = {"step": 0}
    dcp.load(state, checkpoint_id=tmp_path / "last")
    assert state == {"step": 2}
    writer = dcp.FileSystemWriter(tmp_path / "last", overwrite=False)
    with pytest.raises(dcp.CheckpointException, match="already exists"):
        dcp.save({"step": 3}, storage_writer=writer)
    with pytest.raises(dcp.CheckpointException, match="is not a checkpoint"):
        dcp.save({"step": 3}, checkpoint_id=tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["last"]


def test_reading_runs_no_code(tmp_path):
    dcp.save({"x": 1}, checkpoint_id=tmp_path / "c")

    class Code:
        def __reduce__(self):
            return print, ("code of the file runs",)

    torch.save({"x": Code()}, tmp_path / "c" / "rank0.pt")
    with pytest.raises(dcp.CheckpointException, match="UnpicklingError"):
        dcp.load({"x": 0}, checkpoint_id=tmp_path / "c")


def test_metadata_that_lie_are_refused(tmp_path):
    folder = tmp_path / "c"
    dcp.save({"x": torch.ones(3)}, checkpoint_id=folder)
    honest = json.loads((folder / "metadata.json").read_text())

    def lie(**changes):
        found = json.loads(json.dumps(honest))
        found["entries"]["x"]["parts"][0] |= changes
        (folder / "metadata.json").write_text(json.dumps(found))

    for changes, text in (
        ({"length": 2}, "does not have 2 elements of x"),
        ({"start": 9}, "has only 0 elements of x"),
        ({"file": "../outside.pt"}, "is not the name of a file of the checkpoint"),
    ):
        lie(**changes)
        with pytest.raises(dcp.CheckpointException, match=text):
            dcp.load({"x": torch.zeros(3)}, checkpoint_id=folder)
    (folder / "metadata.json").write_text("[]")
    with pytest.raises(dcp.CheckpointException, match="is not of edutorch checkpoint"):
        dcp.load({"x": torch.zeros(3)}, checkpoint_id=folder)


def test_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(dcp.CheckpointException, match="FileNotFoundError"):
        dcp.load({"x": 0}, checkpoint_id=tmp_path / "nowhere")


def test_checkpoint_that_was_there_stays_if_the_new_one_gets_no_name(
    tmp_path, monkeypatch
):
    folder = tmp_path / "last"
    dcp.save({"step": 1}, checkpoint_id=folder)
    rename = type(folder).rename

    def fails(self, target):
        if self.suffix == ".part":
            raise OSError("no space left")
        return rename(self, target)

    monkeypatch.setattr(type(folder), "rename", fails)
    with pytest.raises(dcp.CheckpointException, match="no space left"):
        dcp.save({"step": 2}, checkpoint_id=folder)
    state = {"step": 0}
    dcp.load(state, checkpoint_id=folder)
    assert state == {"step": 1}
    assert [p.name for p in tmp_path.iterdir()] == ["last"]
