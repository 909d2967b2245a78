"""The course's commands.

python -m edutorch.course notebooks FOLDER
python -m edutorch.course new FOLDER [--chapters 01 02]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from ..extras import install_command
from .classroom.new_class import new_class
from .handout import hand_out

__all__ = ["main"]

_KEPT = "{name}: your work is kept; the newer version is {new}"


def main(arguments: list[str] | None = None) -> None:
    """Hand out the course's notebooks, or make the folder of a class."""
    parser = argparse.ArgumentParser(
        prog="python -m edutorch.course", description=main.__doc__
    )
    commands = parser.add_subparsers(dest="command", required=True)
    notebooks = commands.add_parser(
        "notebooks",
        help="copy the notebooks into a folder; work that is there stays",
    )
    notebooks.add_argument("folder", type=Path)
    new = commands.add_parser("new", help="make a class's folder, for nbgrader")
    new.add_argument("folder", type=Path)
    new.add_argument("--chapters", nargs="+", default=(), help="numbers, such as 02")
    options = parser.parse_args(arguments)
    if options.command == "new":
        print_new_class(options.folder, options.chapters)
    else:
        print_handed_out(options.folder)


def print_new_class(folder: Path, chapters: Sequence[str]) -> None:
    """Make a class's folder and print the next steps."""
    try:
        names = new_class(folder, chapters)
    except (OSError, ValueError) as error:
        sys.exit(str(error))
    print(f"{folder}: {len(names)} assignments, {', '.join(names)}")
    if find_spec("nbgrader") is None:
        print(f"Install nbgrader: {install_command('course')}")
    print(f"Next: cd {folder} && nbgrader generate_assignment {names[0]}")


def print_handed_out(folder: Path) -> None:
    """Hand the notebooks out and say what happened, in one line or a few."""
    try:
        told = hand_out(folder)
    except OSError as error:
        sys.exit(f"the notebooks cannot be copied to {folder}: {error}")
    for name, happened in told.items():
        if happened == "kept":
            print(_KEPT.format(name=name, new=Path(name).with_suffix(".new.ipynb")))
    counted = {kind: list(told.values()).count(kind) for kind in ("new", "updated")}
    changes = ", ".join(f"{count} {kind}" for kind, count in counted.items() if count)
    print(f"{len(told)} notebooks in {folder}" + (f" ({changes})" if changes else ""))


if __name__ == "__main__":
    main()
