"""Checkpoints as single files."""

from __future__ import annotations

import pytest

import edutorch as torch
import edutorch.distributed.checkpoint as dcp
from edutorch.distributed.checkpoint.format_utils import (
    dcp_to_torch_save,
    torch_save_to_dcp,
)


def test_state_comes_back_through_a_checkpoint(tmp_path):
    model = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(model.parameters())
    model(torch.ones(1, 2)).sum().backward()
    optimizer.step()
    state = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "n": [1]}
    torch.save(state, tmp_path / "one.pt")
    torch_save_to_dcp(tmp_path / "one.pt", tmp_path / "parts")
    dcp_to_torch_save(tmp_path / "parts", tmp_path / "again.pt")
    again = torch.load(tmp_path / "again.pt")
    assert again["n"] == [1]
    assert torch.equal(again["model"]["weight"], model.weight)
    other = torch.optim.Adam(model.parameters())
    other.load_state_dict(again["optimizer"])
    moments = [o.state_dict()["state"][0]["exp_avg"] for o in (optimizer, other)]
    assert torch.equal(*moments)


def test_file_is_one_that_pytorch_reads(tmp_path):
    theirs = pytest.importorskip("torch", reason="needs PyTorch (torch)")
    dcp.save({"w": torch.arange(4.0).reshape(2, 2)}, checkpoint_id=tmp_path / "parts")
    dcp_to_torch_save(tmp_path / "parts", tmp_path / "one.pt")
    assert theirs.load(tmp_path / "one.pt")["w"].tolist() == [[0, 1], [2, 3]]
