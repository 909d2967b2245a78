"""Write a new chapter that every test accepts: `make chapter CHAPTER=12-attention`.

The files come from `template/`: a notebook, checks, solutions, answers as learners write
them, and tests, all for the same small exercise. Their author replaces one exercise
after the other; `docs/adding-a-chapter.md` says how. A template's text between
`=== each` and `=== end` is written once for each exercise.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from string import Template
from typing import Any

from edutorch.course.course_files import cells_of
from edutorch.course.release import BEGIN, Notebook, release, write

__all__ = ["Chapter", "main", "new_chapter"]

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = Path(__file__).with_name("template")
EACH = re.compile(r"^=== each\n(.*?)^=== end\n", re.MULTILINE | re.DOTALL)
WIDTH = 88  # of a line
EXERCISES = ("first", "second", "third")
WRITTEN = {
    "checks.txt": "edutorch/course/checks/ch{nn}.py",
    "solutions.txt": "tests/course/solutions/ch{nn}.py",
    "mutants.txt": "tests/course/mutants/ch{nn}.py",
    "test_checks.txt": "tests/course/checks/test_ch{nn}.py",
    "test_browser.txt": "tests/browser/test_chapter_{nn}.py",
}
METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {"name": "python"},
}


class Chapter:
    """What a chapter is called.

    Args:
        name: of its notebook, such as "12-attention".
        title: as in the notebook's first line.
        functions: that the exercises ask for, three to ten.

    Raises:
        ValueError: a name is none, or there are too few or too many exercises.
    """

    def __init__(
        self, name: str, title: str, functions: tuple[str, ...] = EXERCISES
    ) -> None:
        if not re.fullmatch(r"\d\d(-[a-z0-9]+)+", name):
            raise ValueError(f"a chapter is called like 12-attention, not {name!r}")
        wrong = [f for f in functions if not re.fullmatch("[a-z][a-z0-9_]{0,23}", f)]
        if wrong:
            raise ValueError(f"not the name of a function: {wrong[0]!r}")
        if not 3 <= len(set(functions)) == len(functions) <= 10:
            raise ValueError("a chapter has three to ten exercises, all unlike")
        self.name, self.nn, self.functions = name, name[:2], functions
        self.title = title or name[3:].replace("-", " ").capitalize()

    def filled(self, template: str) -> str:
        """A template with this chapter's names."""
        text = (TEMPLATES / template).read_text(encoding="utf-8")
        text = EACH.sub(self._each, text)
        return Template(text).substitute(
            nn=self.nn,
            number=int(self.nn),
            name=self.name,
            title_of_chapter=self.title,
            subject=_lowered(self.title),
        )

    def _each(self, found: re.Match[str]) -> str:
        parts = []
        for i, function in enumerate(self.functions, 1):
            title = function.replace("_", " ")
            names = {"id": f"{self.nn}.{i}", "dash": f"{self.nn}-{i}"}
            names |= {"function": function, "title": title}
            names["heading"] = title.capitalize()
            parts.append(Template(found[1]).safe_substitute(names))
        return "".join(parts)


def new_chapter(chapter: Chapter, root: Path = ROOT, introduces: str = "") -> list[str]:
    """Write the chapter's files and add its lines; the paths of both.

    Args:
        chapter: what it is called.
        root: of the checkout.
        introduces: names of the library that no earlier chapter uses: "Embedding|bmm".

    Raises:
        FileExistsError: there is a chapter of this number, and nothing was written.
    """
    files = {path.format(nn=chapter.nn): name for name, path in WRITTEN.items()}
    there = [path for path in files if (root / path).exists()]
    there += [p.name for p in (root / "notebooks").glob(f"{chapter.nn}-*.ipynb")]
    if there:
        raise FileExistsError(f"there is a chapter {chapter.nn}: {', '.join(there)}")
    for path, template in files.items():
        (root / path).write_text(chapter.filled(template), encoding="utf-8")
    notebook = f"notebooks/{chapter.name}.ipynb"
    write(root / notebook, _notebook(chapter))
    return [*files, notebook, *_add_lines(chapter, root, introduces)]


def _notebook(chapter: Chapter) -> Notebook:
    """The chapter as it is handed out."""
    solutions = cells_of(chapter.filled("solutions.txt"))
    cells = []
    for header, source in cells_of(chapter.filled("notebook.txt")).items():
        kind, name, *tags = header.split()
        if name.startswith("answer-"):
            source = solutions[name.removeprefix("answer-").replace("-", ".")]
            assert BEGIN in source
        cell: dict[str, Any] = {"cell_type": kind, "id": name}
        cell["metadata"] = _marks(name) | ({"tags": tags} if tags else {})
        cell["source"] = source.splitlines(keepends=True)
        if kind == "code":
            cell |= {"outputs": [], "execution_count": None}
        cells.append(cell)
    whole = {"cells": cells, "metadata": METADATA, "nbformat": 4, "nbformat_minor": 5}
    return release(whole)


def _marks(name: str) -> dict[str, Any]:
    """nbgrader's metadata of a cell, for the three cells of an exercise."""
    part = name.partition("-")[0]
    if part not in {"exercise", "answer", "check"} or part == name:
        return {}
    marks = {"grade": part == "check", "grade_id": name, "locked": part != "answer"}
    marks |= {"schema_version": 3, "solution": part == "answer", "task": False}
    return {"nbgrader": marks | ({"points": 1} if part == "check" else {})}


def _add_lines(chapter: Chapter, root: Path, introduces: str) -> list[str]:
    """The lines by which the rest of the course knows a chapter."""
    nn, title = chapter.nn, chapter.title
    lower = _lowered(title)
    row = f"| [{int(nn)}. {title}]({chapter.name}.ipynb) | what it is about |\n"
    lines = {
        "edutorch/course/checks/__init__.py": (
            r"  `ch(\d\d)\.py`", "- `parts.py`", f"  `ch{nn}.py`: {lower}.\n",
        ),
        "README.md": (r"\| (\d\d) \|", "\n", f"| {nn} | {lower} |\n"),
        "notebooks/00-start.ipynb": (
            r" *\"\| \[\d+\. .*\]\((\d\d)-", '    "| [All', f"    {_quoted(row)},\n",
        ),
    }  # fmt: skip
    for path, (pattern, last, line) in lines.items():
        _rewrite(root / path, _inserted, nn, pattern, last, line)
    catalogue = "edutorch/course/catalogue.py"
    _rewrite(root / catalogue, _with_module, f"ch{nn}")
    if not introduces:
        return [*lines, catalogue]
    order = "tests/notebooks/test_order.py"
    _rewrite(root / order, _with_names, nn, introduces)
    return [*lines, catalogue, order]


def _lowered(title: str) -> str:
    """A title within a sentence: "Attention" in lower case, "GPU and memory" as it is."""
    return title if title[:2].isupper() else title[0].lower() + title[1:]


def _rewrite(path: Path, change: Any, *args: str) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(change(text, *args), encoding="utf-8")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _inserted(text: str, nn: str, pattern: str, last: str, line: str) -> str:
    """The text with a line more, before the first one of a later chapter.

    Args:
        nn: the chapter's number.
        pattern: how a chapter's line begins, with its number as a group.
        last: how the line behind the last chapter's begins.
        line: to add.
    """
    lines, inside = text.splitlines(keepends=True), False
    for i, old in enumerate(lines):
        found = re.match(pattern, old)
        inside = inside or found is not None
        if (found and found[1] > nn) or (inside and not found and old.startswith(last)):
            return "".join([*lines[:i], line, *lines[i:]])
    raise ValueError(f"no line begins with {last!r} behind the chapters")


def _with_names(text: str, nn: str, names: str) -> str:
    """The text of `test_order.py` with names that a chapter introduces."""
    key = f'    "{nn}": "'
    if key in text:
        return text.replace(key, f'{key}{names}"\n    "|', 1)
    return _inserted(text, nn, r'    "(\d\d)": "', "}", f'{key}{names}",\n')


def _with_module(text: str, module: str) -> str:
    """The catalogue's text with a module of checks more."""
    for begin, end in (
        ("from .checks import ", ""),
        ("_CHAPTERS: Final = ", "always"),
    ):
        pattern = rf"^{re.escape(begin)}(\([^)]*\)|[^(\n]*)(?:  # fmt: skip)?$"
        found = re.search(pattern, text, re.MULTILINE)
        if found is None:
            raise ValueError(f"the catalogue has no line {begin!r}")
        names = sorted({*re.findall(r"ch\d\d", found[1]), module})
        listed = ", ".join(names)
        line = begin + (f"({listed})" if end else listed)
        if len(line) > WIDTH:
            line = begin + "(\n" + "".join(f"    {name},\n" for name in names) + ")"
        text = text[: found.start()] + line + text[found.end() :]
    return text


def main(arguments: list[str] | None = None) -> None:
    """Write the files of a new chapter, and print their paths."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("name", help="such as 12-attention")
    parser.add_argument("title", nargs="?", default="", help='such as "Attention"')
    parser.add_argument("--exercises", nargs="*", default=[], help="functions' names")
    parser.add_argument("--introduces", default="", help='such as "Embedding|bmm"')
    parser.add_argument("--root", type=Path, default=ROOT, help="of the checkout")
    options = parser.parse_args(arguments)
    try:
        functions = tuple(options.exercises) or EXERCISES
        chapter = Chapter(options.name, options.title, functions)
        paths = new_chapter(chapter, options.root, options.introduces)
    except (FileExistsError, ValueError) as error:
        parser.error(str(error))
    print("\n".join(paths))


if __name__ == "__main__":
    main()
