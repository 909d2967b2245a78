"""The course's files: in the package, or in a checkout where they are written."""

from __future__ import annotations

from pathlib import Path
from typing import Final

__all__ = ["notebooks_folder", "solutions_folder"]

_PACKAGE: Final = Path(__file__).resolve().parent
_CHECKOUT: Final = _PACKAGE.parents[1]


def notebooks_folder() -> Path:
    """Where the released notebooks are.

    Raises:
        FileNotFoundError: this installation has none.
    """
    places = (_PACKAGE / "notebooks", _CHECKOUT / "notebooks")
    return _first_with("*.ipynb", *places)


def solutions_folder() -> Path:
    """Where the official solutions are, as Python files of cells.

    Raises:
        FileNotFoundError: this installation has none.
    """
    places = (_PACKAGE / "solutions", _CHECKOUT / "tests" / "course" / "solutions")
    return _first_with("ch*.py", *places)


def _first_with(pattern: str, *folders: Path) -> Path:
    for folder in folders:
        if any(folder.glob(pattern)):
            return folder
    raise FileNotFoundError(f"this installation of edutorch has no {folders[0].name}")
