"""What README.md and its neighbours say is true."""

from __future__ import annotations

import contextlib
import io
import re
import sys
import tomllib
from pathlib import Path

import pytest

import edutorch as torch
from tests.house.source_tree import ROOT

PAGES = (
    "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "book/teaching.md",
    "tests/README.md", "widgets/src/README.md",
    *sorted(p.relative_to(ROOT).as_posix() for p in (ROOT / "docs").glob("*.md")),
)  # fmt: skip
MAPS = ("tests/README.md", "widgets/src/README.md")  # test_maps.py reads these
TOP = (
    "book", "binder", "benchmarks", "docs", "edutorch", "notebooks", "tests",
    "widgets", ".ci", ".vscode",
)  # fmt: skip
# What the guides have their reader make, and what a build makes.
MADE = re.compile(
    r"NAME|step_time|lion|xpu|ch12|chNN|12-|_12|temperature|_build|/a/b\.py|a/test_b"
)


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", PAGES)
def test_pages_name_only_commands_that_exist(name):
    named = set(re.findall(r"\bmake ([a-z][a-z-]*)", page(name)))
    rules = re.findall(r"^([a-z][a-z-]*):", page("Makefile"), re.MULTILINE)
    # "make" is a verb, too: only words in code count.
    code = " ".join(re.findall(r"`[^`]+`|```.*?```", page(name), re.DOTALL))
    assert not {n for n in named if f"make {n}" in code} - set(rules)


@pytest.mark.parametrize("name", PAGES)
def test_pages_link_only_to_files_that_exist(name):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page(name))
    local = [link for link in links if "://" not in link]
    folder = (ROOT / name).parent
    assert not [link for link in local if not (folder / link).exists()]


@pytest.mark.parametrize("name", sorted(set(PAGES) - set(MAPS)))
def test_pages_name_only_paths_that_exist(name):
    named = re.findall(rf"`((?:{'|'.join(map(re.escape, TOP))})/[\w./-]*)`", page(name))
    gone = [path for path in named if not (ROOT / path).exists()]
    assert not [path for path in gone if not MADE.search(path)]


@pytest.mark.parametrize("name", PAGES)
def test_pages_use_the_words_of_the_field(name):
    text = re.sub(r"`[^`]*`", "", page(name))
    assert not re.findall(
        r"(?i)\b(?:rooms?|twins?|rehung|the gate|booked|told of)\b", text
    )


def test_readme_example_prints_what_it_says():
    example, *_ = blocks(page("README.md"), "python")
    said = re.findall(r"# -> (.*)", example)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(example, "README.md", "exec"), {"__name__": "readme"})
    assert printed.getvalue().split() == " ".join(said).split()


@pytest.mark.parametrize("example", blocks(page("README.md"), "python")[1:])
def test_readme_other_examples_run(example):
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(example, "README.md", "exec"), {"__name__": "readme"})
    assert printed.getvalue()


def test_readme_lists_the_chapters_that_there_are():
    listed = re.findall(r"^\| (\d\d) \|", page("README.md"), re.MULTILINE)
    notebooks = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
    assert listed == [path.name[:2] for path in notebooks]


def test_readme_names_only_extras_that_exist():
    said = re.findall(r"extra `(\w+)`|edutorch\[(\w+)\]", page("README.md"))
    project = tomllib.loads(page("pyproject.toml"))["project"]
    assert said
    assert {a or b for a, b in said} <= set(project["optional-dependencies"])


def files_entered(call) -> set[str]:
    """The library's files that a debugger enters."""
    seen = set()
    before = sys.gettrace()
    sys.settrace(lambda frame, event, arg: seen.add(frame.f_code.co_filename))
    try:
        call()
    finally:
        sys.settrace(before)
    own = [Path(name) for name in seen if name.startswith(str(ROOT))]
    return {path.relative_to(ROOT).as_posix() for path in own}


def test_readme_says_what_a_debugger_meets():
    layer, x = torch.nn.LSTM(2, 3), torch.ones(4, 1, 2)
    image, weight = torch.ones(1, 8, 16, 16), torch.ones(8, 8, 3, 3)
    with torch.config.kernels("auto"):
        entered = files_entered(lambda: (layer(x), torch.conv2d(image, weight)))
    with torch.config.kernels("fast"):
        fast = files_entered(lambda: layer(x))
    assert "edutorch/ops/rnn/unrolled.py" in entered
    assert "edutorch/ops/rnn/recurrence.py" in fast - entered
    assert "edutorch/kernels/conv_winograd.py" not in entered
    assert not [name for name in entered if name.startswith("edutorch/kernels/fast/")]


def test_readme_example_is_short():
    example, *_ = blocks(page("README.md"), "python")
    assert len(example.strip().splitlines()) <= 12


def test_makefile_help_names_every_command():
    text = page("Makefile")
    phony = " ".join(re.findall(r"^\.PHONY:((?:.*\\\n)*.*)", text, re.MULTILINE))
    commands = set(phony.replace("\\", " ").split()) - {"help"}
    assert not [name for name in commands if f"make {name}" not in text]


def test_makefile_has_a_rule_for_every_command_it_names():
    text = page("Makefile")
    rules = set(re.findall(r"^([a-z][a-z-]*):", text, re.MULTILINE))
    named = set(re.findall(r'@echo "make ([a-z-]+)', text))
    assert named <= rules
