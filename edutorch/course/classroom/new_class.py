"""Creates the folder of a class, with the chapters as nbgrader assignments.

python -m edutorch.course new FOLDER
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from pathlib import Path
from typing import Final

from ...serialization.atomic import replacing
from ..course_files import cells_of, notebooks_folder, solutions_folder
from ..release import STUB, read, solve, write

__all__ = ["new_class"]

SECRET: Final = "grading-secret.txt"  # noqa: S105  # the name of a file
CONFIGURATION: Final = '''"""How nbgrader grades this class."""

from pathlib import Path

HERE = Path(__file__).parent
c = get_config()  # noqa: F821  # nbgrader defines it
c.CourseDirectory.course_id = {name!r}
c.CourseDirectory.root = str(HERE)
c.ClearSolutions.code_stub = {{"python": {stub!r}}}

# Each submission runs in a process of its own: what it may use.
c.ExecuteConfined.cell_seconds = 60
c.ExecuteConfined.seconds = 600
c.ExecuteConfined.memory = 4 * 2**30
# Answers are tried on cases that depend on this file: keep it to yourself.
c.ExecuteConfined.secret_file = str(HERE / {secret!r})

c.Autograde.autograde_preprocessors = [
    "edutorch.course.classroom.nbgrader_execute.ExecuteConfined",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
# Feedback shows a check's message, and no hidden test.
c.GenerateFeedback.preprocessors = [
    "nbgrader.preprocessors.GetGrades",
    "nbgrader.preprocessors.ClearHiddenTests",
    "nbconvert.preprocessors.CSSHTMLHeaderPreprocessor",
]
'''
README: Final = """# {name}

The chapters of edutorch's course as assignments of nbgrader. In this folder:

1. `nbgrader generate_assignment {first}` writes `release/{first}`, for the class.
2. Submissions go into `submitted/STUDENT/{first}/`.
3. `nbgrader autograde {first} --create` grades each in a process of its own.
4. `nbgrader generate_feedback {first}` writes a page for each student in `feedback/`.
5. `nbgrader export --to grades.csv` writes all grades as a table.

`nbgrader_config.py` has the limits of time and memory. Keep `{secret}` and `source/`,
which holds the solutions, to yourself.
"""
IGNORED: Final = f"""# What is not for the class's repository, if it has one.
{SECRET}
gradebook.db
source/
submitted/
autograded/
feedback/
"""


def new_class(folder: Path, chapters: Collection[str] = ()) -> list[str]:
    """Create the folder of a class.

    Args:
        folder: the folder to create; it may exist if it is empty.
        chapters: the numbers of those to teach, such as "02"; empty for all.

    Returns:
        The names of the assignments.

    Raises:
        FileExistsError: the folder is not empty.
        ValueError: no chapter has such a number.
    """
    paths = {path.name[:2]: path for path in notebooks_folder().glob("[0-9]*.ipynb")}
    paths.pop("00", None)  # the start page has no exercises
    unknown = set(chapters) - set(paths)
    if unknown:
        raise ValueError(f"no chapter {sorted(unknown)}; there are {sorted(paths)}")
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} is not empty; name a new folder")
    names = []
    for number in sorted(chapters or paths):
        names.append(f"ch{number}")
        place = folder / "source" / names[-1]
        place.mkdir(parents=True)
        solutions = (solutions_folder() / f"ch{number}.py").read_text(encoding="utf-8")
        write(
            place / paths[number].name,
            solve(read(paths[number]), cells_of(solutions)),
        )
    _write_settings(folder, names[0])
    return names


def _write_settings(folder: Path, first: str) -> None:
    name = folder.resolve().name
    for file, text in (
        (SECRET, secrets.token_hex(16) + "\n"),
        ("README.md", README.format(name=name, first=first, secret=SECRET)),
        (".gitignore", IGNORED),
        ("nbgrader_config.py",
         CONFIGURATION.format(name=name, stub=STUB, secret=SECRET)),
    ):  # fmt: skip
        with replacing(folder / file) as opened:
            opened.write(text.encode())
