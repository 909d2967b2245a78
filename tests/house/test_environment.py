"""The table of environment variables in CONTRIBUTING is complete."""

from __future__ import annotations

import re

from tests.house.source_tree import ROOT, tracked

VARIABLE = re.compile(r"EDUTORCH_[A-Z_]*[A-Z]")
READ = re.compile(rf"""(?:environ(?:\.get\(|\[)|getenv\()\s*["']({VARIABLE.pattern})""")


def table() -> str:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    return text.split("## Environment variables")[1].split("\n## ")[0]


def documented() -> set[str]:
    return set(re.findall(rf"^\| `({VARIABLE.pattern})` \|", table(), re.MULTILINE))


def sources() -> list[str]:
    paths = tracked("*.py", "Makefile", ".ci/run", "*.md", "*.ipynb", "*.ts")
    own = {ROOT / "CONTRIBUTING.md"}
    return [p.read_text(encoding="utf-8") for p in paths if p not in own]


def test_every_variable_that_is_named_anywhere_is_in_the_table():
    named = {name for text in sources() for name in VARIABLE.findall(text)}
    assert not named - documented()


def test_every_variable_of_the_table_is_read_by_some_file():
    read = {name for text in sources() for name in READ.findall(text)}
    assert not documented() - read


def test_search_finds_a_variable_however_it_is_read():
    for text in ('environ.get("EDUTORCH_{}")', "environ['EDUTORCH_{}']"):
        assert READ.findall(text.format("PART")) == ["EDUTORCH_PART"]
