"""How much ranks check of each other."""

from __future__ import annotations

import pytest

from edutorch import distributed as dist


def test_level_is_what_the_environment_says(monkeypatch):
    monkeypatch.delenv("TORCH_DISTRIBUTED_DEBUG", raising=False)
    assert dist.get_debug_level() is dist.DebugLevel.INFO
    for level in dist.DebugLevel:
        monkeypatch.setenv("TORCH_DISTRIBUTED_DEBUG", level.name.lower())
        assert dist.get_debug_level() is level


def test_level_that_a_program_chooses_comes_first(monkeypatch):
    monkeypatch.setenv("TORCH_DISTRIBUTED_DEBUG", "OFF")
    dist.set_debug_level(dist.DebugLevel.DETAIL)
    assert dist.get_debug_level() is dist.DebugLevel.DETAIL
    dist.set_debug_level_from_env()
    assert dist.get_debug_level() is dist.DebugLevel.OFF


def test_unknown_level_is_refused(monkeypatch):
    monkeypatch.setenv("TORCH_DISTRIBUTED_DEBUG", "LOUD")
    with pytest.raises(RuntimeError, match="must be OFF, INFO, or DETAIL, got LOUD"):
        dist.set_debug_level_from_env()


def test_levels_are_those_of_pytorch():
    torch = pytest.importorskip("torch", reason="needs PyTorch (torch)")
    theirs = torch.distributed.DebugLevel.__members__
    assert {n: int(v) for n, v in theirs.items()} == {
        level.name: level for level in dist.DebugLevel
    }
