"""A new chapter, written into a copy of the project's files."""

from __future__ import annotations

import ast
import re
import runpy
import shutil
from pathlib import Path

import pytest

from edutorch.course import CheckFailed
from edutorch.course.course_files import cells_of
from edutorch.course.release import read, release, solve, write
from tests.course.mutants.answers import source_of
from tests.course.new_chapter import ROOT, WIDTH, Chapter, main, new_chapter

CHANGED = (
    "README.md",
    "edutorch/course/catalogue.py",
    "edutorch/course/checks/__init__.py",
    "notebooks/00-start.ipynb",
    "tests/notebooks/test_order.py",
)
FOLDERS = (
    "tests/course/checks",
    "tests/course/solutions",
    "tests/course/mutants",
    "tests/browser",
)
NAMES = ("scores", "weights", "mix")


@pytest.fixture
def root(tmp_path):
    for path in CHANGED:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tmp_path / path)
    for path in FOLDERS:
        (tmp_path / path).mkdir(parents=True)
    return tmp_path


@pytest.fixture
def chapter(root):
    new_chapter(Chapter("85-waves", "Waves", NAMES), root, introduces="stft|istft")
    return root


def solutions(root):
    text = (root / "tests/course/solutions/ch85.py").read_text(encoding="utf-8")
    return cells_of(text)


def exercises(root):
    made = runpy.run_path(str(root / "edutorch/course/checks/ch85.py"))
    return {exercise.id: exercise for exercise in made["EXERCISES"]}


def said(exercise, source, name):
    """What the check says of an answer: "" if it is accepted."""
    names = {}
    exec(source, names)
    try:
        exercise.grade(names[name])
    except CheckFailed as failure:
        return str(failure)
    return ""


def test_notebook_is_released_and_written_as_jupyter_writes(chapter, tmp_path):
    path = chapter / "notebooks" / "85-waves.ipynb"
    notebook = read(path)
    write(tmp_path / "again.ipynb", notebook)
    assert (tmp_path / "again.ipynb").read_bytes() == path.read_bytes()
    assert release(solve(notebook, solutions(chapter))) == notebook


def test_cells_of_the_notebook_run_until_an_answer_is_missing(chapter):
    names = {}
    for cell in read(chapter / "notebooks" / "85-waves.ipynb")["cells"]:
        if cell["cell_type"] == "code" and not cell["id"].startswith("check-"):
            exec("".join(cell["source"]), names)
    with pytest.raises(NotImplementedError, match="your turn"):
        names["scores"](None)


@pytest.mark.parametrize("number", ["85.1", "85.2", "85.3"])
def test_answers_are_refused_with_their_cause_or_accepted(chapter, number):
    exercise, whole = exercises(chapter)[number], solutions(chapter)[number]
    name = NAMES[int(number[-1]) - 1]
    mutants = runpy.run_path(str(chapter / "tests/course/mutants/ch85.py"))
    answers = mutants["ANSWERS"][number]
    assert not said(exercise, whole, name)
    assert sum(answer.accepted for answer in answers) >= 5
    assert sum(not answer.accepted for answer in answers) >= 15
    for answer in answers[:3] + answers[-3:] if number[-1] != "1" else answers:
        told = said(exercise, source_of(answer, whole), name)
        assert bool(told) is not answer.accepted, told
        assert answer.told.lower() in told.lower()


def test_exercises_have_three_hints_and_begin_with_their_id(chapter):
    for number, exercise in exercises(chapter).items():
        assert len(exercise.hints) == 3
        assert exercise.grade.__doc__.startswith(f"{number}: ")


def test_lines_stand_behind_those_of_earlier_chapters(chapter):
    for path, line in (
        ("README.md", "| 85 | waves |"),
        ("edutorch/course/checks/__init__.py", "  `ch85.py`: waves."),
        ("tests/notebooks/test_order.py", '    "85": "stft|istft",'),
    ):
        old = (ROOT / path).read_text(encoding="utf-8").splitlines()
        new = (chapter / path).read_text(encoding="utf-8").splitlines()
        assert [text for text in new if text != line] == old
        assert line in new
    start = read(chapter / "notebooks/00-start.ipynb")["cells"][-1]["source"]
    at = start.index("| [85. Waves](85-waves.ipynb) | what it is about |\n")
    assert start[at + 1].startswith("| [All twelve views]")


def test_chapter_between_two_others_keeps_the_order(root):
    new_chapter(Chapter("85-waves", "Waves", NAMES), root)
    new_chapter(Chapter("84-tides", "", NAMES), root)
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert "| 84 | tides |\n| 85 | waves |\n" in readme
    start = read(root / "notebooks/00-start.ipynb")["cells"][-1]["source"]
    rows = [row for row in start if re.match(r"\| \[8\d", row)]
    assert rows[0].startswith("| [84. Tides](84-tides.ipynb)")
    assert rows[1].startswith("| [85. Waves](85-waves.ipynb)")


def test_an_abbreviation_at_the_beginning_keeps_its_capitals(root):
    new_chapter(Chapter("85-waves", "GPU and waves", NAMES), root)
    assert "| 85 | GPU and waves |\n" in (root / "README.md").read_text(
        encoding="utf-8"
    )


def test_catalogue_names_each_module_once_and_its_lines_fit(root):
    for nn in range(80, 90):
        new_chapter(Chapter(f"{nn}-waves", "Waves", NAMES), root)
    path = root / "edutorch/course/catalogue.py"
    text = path.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) <= WIDTH
    tree = ast.parse(text)
    (found,) = (n for n in tree.body if getattr(n, "module", "") == "checks")
    listed = [alias.name for alias in found.names]
    assert listed == sorted(set(listed))
    assert {"ch01", *(f"ch{nn}" for nn in range(80, 90))} <= set(listed)
    assert text.count("ch85") == 2


def test_names_of_a_chapter_that_has_some_are_added(root):
    order = root / "tests/notebooks/test_order.py"
    order.write_text('A = {\n    "85": "stft",\n}\n', encoding="utf-8")
    new_chapter(Chapter("85-waves", "Waves", NAMES), root, introduces="istft")
    table = ast.parse(order.read_text(encoding="utf-8")).body[0].value
    assert ast.literal_eval(table) == {"85": "istft|stft"}


def test_chapter_that_is_there_stays(chapter, capsys):
    before = (chapter / "README.md").read_bytes()
    with pytest.raises(FileExistsError, match="there is a chapter 85: edutorch"):
        new_chapter(Chapter("85-other", "Other"), chapter)
    with pytest.raises(SystemExit):
        main(["85-other", "Other", "--root", str(chapter)])
    assert "there is a chapter 85" in capsys.readouterr().err
    assert (chapter / "README.md").read_bytes() == before


def test_names_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="called like 12-attention"):
        Chapter("attention", "Attention")
    with pytest.raises(ValueError, match="not the name of a function: '2nd'"):
        Chapter("85-waves", "Waves", ("first", "2nd", "third"))
    with pytest.raises(ValueError, match="three to ten exercises"):
        Chapter("85-waves", "Waves", ("first", "second"))


def test_command_prints_the_paths_it_wrote(root, capsys):
    main(["85-waves", "Waves", "--exercises", *NAMES, "--root", str(root)])
    printed = capsys.readouterr().out.splitlines()
    assert {"notebooks/85-waves.ipynb", "README.md"} <= set(printed)
    assert all(Path(root, path).is_file() for path in printed)
