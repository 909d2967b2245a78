"""The released chapters are complete, without outputs and solutions."""

from __future__ import annotations

import re
import statistics

import pytest

from edutorch.course import exercises
from edutorch.course.release import STUB, read, release, write
from tests.notebooks.chapters import (
    NAMES,
    PATHS,
    code_cells,
    marks,
    released,
    solutions,
    solved,
)

KEYS = {"grade", "grade_id", "locked", "schema_version", "solution", "task"}


def source(cell):
    return "".join(cell["source"])


@pytest.mark.parametrize("name", NAMES)
def test_released_of_the_solved_chapter_is_the_file(name):
    assert release(solved(name)) == released(name)


@pytest.mark.parametrize("path", PATHS, ids=NAMES)
def test_released_file_is_written_as_jupyter_writes(path, tmp_path):
    write(tmp_path / "again.ipynb", read(path))
    assert (tmp_path / "again.ipynb").read_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_released_chapter_holds_no_output_and_no_solution(name):
    for cell in code_cells(released(name)):
        assert (cell["outputs"], cell["execution_count"]) == ([], None)
        assert "SOLUTION" not in source(cell)


@pytest.mark.parametrize("name", NAMES)
def test_released_exercise_is_statement_answer_and_check(name):
    chapter = [e for e in exercises() if e.id.startswith(name[:2])]
    graded = [cell for cell in released(name)["cells"] if marks(cell)]
    assert len(graded) == 3 * len(chapter)
    for i, exercise in enumerate(chapter):
        statement, answer, check = graded[3 * i : 3 * i + 3]
        number = exercise.id.replace(".", "-")
        ids = [marks(cell)["grade_id"] for cell in (statement, answer, check)]
        assert ids == [f"exercise-{number}", f"answer-{number}", f"check-{number}"]
        assert "Example" in source(statement)
        assert "*Break it:*" in source(statement)
        assert STUB in source(answer)
        assert source(check).startswith(f'check("{exercise.id}", ')
        assert marks(check)["points"] == exercise.points


@pytest.mark.parametrize("name", NAMES)
def test_released_metadata_is_nbgraders(name):
    for cell in released(name)["cells"]:
        found = marks(cell)
        if not found:
            continue
        assert set(found) - {"points"} == KEYS
        assert found["schema_version"] == 3
        assert ("points" in found) == found["grade"]
        assert found["locked"] != found["solution"]
    ids = [cell["id"] for cell in released(name)["cells"]]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", NAMES)
def test_released_chapter_imports_what_the_start_page_promises(name):
    chapter = "\n".join(source(cell) for cell in code_cells(released(name)))
    (names,) = re.findall(r"^from edutorch\.course import (.*)", chapter, re.MULTILINE)
    assert {"check", "hint", "progress", "solution"} <= set(names.split(", "))


@pytest.mark.parametrize("name", NAMES)
def test_released_code_cells_are_short(name):
    lengths = [len(cell["source"]) for cell in code_cells(released(name))]
    assert statistics.median(lengths) <= 5
    assert max(lengths) <= 24


@pytest.mark.parametrize("name", NAMES)
def test_released_chapter_has_at_most_60_cells_besides_its_exercises(name):
    assert sum(not marks(cell) for cell in released(name)["cells"]) <= 60


def test_solutions_are_for_the_exercises_and_no_others():
    numbers = {n for name in NAMES for n in solutions(name)} - {"imports"}
    assert numbers == {exercise.id for exercise in exercises()}
