"""A confined program can write only to its folder, and has no network."""

from __future__ import annotations

import subprocess
import sys

import pytest

from edutorch.course.classroom.sandbox import available_restrictions, command

MEMORY, FILE, SECONDS = 2 * 2**30, 2**20, 30


def confined(folder, program):
    line = command(folder, MEMORY, FILE, SECONDS, [sys.executable, "-c", program])
    return subprocess.run(line, capture_output=True, text=True, cwd=folder, check=False)


needs_landlock = pytest.mark.skipif(
    "files" not in available_restrictions(), reason="needs Landlock"
)
needs_namespace = pytest.mark.skipif(
    "network" not in available_restrictions(), reason="a namespace"
)


def test_program_runs_and_imports_the_library(tmp_path):
    done = confined(tmp_path, "import edutorch as t; print(t.ones(2).sum().item())")
    assert done.stdout == "2.0\n", done.stderr


@needs_landlock
def test_program_writes_in_its_folder(tmp_path):
    done = confined(tmp_path, "open('x', 'w').write('1'); print('ok')")
    assert done.stdout == "ok\n"
    assert (tmp_path / "x").read_text() == "1"


@needs_landlock
def test_program_neither_reads_nor_writes_elsewhere(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "grades").write_text("secret")
    for mode in "rwa":
        done = confined(tmp_path / "own", f"open('../grades', {mode!r})")
        assert "PermissionError" in done.stderr
    assert (tmp_path / "grades").read_text() == "secret"


@needs_namespace
def test_program_reaches_no_network(tmp_path):
    done = confined(
        tmp_path,
        "import socket\nwith socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:\n"
        "    s.sendto(b'x', ('192.0.2.1', 9))",
    )
    assert "OSError" in done.stderr


@pytest.mark.skipif("memory" not in available_restrictions(), reason="needs Linux")
def test_program_has_so_much_memory_and_no_more(tmp_path):
    done = confined(tmp_path, f"bytearray({MEMORY})")
    assert "MemoryError" in done.stderr


def test_program_writes_no_large_file(tmp_path):
    done = confined(tmp_path, f"open('x', 'wb').write(bytes({2 * FILE}))")
    assert done.returncode != 0
    assert (tmp_path / "x").stat().st_size <= FILE
