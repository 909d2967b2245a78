"""Runs a submission in a sandbox, and records the result of each cell.

A cell that ends the kernel, hangs or takes all memory loses its own points: the kernel
is started again, the cells before it are run once more, and the rest is graded.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from .limits import Limits
from .sandboxed_kernel import KernelEnded, SandboxedKernel, error_output

__all__ = ["run_submission"]


def run_submission(
    notebook: Any, folder: Path, limits: Limits | None = None, secret: str = ""
) -> list[str]:
    """Run the cells of a submission and store the outputs in the cells.

    Args:
        notebook: of nbformat 4; changed in place.
        folder: the folder of the submission's files, which is copied and not changed.
        limits: the resource limits; None for the defaults.
        secret: the secret of the class, which determines the cases on which answers are
            graded.

    Returns:
        Everything that happened except wrong answers; empty for most submissions.
    """
    with tempfile.TemporaryDirectory(prefix="graded-") as place:
        run = _Run(Path(place), folder, limits or Limits(), secret)
        try:
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    run.cell(cell)
        finally:
            run.close()
    return run.told


class _Run:
    """A submission that runs in one kernel after another."""

    def __init__(self, place: Path, folder: Path, limits: Limits, secret: str) -> None:
        self.told: list[str] = []
        self._limits, self._secret, self._place = limits, secret, place
        self._until = time.monotonic() + limits.seconds
        self._before: list[str] = []  # cells that ran, for the next kernel
        self._kernel: SandboxedKernel | None = None
        self._starts = 0
        self._work = place / "work"
        _copy(folder, self._work)

    def cell(self, cell: Any) -> None:
        """Run a cell and store its outputs."""
        marks = cell["metadata"].get("nbgrader", {})
        secret = self._secret if marks.get("grade") else None
        cell["execution_count"] = None
        try:
            cell["outputs"] = self._ready().execute(
                cell["source"], self._stop(), secret
            )
        except KernelEnded as ended:
            self.close()
            self.told.append(f"{marks.get('grade_id', 'a cell')}: {ended}")
            cell["outputs"] = [error_output("KernelEnded", str(ended))]
        else:
            if secret is None:
                self._before.append(cell["source"])

    def close(self) -> None:
        """End every process of the submission."""
        if self._kernel is not None and not self._kernel.close():
            self.told.append("some of its processes could not be ended")
        self._kernel = None

    def _ready(self) -> SandboxedKernel:
        """The kernel; after the end of one, a new one in which all cells ran again."""
        if time.monotonic() > self._until:
            raise KernelEnded(f"the notebook took {self._limits.seconds:g} seconds")
        if self._kernel is None:
            if self._starts > self._limits.restarts:
                raise KernelEnded(f"the kernel ended {self._starts} times")
            self._starts += 1
            self._kernel = SandboxedKernel(self._place, self._work, self._limits)
            for source in self._before:
                self._kernel.execute(source, self._stop())
        return self._kernel

    def _stop(self) -> float:
        return min(time.monotonic() + self._limits.cell_seconds, self._until)


def _copy(folder: Path, target: Path) -> None:
    """Copy a submission's files without links, which could lead elsewhere."""
    target.mkdir()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        beneath = [folder / part for part in inside.parents]
        if path.is_symlink() or any(part.is_symlink() for part in beneath[:-1]):
            continue
        if path.is_dir():
            (target / inside).mkdir(exist_ok=True)
        elif path.is_file():
            (target / inside).write_bytes(path.read_bytes())
