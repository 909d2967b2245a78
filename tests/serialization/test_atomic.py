"""Replacing a file: the old one or the new one is there, whole, at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from edutorch.serialization.atomic import replacing


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def write(path, data):
    with replacing(path) as file:
        file.write(data)


def test_replacing_writes_a_new_file(tmp_path):
    write(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert names(tmp_path) == ["a"]


@pytest.mark.parametrize("error", [OSError("no space left"), KeyboardInterrupt()])
def test_replacing_when_writing_fails_leaves_the_old_file(tmp_path, error):
    write(tmp_path / "a", b"old")
    with pytest.raises(type(error)), replacing(tmp_path / "a") as file:
        file.write(b"half of the ne")
        raise error
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_replacing_through_a_link_changes_its_target(tmp_path):
    write(tmp_path / "target", b"old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_replacing_keeps_the_permissions(tmp_path):
    write(tmp_path / "a", b"old")
    (tmp_path / "a").chmod(0o640)
    write(tmp_path / "a", b"new")
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o640


def test_replacing_in_a_missing_folder_raises(tmp_path):
    with pytest.raises(RuntimeError, match=r"Parent directory .* does not exist"):
        write(tmp_path / "no" / "a", b"")


def test_replacing_a_folder_raises(tmp_path):
    with pytest.raises(IsADirectoryError):
        write(tmp_path, b"")
    assert names(tmp_path) == []


def test_replacing_a_device_writes_into_it():
    write(os.devnull, b"away")
    assert not Path(os.devnull).is_file()


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_replacing_removes_what_a_killed_process_left(tmp_path):
    program = f"""
        import os, signal
        from edutorch.serialization.atomic import replacing
        with replacing({str(tmp_path / "a")!r}) as file:
            file.write(b"half")
            os.kill(os.getpid(), signal.SIGKILL)
    """
    killed = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert len(names(tmp_path)) == 1
    (tmp_path / ".a.other").write_bytes(b"not ours")
    write(tmp_path / "a", b"new")
    assert names(tmp_path) == [".a.other", "a"]
