"""A class from release to grades with nbgrader: 30 submissions and more, of all kinds."""

from __future__ import annotations

import csv
import re
import subprocess
import sys

import pytest

from edutorch.course.classroom.new_class import new_class
from edutorch.course.classroom.sandbox import available_restrictions
from edutorch.course.release import read, write
from tests.course.classroom.submissions import (
    EXERCISES,
    SUBMISSIONS,
    assignment,
    notebook,
)

pytest.importorskip("nbgrader", reason="needs nbgrader")
pytestmark = [
    pytest.mark.notebook,
    pytest.mark.skipif(
        "files" not in available_restrictions(), reason="needs Landlock"
    ),
]

NAME = "small"


def nbgrader(folder, *arguments):
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def student(name):
    return re.sub(r"\W", "-", name)


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """A class with one small assignment, which is released."""
    folder = tmp_path_factory.mktemp("course") / "class"
    new_class(folder, ("01",))
    with (folder / "nbgrader_config.py").open("a", encoding="utf-8") as settings:
        settings.write("\nc.ExecuteConfined.cell_seconds = 20\n")
    (folder / "source" / NAME).mkdir()
    write(folder / "source" / NAME / f"{NAME}.ipynb", assignment())
    nbgrader(folder, "generate_assignment", NAME, "--create")
    return folder


@pytest.fixture(scope="module")
def graded(released):
    """All have handed in, and are graded."""
    for name, submission in SUBMISSIONS.items():
        hand_in(released, student(name), notebook(submission))
    tampered = notebook(SUBMISSIONS["one is wrong"])
    for cell in tampered["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["source"] = "assert True"
    hand_in(released, "checks-changed", tampered)
    said = nbgrader(released, "autograde", NAME, "--create")
    nbgrader(released, "generate_feedback", NAME)
    nbgrader(released, "export", "--to", "grades.csv")
    return released, said


def hand_in(folder, who, made):
    place = folder / "submitted" / who / NAME
    place.mkdir(parents=True)
    write(place / f"{NAME}.ipynb", made)


def grades(folder):
    with (folder / "grades.csv").open(encoding="utf-8") as file:
        return {row["student_id"]: float(row["score"]) for row in csv.DictReader(file)}


def test_released_assignment_has_no_solution(released):
    text = (released / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert "SOLUTION" not in text
    assert text.count("NotImplementedError") == len(EXERCISES)


def test_each_submission_gets_the_grade_that_it_deserves(graded):
    folder, said = graded
    assert len(SUBMISSIONS) >= 30
    deserved = {student(name): s.points for name, s in SUBMISSIONS.items()}
    deserved["checks-changed"] = SUBMISSIONS["one is wrong"].points
    given = grades(folder)
    assert given.keys() == deserved.keys()
    wrong = {name: points for name, points in given.items() if points != deserved[name]}
    assert not wrong, said


def test_log_says_what_happened_beside_wrong_answers(graded):
    _, said = graded
    assert "the process ended (signal SIGKILL)" in said
    assert "more than 32 processes at once" in said


def test_feedback_has_the_message_of_the_check_and_no_frames(graded):
    folder, _ = graded
    page = folder / "feedback" / student("one is wrong") / NAME / f"{NAME}.html"
    text = page.read_text(encoding="utf-8")
    assert "01.1 strides of a contiguous tensor" in text
    assert "Traceback (most recent" not in text
    assert "edutorch/course" not in text


def test_submissions_stay_as_they_were_handed_in(graded):
    folder, _ = graded
    handed = folder / "submitted" / student("one is wrong") / NAME
    assert [path.name for path in handed.iterdir()] == [f"{NAME}.ipynb"]
    assert read(handed / f"{NAME}.ipynb") == notebook(SUBMISSIONS["one is wrong"])
