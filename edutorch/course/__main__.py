"""The course's commands.

python -m edutorch.course notebooks FOLDER
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .handout import hand_out

__all__ = ["main"]

_KEPT = "{name}: your work is kept; the newer version is {new}"


def main(arguments: list[str] | None = None) -> None:
    """Hand out the course's notebooks."""
    parser = argparse.ArgumentParser(
        prog="python -m edutorch.course", description=main.__doc__
    )
    commands = parser.add_subparsers(dest="command", required=True)
    notebooks = commands.add_parser(
        "notebooks",
        help="copy the notebooks into a folder; work that is there stays",
    )
    notebooks.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    print_handed_out(options.folder)


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
