"""Maps are complete: each package's docstring, widgets/src and tests/.

A map names files in backticks. A name that ends with "/" covers a whole folder, and a
pattern such as `lobpcg_*.py` whatever it matches. Paths from the project's root point
elsewhere and are no entries.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pytest

from tests.house.source_tree import PACKAGE, ROOT, tracked

ENTRY = re.compile(r"`([\w.*/-]+(?:\.(?:py|ts)|/))`")
ELSEWHERE = ("edutorch/", "tests/", "widgets/src/", "widgets/test/")
SOURCES = tracked(f"{PACKAGE}/**", "tests/**", "widgets/src/**")
PACKAGES = sorted(
    p.parent for p in SOURCES if p.name == "__init__.py" and PACKAGE in p.parts
)


def entries(text: str) -> list[str]:
    """The files and folders that a map names."""
    return [name for name in ENTRY.findall(text) if not name.startswith(ELSEWHERE)]


def covers(entry: str, file: str) -> bool:
    """Whether an entry of a map covers a file, both relative to the map's folder."""
    if entry.endswith("/"):
        return file.startswith(entry)
    named, found = PurePosixPath(entry), PurePosixPath(file)
    return named.parent == found.parent and fnmatch(found.name, named.name)


def not_covered(files: Iterable[str], named: list[str]) -> list[str]:
    return sorted(f for f in files if not any(covers(name, f) for name in named))


def gone(named: list[str], folder: Path) -> list[str]:
    return [name for name in named if not list(folder.glob(name.rstrip("/")))]


def contents(package: Path) -> set[str]:
    """The files of a package, and its subpackages as "name/"."""
    inside = [p.relative_to(package) for p in SOURCES if package in p.parents]
    python = [p for p in inside if p.suffix == ".py"]
    files = {p.name if len(p.parts) == 1 else f"{p.parts[0]}/" for p in python}
    return files - {"__init__.py"}


def docstring(package: Path) -> str:
    tree = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    return ast.get_docstring(tree) or ""


def lines_of(text: str) -> list[tuple[list[str], str]]:
    """What a map says: groups of files, each with the words that follow it."""
    found: list[tuple[list[str], str]] = []
    for item in re.split(r"\n(?=\n| *- | *\d\. )", text):
        parts = ENTRY.split(" ".join(item.split()))
        group: list[str] = []
        for file, words in zip(parts[1::2], parts[2::2], strict=True):
            group.append(file)
            if not re.fullmatch(r"[ ,;]*(and )?", words):
                found.append((group, words))
                group = []
    return found


def listed(words: str) -> list[str]:
    """The names of ": relu, `elu`, gelu ...", and none of a sentence.

    Example:
        >>> listed(": relu, elu ... "), listed(": what relu refuses.")
        (['relu', 'elu'], [])
    """
    first = re.split(r"[.;](?:\s|$)| \.\.\.", words.removeprefix(":").strip() + " ")[0]
    names = [name.strip(" `") for name in first.split(",")]
    return names if all(re.fullmatch(r"\w+", name) for name in names) else []


def exports(path: Path) -> set[str]:
    """The names in a file's `__all__`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lists = [
        node.value for node in tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]  # fmt: skip
    found = (
        n.value for each in lists for n in ast.walk(each) if isinstance(n, ast.Constant)
    )
    return {name for name in found if isinstance(name, str)}


def page(*parts: str) -> str:
    return ROOT.joinpath(*parts).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "package", PACKAGES, ids=lambda p: p.relative_to(ROOT).as_posix()
)
def test_map_of_a_package_names_each_file_and_none_that_is_gone(package):
    named = entries(docstring(package))
    assert not not_covered(contents(package), named), "not in the package's docstring"
    assert not gone(named, package), "the package's docstring names what is not there"


@pytest.mark.parametrize(
    "package", PACKAGES, ids=lambda p: p.relative_to(ROOT).as_posix()
)
def test_map_of_a_package_puts_functions_into_the_files_that_define_them(package):
    files = {path.name: exports(path) for path in package.glob("*.py")}
    wrong = [
        (group, name)
        for group, words in lines_of(docstring(package))
        for name in listed(words)
        if any(name in names for names in files.values())
        and not any(name in files.get(file, ()) for file in group)
    ]
    assert not wrong


def test_map_of_the_browsers_half_names_each_file_and_none_that_is_gone():
    folder = ROOT / "widgets" / "src"
    named = entries(page("widgets", "src", "README.md"))
    found = [p.name for p in SOURCES if p.parent == folder and p.suffix == ".ts"]
    assert not not_covered(found, named)
    assert not gone(named, folder)


def test_map_of_the_tests_names_each_helper_and_none_that_is_gone():
    folder = ROOT / "tests"
    named = entries(page("tests", "README.md"))
    inside = [p.relative_to(folder) for p in SOURCES if folder in p.parents]
    helpers = [
        p.as_posix() for p in inside
        if p.suffix == ".py" and not p.name.startswith(("test_", "__init__", "conftest"))
    ]  # fmt: skip
    # `house/` says what a folder is for; its helpers are named one by one.
    assert not not_covered(
        helpers, [n for n in named if n.count("/") != 1 or n[-1] != "/"]
    )
    assert not gone(named, folder)
    folders = {p.parts[0] for p in inside if len(p.parts) > 1}
    unlike = {name for name in folders if not (ROOT / PACKAGE / name).is_dir()}
    assert not {f"{name}/" for name in unlike} - set(named)


@pytest.mark.parametrize(
    ("entry", "file", "covered"),
    [
        ("conv.py", "conv.py", True),
        ("conv.py", "conv_1x1.py", False),
        ("conv*.py", "conv_1x1.py", True),
        ("sparse/", "sparse/coo.py", True),
        ("*.py", "sparse/coo.py", False),
    ],
)
def test_entry_covers_a_file_a_pattern_or_a_folder(entry, file, covered):
    assert covers(entry, file) is covered


def test_a_renamed_file_is_both_not_covered_and_gone():
    folder = ROOT / "tests" / "house"
    assert not_covered(["test_maps.py"], ["test_old.py"]) == ["test_maps.py"]
    assert gone(["test_old.py", "test_maps.py"], folder) == ["test_old.py"]
