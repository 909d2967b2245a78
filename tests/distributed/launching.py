"""Starts programs of several processes, and checks that all have ended."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from edutorch.distributed import is_mpi_available
from tests.house.source_tree import ROOT
from tests.ports import free_port

__all__ = [
    "by_hand", "environment", "left_over", "mark", "mpiexec", "needs_mpi", "results",
    "run",
]  # fmt: skip

needs_mpi = pytest.mark.skipif(not is_mpi_available(), reason="needs mpi4py")
LIMIT = 90  # seconds
PATIENCE = 30.0  # seconds until a process that is about to end has ended


def environment(**more: str) -> dict[str, str]:
    """An environment in which edutorch is found, and nobody is a rank yet."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PMI", "RANK", "WORLD_SIZE", "MASTER", "LOCAL_"))
    }
    return kept | {"PYTHONPATH": str(ROOT), "MARK_OF_TEST": mark(), **more}


def mark() -> str:
    """What the environment of all processes of this test run has."""
    return f"edutorch-{os.getpid()}"


def run(*arguments: object, limit: float = LIMIT, **more: str):
    """`python -m edutorch run`, with its output as text."""
    command = [sys.executable, "-m", "edutorch", "run", *map(str, arguments)]
    return _finished(command, limit, more)


def mpiexec(size: int, *arguments: object, limit: float = LIMIT, **more: str):
    """`mpiexec -n size python ...`."""
    program = Path(sys.executable).with_name("mpiexec")
    command = [str(program), "-n", str(size), sys.executable, *map(str, arguments)]
    return _finished(command, limit, more)


def _finished(command, limit, more):
    return subprocess.run(
        command, env=environment(**more), capture_output=True, text=True,
        timeout=limit, check=False,
    )  # fmt: skip


def by_hand(size: int, *arguments: object, limit: float = LIMIT, **more: str) -> None:
    """Processes with RANK and WORLD_SIZE in their environments, and no launcher."""
    port = str(free_port())
    processes = [
        subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            env=environment(
                RANK=str(rank), WORLD_SIZE=str(size), MASTER_ADDR="127.0.0.1",
                MASTER_PORT=port, OMP_NUM_THREADS="1", **more,
            ),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for rank in range(size)
    ]  # fmt: skip
    try:
        for process in processes:
            text, _ = process.communicate(timeout=limit)
            assert process.returncode == 0, text
    finally:
        for process in processes:
            process.kill()
            process.wait()


def results(folder: Path, library: str, size: int) -> list[dict[str, object]]:
    """What each rank has written."""
    files = [folder / f"{library}{rank}.json" for rank in range(size)]
    return [json.loads(file.read_text()) for file in files]


def left_over(seconds: float = PATIENCE, *, of_all: bool = False) -> list[str]:
    """Processes of this test that have not ended, after some patience.

    A coordinator whose ranks have died still looks at the memory of all processes: on
    a busy machine that takes seconds.

    Args:
        of_all: those of all tests of this run.
    """
    until = time.monotonic() + seconds
    while (found := _marked(of_all)) and time.monotonic() < until:
        time.sleep(0.05)
    return found


def _marked(of_all: bool) -> list[str]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = dict(
                word.split("=", 1)
                for word in (folder / "environ").read_bytes().decode().split("\0")
                if "=" in word
            )
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except (OSError, UnicodeDecodeError):
            continue  # it has ended, or is not ours
        if words.get("MARK_OF_TEST") != mark() or int(folder.name) == os.getpid():
            continue
        test = _test(words)
        if command and (of_all or test == _test(os.environ)):
            found.append(f"{folder.name} {command}, started by {test}")
    return found


def _test(environment: Mapping[str, str]) -> str:
    """The test that runs, or has started a process: pytest tells all processes."""
    return environment.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
