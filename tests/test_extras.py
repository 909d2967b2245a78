"""Messages name the packages that an extra installs: PyPI has another edutorch."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from edutorch.extras import EXTRAS, install_command

ROOT = Path(__file__).parents[1]
FOR_DEVELOPERS = {"book", "dev", "test"}
# What would install the other project: the name alone, or with an extra.
OTHERS = re.compile(r"pip install (-\S+ )*[\"'`]?edutorch(?!\S* @ )[\[\"'`\s]")
PAGES = (
    "*.md",
    "docs/**/*.md",
    "book/**/*.md",
    "edutorch/**/*.py",
    "notebooks/*.ipynb",
)


def test_extras_hold_the_packages_of_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = {
        extra: tuple(re.sub(r">=[\d.]+,?|;.*", "", package) for package in packages)
        for extra, packages in project["optional-dependencies"].items()
        if extra not in FOR_DEVELOPERS
    }
    assert declared == EXTRAS


@pytest.mark.parametrize("extra", EXTRAS)
def test_install_command_names_every_package_of_an_extra(extra):
    words = install_command(extra).replace("'", "").split()
    assert words == ["pip", "install", *EXTRAS[extra]]


def test_install_command_quotes_packages_that_a_shell_would_redirect():
    assert "'jupyterlab<5'" in install_command("lab").split()


def test_install_command_of_an_unknown_name_raises():
    with pytest.raises(ValueError, match="laboratory"):
        install_command("laboratory")


def test_pattern_matches_what_installs_the_other_project():
    assert OTHERS.search("pip install 'edutorch[lab]'")
    assert OTHERS.search('pip install -q "edutorch[lab]"\n')
    assert OTHERS.search("`pip install edutorch`")
    assert not OTHERS.search('pip install "edutorch[lab] @ git+https://x/edutorch"')


@pytest.mark.parametrize("pattern", PAGES)
def test_commands_never_install_the_other_project(pattern):
    warning = "PyPI has another project of the same name: `pip install edutorch`"
    for path in ROOT.glob(pattern):
        text = path.read_text(encoding="utf-8").replace(warning, "")
        assert not OTHERS.search(text.replace("\\n", "\n").replace('\\"', '"')), path
