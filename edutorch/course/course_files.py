"""Finds the course's files, in the package or in a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["cells_of", "notebooks_folder", "solutions_folder"]

_PACKAGE: Final = Path(__file__).resolve().parent
_CHECKOUT: Final = _PACKAGE.parents[1]


def notebooks_folder() -> Path:
    """The folder of the released notebooks.

    Raises:
        FileNotFoundError: this installation has none.
    """
    places = (_PACKAGE / "notebooks", _CHECKOUT / "notebooks")
    return _first_with("*.ipynb", *places)


def solutions_folder() -> Path:
    """The folder of the official solutions, which are Python files of cells.

    Raises:
        FileNotFoundError: this installation has none.
    """
    places = (_PACKAGE / "solutions", _CHECKOUT / "tests" / "course" / "solutions")
    return _first_with("ch*.py", *places)


def cells_of(text: str) -> dict[str, str]:
    """The cells of a Python file, by the text after each `# %%`.

    Example:
        >>> from edutorch.course.course_files import cells_of
        >>> cells_of("# %% a" + chr(10) + "x = 1" + chr(10))
        {'a': 'x = 1'}
    """
    cells = {}
    for part in ("\n" + text).split("\n# %% ")[1:]:
        name, _, source = part.partition("\n")
        cells[name.strip()] = source.strip("\n")
    return cells


def _first_with(pattern: str, *folders: Path) -> Path:
    for folder in folders:
        if any(folder.glob(pattern)):
            return folder
    raise FileNotFoundError(f"this installation of edutorch has no {folders[0].name}")
