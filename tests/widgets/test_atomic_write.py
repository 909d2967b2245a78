"""Files are written whole or not at all."""

from __future__ import annotations

import os

import pytest

from edutorch.widgets import atomic_write
from edutorch.widgets.atomic_write import write_atomically


def test_write_whole_when_it_works_leaves_only_the_file(tmp_path):
    path = write_atomically(tmp_path / "a.svg", b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["a.svg"]  # noqa: PTH208


def test_write_whole_when_the_disk_fails_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.svg"
    path.write_bytes(b"old")

    def full(_descriptor):
        raise OSError("No space left on device")

    monkeypatch.setattr(atomic_write.os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.svg"]  # noqa: PTH208


def test_write_whole_when_written_has_ordinary_permissions(tmp_path):
    mask = os.umask(0o022)
    try:
        path = write_atomically(tmp_path / "a.svg", b"new")
    finally:
        os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o644
