"""The guides: their examples run, and hold."""

from __future__ import annotations

import json
import re
import shlex
import tomllib
from typing import Any

import pytest

import edutorch as torch
from edutorch.course import CheckFailed, catalogue
from edutorch.course.course_files import cells_of
from edutorch.optim import rule_helpers
from tests.course.mutants.answers import source_of
from tests.course.new_chapter import Chapter, main
from tests.house.source_tree import ROOT
from tests.widgets.shared_fixtures import FIXTURES

NEW = Chapter("12-attention", "Attention", ("scores", "weights", "mix"))


def examples(guide: str, language: str) -> list[str]:
    """The guide's pieces of code, without the indent of a list's item."""
    text = (ROOT / "docs" / guide).read_text(encoding="utf-8")
    found = re.findall(
        rf"^( *)```{language}\n(.*?)^ *```", text, re.MULTILINE | re.DOTALL
    )
    return [
        re.sub(rf"^{indent}", "", code, flags=re.MULTILINE) for indent, code in found
    ]


def example(guide: str, language: str, words: str) -> str:
    """The one piece of code that has these words."""
    (found,) = (code for code in examples(guide, language) if words in code)
    return found


def test_guide_to_installing_names_only_extras_that_exist():
    named = re.findall(
        r"(?:edutorch|\.whl|\"\.)\[(\w+)\]",
        (ROOT / "docs" / "installing.md").read_text(encoding="utf-8"),
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert len(named) >= 4
    assert set(named) <= set(project["optional-dependencies"])


def test_guide_to_installing_calls_only_commands_that_exist():
    text = "\n".join(examples("installing.md", "console"))
    called = re.findall(r"-m edutorch\.course (\w+) (\S+)$", text, re.MULTILINE)
    assert set(called) == {("notebooks", "my-notebooks")}
    assert set(re.findall(r"my-notebooks/(\S+)", text)) == {"00-start.ipynb"}
    assert (ROOT / "notebooks" / "00-start.ipynb").exists()


def test_guide_to_optimizers_has_one_that_reaches_the_minimum():
    names: dict[str, Any] = vars(rule_helpers) | {"Optimizer": torch.optim.Optimizer}
    exec(example("adding-an-optimizer.md", "python", "class Lion"), names)
    p = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
    optimizer = names["Lion"]([p], lr=0.125)
    for _ in range(40):
        optimizer.zero_grad()
        p.square().sum().backward()
        optimizer.step()
    assert p.abs().max() <= 0.5
    assert list(optimizer.state_dict()["state"][0]) == ["exp_avg"]


def chapter(words: str) -> str:
    return example("adding-a-chapter.md", "python", words)


def run(*sources: str, **names: Any) -> dict[str, Any]:
    """The names that are left when sources have run one after the other."""
    names.setdefault("__name__", "guide")
    for source in sources:
        exec(compile(source, "<guide>", "exec", dont_inherit=True), names)
    return names


@pytest.fixture(autouse=True)
def unchanged(monkeypatch, tmp_path):
    """A progress file and a catalogue of this test's own."""
    monkeypatch.setenv("EDUTORCH_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr(catalogue, "_EXERCISES", dict(catalogue._EXERCISES))
    monkeypatch.setattr(catalogue, "_loaded", set())


@pytest.fixture(scope="module")
def check():
    """The guide's check, in the file that `make chapter` writes."""
    return run(NEW.filled("checks.txt"), chapter("def right_scores"))


@pytest.fixture(scope="module")
def solution():
    return cells_of(chapter("### BEGIN SOLUTION"))["12.1"]


def test_solution_of_the_guide_passes_the_check_of_the_guide(check, solution):
    exercise = eval(chapter("Exercise(\n"), check)
    exercise.grade(run(solution)["scores"])
    assert exercise.id in exercise.grade.__doc__
    assert len(exercise.hints) == 3


def test_answers_of_the_guide_are_graded_as_they_say(check, solution):
    given = run(NEW.filled("mutants.txt"), chapter("SCORES = ("))["SCORES"]
    assert {answer.accepted for answer in given} == {True, False}
    for answer in given:
        learner = run(source_of(answer, solution))["scores"]
        if answer.accepted:
            check["scores"](learner)
            continue
        with pytest.raises(CheckFailed, match=re.escape(answer.told)):
            check["scores"](learner)


def test_picture_of_the_guide_has_alternative_text():
    pytest.importorskip("matplotlib", reason="pictures are drawn by it")
    shown = run(chapter("show_curve").replace("show_curve(\n", "shown = show_curve(\n"))
    assert "falls slowly" in repr(shown["shown"])


def test_command_that_begins_a_chapter_names_what_it_takes(capsys):
    text = "\n".join(examples("adding-a-chapter.md", "console"))
    (line,) = re.findall(r"^make chapter (.*)$", text, re.MULTILINE)
    given = dict(word.split("=", 1) for word in shlex.split(line))
    assert given == {
        "CHAPTER": NEW.name, "TITLE": NEW.title, "EXERCISES": " ".join(NEW.functions),
    }  # fmt: skip
    rules = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"$({name})" in rules for name in [*given, "INTRODUCES"])
    with pytest.raises(SystemExit):
        main(["", "", "--exercises", "--introduces", ""])  # `make chapter` alone
    assert "called like 12-attention" in capsys.readouterr().err


def test_teachers_exercise_is_registered_and_checked(capsys):
    run(chapter("mine.1: twice"), chapter("register(*EXERCISES)"))
    assert catalogue.find("mine.1").title == "twice"


def test_teachers_exercise_in_a_folder_is_found(monkeypatch, tmp_path):
    (tmp_path / "mine.py").write_text(chapter("mine.1: twice"), encoding="utf-8")
    monkeypatch.setenv("EDUTORCH_EXERCISES", str(tmp_path))
    catalogue.find("mine.1").grade(lambda x: 2 * x)


def test_entry_point_of_the_guide_is_of_the_group_that_is_loaded():
    project = tomllib.loads(example("adding-a-chapter.md", "toml", "mine"))["project"]
    assert project["entry-points"] == {catalogue.GROUP: {"mine": "my_package.mine"}}


@pytest.fixture(scope="module")
def temperature():
    """The Python half of the guide's interaction, as a file of its package."""
    source = example("adding-an-interaction.md", "python", "class Temperature")
    return run(source, __package__="edutorch.course.interactions")


def test_interaction_of_the_guide_computes_what_the_page_computes(temperature):
    source = example("adding-an-interaction.md", "python", "CASES")
    names = run(source, json=json, pytest=pytest, FIXTURES=FIXTURES, **temperature)
    assert len(names["CASES"]) == 5
    for case in names["CASES"]:
        names["test_shares_are_those_of_the_page"](case)


def test_interaction_of_the_guide_has_a_picture_and_words(temperature):
    view = temperature["Temperature"](0.1)
    assert view.text() == "Sure: the largest logit has probability 1."
    assert view.text() in view.picture().svg()
    with pytest.raises(ValueError, match="from 0.1 to 10"):
        temperature["Temperature"](0.0)


@pytest.mark.parametrize("code", examples("adding-an-interaction.md", "ts"))
def test_typescript_of_the_guide_is_a_piece_of_a_tested_file(code):
    folder = ROOT / "widgets" / "test" / "guide"
    assert any(code in path.read_text(encoding="utf-8") for path in folder.iterdir())


def test_browser_test_of_the_guide_is_python():
    compile(example("adding-an-interaction.md", "python", "lab.fit"), "guide", "exec")
