"""The contents of the wheel and the source archive."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from itertools import chain

import pytest

import edutorch
from tests.house.source_tree import ROOT, tracked

METADATA = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUNDLE = "edutorch/widgets/static/widgets.js"
COURSE = "edutorch/widgets/static/course.js"
LOADER = "edutorch/widgets/static/loader.js"
SERVED = "edutorch/widgets/static/served_page.js"
# Bytes: each notebook and each exported page holds the bundle that it needs.
CAPS = {BUNDLE: 220_000, COURSE: 160 * 1024}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with a wheel and a source archive, built without network."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built) -> list[str]:
    with zipfile.ZipFile(next(built.glob("*.whl"))) as archive:
        return archive.namelist()


@pytest.fixture(scope="module")
def sdist(built) -> list[str]:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        return [name.split("/", 1)[1] for name in archive.getnames() if "/" in name]


def test_wheel_holds_every_source_file_and_the_bundle(wheel):
    sources = {p.relative_to(ROOT).as_posix() for p in tracked("edutorch")}
    assert not sources - set(wheel)
    assert set(wheel) >= {BUNDLE, COURSE, LOADER, SERVED}


def test_wheel_holds_only_the_package_and_its_licences(wheel):
    other = [n for n in wheel if not n.startswith(("edutorch/", "edutorch-"))]
    assert not other
    names = {name.rsplit("/", 1)[-1] for name in wheel}
    assert {"LICENSE", "NOTICE", "THIRD-PARTY-NOTICES.md"} <= names


def test_wheel_holds_the_course_and_none_of_its_tests(wheel):
    assert "edutorch/course/notebooks/01-tensors.ipynb" in wheel
    assert "edutorch/course/solutions/ch01.py" in wheel
    assert not [n for n in wheel if "tests/" in n or "mutants" in n]


def test_sdist_can_build_everything_again(sdist):
    needed = {
        BUNDLE,
        COURSE,
        LOADER,
        SERVED,
        "pyproject.toml",
        "Makefile",
        "widgets/package.json",
        "LICENSE",
    }
    assert needed <= set(sdist)


def test_sdist_holds_nothing_that_is_made(sdist):
    made = ("node_modules/", "/_build/", "__pycache__", ".venv", ".ipynb_checkpoints")
    assert not [name for name in sdist if any(part in name for part in made)]


@pytest.mark.parametrize("path", CAPS)
def test_bundle_is_small_and_asks_no_other_machine(path):
    text = (ROOT / path).read_text(encoding="utf-8")
    assert len(text.encode()) < CAPS[path]
    # Names of XML namespaces look like addresses and are never fetched.
    addresses = [
        part.split('"')[0].split("'")[0].split("`")[0]
        for part in text.split("http")[1:]
        if part.startswith(("://", "s://"))
    ]
    assert all(a.startswith("://www.w3.org/") for a in addresses), addresses


def test_dependencies_are_few_and_have_lower_bounds_only():
    core = METADATA["project"]["dependencies"]
    assert len(core) <= 4
    assert not [d for d in core if "<" in d or "==" in d]


def test_dependencies_never_are_pytorch():
    extras = METADATA["project"]["optional-dependencies"].values()
    everything = [*METADATA["project"]["dependencies"], *chain(*extras)]
    assert not [d for d in everything if d.split(">")[0].strip() == "torch"]


def test_version_is_the_same_everywhere():
    ours = METADATA["project"]["version"]
    assert edutorch.__version__.split("+")[0] == ours
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {ours}" in changes


def test_notices_name_every_package_in_the_bundle():
    package = json.loads((ROOT / "widgets" / "package.json").read_text())
    notices = (ROOT / "THIRD-PARTY-NOTICES.md").read_text(encoding="utf-8")
    assert not [n for n in package.get("dependencies", {}) if n not in notices]
