"""Checkpoints: written by some ranks, read by others."""

from __future__ import annotations

from pathlib import Path

import pytest

import edutorch as torch
import edutorch.distributed.checkpoint as dcp
from tests.distributed.launching import needs_mpi, run

PROGRAM = Path(__file__).with_name("checkpoint_program.py")


def parts(ranks, *arguments):
    done = run("--nproc-per-node", ranks, PROGRAM, *arguments)
    assert done.returncode == 0, done.stderr


@needs_mpi
def test_checkpoint_of_three_ranks_is_read_by_two_and_by_one(tmp_path):
    folder = tmp_path / "step7"
    parts(3, "save", folder)
    assert [p.name for p in tmp_path.iterdir()] == ["step7"]
    parts(2, "load", folder)
    state = {"x": torch.zeros(2, 5), "model": {"weight": torch.zeros(2, 3)}}
    dcp.load(state, checkpoint_id=folder)
    assert state["x"].tolist() == torch.arange(10.0).reshape(2, 5).tolist()
    torch.manual_seed(0)
    model = torch.nn.Linear(3, 2)
    assert not torch.equal(state["model"]["weight"], model.weight)  # one step later
    assert torch.allclose(state["model"]["weight"], model.weight, atol=0.01)


@needs_mpi
def test_failure_of_one_rank_leaves_nothing_and_is_told_to_all(tmp_path):
    parts(2, "fail", tmp_path / "step7")
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_read_changes_nothing(tmp_path):
    dcp.save({"a": torch.ones(3), "n": 1}, checkpoint_id=tmp_path)
    for state, text in (
        ({"a": torch.zeros(3), "b": torch.zeros(1)}, "Missing key in checkpoint .* b"),
        ({"a": torch.zeros(2)}, r"Size mismatch between saved torch.Size\(\[3\]\)"),
        ({"n": torch.zeros(1)}, "n was saved as no tensor, and is one now"),
        ({"a": 0}, "a was saved as a tensor, and is none now"),
    ):
        with pytest.raises(dcp.CheckpointException, match=text):
            dcp.load(state, checkpoint_id=tmp_path)
        assert not torch.as_tensor(state.get("a", 0)).any()


def test_dtypes_are_kept_and_those_of_the_state_are_filled(tmp_path):
    values = {
        str(dtype): torch.arange(3).to(dtype)
        for dtype in (torch.bfloat16, torch.bool, torch.int8, torch.complex64)
    }
    dcp.save(values, checkpoint_id=tmp_path)
    read = {name: torch.zeros_like(x) for name, x in values.items()}
    dcp.load(read, checkpoint_id=tmp_path)
    assert all(torch.equal(read[name], x) for name, x in values.items())
    wide = {"torch.int8": torch.zeros(3, dtype=torch.float64)}
    dcp.load(wide, checkpoint_id=tmp_path)
    assert wide["torch.int8"].tolist() == [0, 1, 2]


def test_strided_and_empty_tensors_come_back(tmp_path):
    state = {"t": torch.arange(6.0).reshape(2, 3).t(), "none": torch.zeros(0, 2)}
    dcp.save(state, checkpoint_id=tmp_path)
    read = {"t": torch.zeros(2, 3).t(), "none": torch.zeros(0, 2)}
    dcp.load(read, checkpoint_id=tmp_path)
    assert torch.equal(read["t"], state["t"])


def test_checkpoint_needs_a_folder():
    for call in (dcp.save, dcp.load):
        with pytest.raises(ValueError, match="give checkpoint_id"):
            call({"a": 1})
