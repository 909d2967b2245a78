"""Read the chapters, put the solutions in, execute them as Jupyter would."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from edutorch.course.course_files import cells_of
from edutorch.course.release import read, solve

ROOT = Path(__file__).resolve().parents[2]
START = "00-start"
PATHS = sorted(
    path for path in (ROOT / "notebooks").glob("[0-9]*.ipynb") if path.stem != START
)
NAMES = [path.stem for path in PATHS]
SECONDS = 180  # a chapter's limit, of processor time: others may be at work here
WAIT = 900  # a cell's limit, for slow machines
# Threads of matrix products wait by computing, which would count: one, as in CI.
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")
# Nothing listens here: a request to another machine fails at once.
NOWHERE = "http://127.0.0.1:9"


def released(name):
    return read(ROOT / "notebooks" / f"{name}.ipynb")


def solutions(name):
    path = ROOT / "tests" / "course" / "solutions" / f"ch{name[:2]}.py"
    return cells_of(path.read_text(encoding="utf-8"))


def solved(name):
    return solve(released(name), solutions(name))


def execute(notebook, folder, monkeypatch, *, allow_errors=False):
    """Run every cell in a fresh kernel; the notebook, and seconds of processor time."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    monkeypatch.setenv("EDUTORCH_PROGRESS", str(folder / "progress.json"))
    monkeypatch.setenv("EDUTORCH_RUNS", str(folder / "runs.db"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([*_path(), str(ROOT)]))
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.setenv(name, NOWHERE)
    for name in THREADS:
        monkeypatch.setenv(name, "1")
    node = nbformat.reads(json.dumps(notebook), as_version=4)
    nbformat.validate(node)
    start = _children()
    nbclient.NotebookClient(
        node,
        timeout=WAIT,
        kernel_name="python3",
        allow_errors=allow_errors,
        resources={"metadata": {"path": str(folder)}},
    ).execute()
    return node, _children() - start


def _children():
    """Processor seconds of the processes that were started here and have ended."""
    times = os.times()
    return times.children_user + times.children_system


def code_cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def error_of(cell):
    """The name of the exception a cell ended with, or ""."""
    names = [o["ename"] for o in cell["outputs"] if o["output_type"] == "error"]
    return names[0] if names else ""


def text_of(cell):
    """All plain text that a cell gave out."""
    parts = []
    for output in cell["outputs"]:
        parts.append(output.get("text", ""))
        parts.append(output.get("data", {}).get("text/plain", ""))
    return "\n".join(parts)


def marks(cell):
    return cell["metadata"].get("nbgrader", {})


def _path():
    return [part for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
