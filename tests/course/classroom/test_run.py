"""Submissions of all kinds get their expected grades."""

from __future__ import annotations

import os
import time

import pytest

from edutorch.course.classroom.limits import Limits
from edutorch.course.classroom.processes import descendants
from edutorch.course.classroom.run import run_submission
from edutorch.course.classroom.sandbox import available_restrictions
from tests.course.classroom.submissions import SUBMISSIONS, notebook
from tests.notebooks.chapters import error_of

nbformat = pytest.importorskip("nbformat")
pytestmark = [
    pytest.mark.notebook,
    pytest.mark.skipif(
        "files" not in available_restrictions(), reason="needs Landlock"
    ),
]

# All of them are graded in test_nbgrader_execute.py, which needs nbgrader.
SOME = (
    "right",
    "one is wrong",
    "does not parse",
    "hangs",
    "leaves in an answer",
    "all memory at once",
    "prints to stderr",
    "check is rebound",
    "catalogue without grades",
    "exercise without a grade",
    "comparison that finds nothing",
    "code of the comparison",
)
LIMITS = Limits(cell_seconds=9, seconds=90, memory=3 * 2**30)


def run(submission, folder, limits=LIMITS):
    node = nbformat.from_dict(notebook(submission))
    told = run_submission(node, folder, limits, "secret of a class")
    return node, told


def passed(node):
    checks = [
        c for c in node["cells"] if c["metadata"].get("nbgrader", {}).get("grade")
    ]
    return tuple(
        c["metadata"]["nbgrader"]["grade_id"].removeprefix("check-").replace("-", ".")
        for c in checks
        if not error_of(c)
    )


@pytest.mark.parametrize("name", SOME)
def test_submission_gets_the_points_that_it_deserves(name, tmp_path):
    submission = SUBMISSIONS[name]
    node, _ = run(submission, tmp_path)
    assert passed(node) == submission.passed


def test_folder_of_the_submission_stays_as_it_is(tmp_path):
    (tmp_path / "kept.txt").write_text("mine")
    (tmp_path / "link").symlink_to("/etc")
    submission = SUBMISSIONS["right"]
    cell = "import os\nprint(sorted(os.listdir()))\nopen('kept.txt', 'w').write('x')"
    node, told = run(type(submission)(first=cell), tmp_path)
    assert "['kept.txt']" in node["cells"][1]["outputs"][0]["text"]
    assert (tmp_path / "kept.txt").read_text() == "mine"
    assert told == []


def test_process_that_stays_is_ended(tmp_path):
    before = descendants(os.getpid())
    run(SUBMISSIONS["a process that stays"], tmp_path)
    assert descendants(os.getpid()) <= before


def test_notebook_beyond_its_time_is_left(tmp_path):
    start = time.monotonic()
    node, told = run(
        SUBMISSIONS["hangs in a cell of its own"],
        tmp_path,
        Limits(cell_seconds=60, seconds=6),
    )
    assert time.monotonic() - start < 60
    assert passed(node) == ()
    assert "the notebook took 6 seconds" in " ".join(told)


def test_messages_show_no_line_of_the_checks(tmp_path):
    node, _ = run(SUBMISSIONS["one is wrong"], tmp_path)
    (error,) = (
        output
        for cell in node["cells"]
        for output in cell["outputs"]
        if output["output_type"] == "error"
    )
    assert error["ename"] == "CheckFailed"
    assert "strides_of(" in error["evalue"]
    assert len(error["traceback"]) == 1
    assert "File" not in error["traceback"][0]
