"""A program that trains with hooks runs once, with edutorch and with PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.distributed.launching import by_hand, results, run

PROGRAM = Path(__file__).with_name("train_with_hooks.py")


@pytest.fixture(scope="session")
def of_hooks(tmp_path_factory):
    """What each of two ranks has trained, and what PyTorch's have."""
    pytest.importorskip("torch", reason="needs PyTorch (torch)")
    folder = tmp_path_factory.mktemp("hooks")
    done = run("--nproc-per-node", 2, PROGRAM, "edutorch", folder)
    assert done.returncode == 0, done.stderr
    by_hand(2, PROGRAM, "torch", folder)
    return results(folder, "edutorch", 2), results(folder, "torch", 2)
