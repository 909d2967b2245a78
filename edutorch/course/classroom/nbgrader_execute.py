"""nbgrader's execution step, in a sandbox.

The configuration that `new_class.py` writes names it in the place of nbgrader's own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Float, Integer, Unicode

from .limits import Limits
from .run import run_submission

__all__ = ["ExecuteConfined"]

USUAL = Limits()


class ExecuteConfined(NbGraderPreprocessor):  # type: ignore[misc]  # it has no types
    """Executes a submission in a sandbox."""

    cell_seconds = Float(USUAL.cell_seconds, help="for one cell").tag(config=True)
    seconds = Float(USUAL.seconds, help="for the whole notebook").tag(config=True)
    memory = Integer(USUAL.memory, help="bytes of each process").tag(config=True)
    processes = Integer(USUAL.processes, help="at once").tag(config=True)
    secret_file = Unicode(
        "", help="holds the secret on which the cases depend that answers are tried on"
    ).tag(config=True)

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        """Run the cells, and log everything except wrong answers."""
        limits = Limits(
            cell_seconds=self.cell_seconds,
            seconds=self.seconds,
            memory=self.memory,
            processes=self.processes,
        )
        folder = Path(resources.get("metadata", {}).get("path") or ".")
        for sentence in run_submission(nb, folder, limits, self._secret()):
            self.log.warning("%s", sentence)
        return nb, resources

    def _secret(self) -> str:
        if not self.secret_file:
            return ""
        return Path(self.secret_file).read_text(encoding="utf-8").strip()
