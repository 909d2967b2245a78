"""Releases solved chapters: removes the answers and the outputs.

A solution is enclosed in `### BEGIN SOLUTION` and `### END SOLUTION`, as in
nbgrader, whose ClearSolutions leaves the same cells. Notebooks are handled as
JSON, so nothing but Python is needed:

    python -m edutorch.course.release notebooks/*.ipynb

writes the released form in place; run it after working on a chapter. The teacher's
form, which nbgrader starts from, is made with `--solutions FILE --to FOLDER`.
"""

from __future__ import annotations

import argparse
import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from .compare import EMPTY
from .course_files import cells_of

__all__ = [
    "STUB",
    "exercise_of",
    "main",
    "read",
    "release",
    "solve",
    "write",
]

STUB: Final = f'raise NotImplementedError("{EMPTY}")'
BEGIN: Final = "### BEGIN SOLUTION"
END: Final = "### END SOLUTION"
PASSED_BY: Final = "raises-exception"  # the tag that Jupyter looks for
ANSWER: Final = "answer-"  # how the grade_id of a solution cell begins

Notebook = dict[str, Any]


def release(notebook: Notebook) -> Notebook:
    """A copy of a notebook without solutions, outputs and execution counts.

    Raises:
        ValueError: a solution region has no end, or an answer cell has no region.
    """
    released = copy.deepcopy(notebook)
    for cell in released["cells"]:
        if cell["cell_type"] != "code":
            continue
        cell["outputs"] = []
        cell["execution_count"] = None
        cell["metadata"].pop("execution", None)
        if exercise_of(cell):
            cell["source"] = _lines(_without_solution(_text(cell)))
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            _let_run_all_pass(cell)
    released["metadata"].pop("widgets", None)
    return released


def solve(notebook: Notebook, cells: Mapping[str, str]) -> Notebook:
    """A copy in which each answer cell contains its solution, with the markers.

    Args:
        notebook: a released or a solved one.
        cells: source by exercise id, as `cells_of` reads it.

    Raises:
        KeyError: an exercise has no solution.
    """
    solved = copy.deepcopy(notebook)
    for cell in solved["cells"]:
        exercise = exercise_of(cell)
        if exercise:
            cell["source"] = _lines(cells[exercise])
    return solved


def exercise_of(cell: Mapping[str, Any]) -> str:
    """The id of the exercise answered by a cell: "01.2", or ""."""
    marks = cell["metadata"].get("nbgrader", {})
    grade_id = str(marks.get("grade_id", ""))
    if not marks.get("solution") or not grade_id.startswith(ANSWER):
        return ""
    return grade_id.removeprefix(ANSWER).replace("-", ".")


def read(path: Path) -> Notebook:
    """A notebook file as JSON."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    return notebook


def write(path: Path, notebook: Notebook) -> None:
    """Write a notebook as Jupyter does, so that saving it there changes nothing."""
    text = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> None:
    """Release a chapter, or with --solutions insert its answers."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("notebooks", nargs="+", type=Path)
    parser.add_argument("--solutions", type=Path, help="Python file of `# %%` cells")
    parser.add_argument("--to", type=Path, help="folder to write to; else in place")
    options = parser.parse_args(arguments)
    for path in options.notebooks:
        notebook = release(read(path))
        if options.solutions is not None:
            cells = cells_of(options.solutions.read_text(encoding="utf-8"))
            notebook = solve(notebook, cells)
        write(options.to / path.name if options.to else path, notebook)


def _without_solution(source: str) -> str:
    """Replace each solution by its stub, unless that is there already."""
    kept: list[str] = []
    inside = False
    for line in source.split("\n"):
        if line.strip() == BEGIN:
            kept.append(line.replace(BEGIN, STUB))
            inside = True
        elif line.strip() == END:
            inside = False
        elif not inside:
            kept.append(line)
    if inside:
        raise ValueError(f"no {END!r} after:\n{source}")
    text = "\n".join(kept)
    if STUB not in text:
        raise ValueError(f"neither a marked solution nor the stub in:\n{text}")
    return text


def _let_run_all_pass(cell: dict[str, Any]) -> None:
    """Tag a check cell so that "Run All" continues after it fails."""
    tags = cell["metadata"].setdefault("tags", [])
    if PASSED_BY not in tags:
        tags.append(PASSED_BY)


def _text(cell: Mapping[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _lines(text: str) -> list[str]:
    """A cell's source as in notebook files: a list of lines with line ends."""
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    main()
