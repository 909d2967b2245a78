"""Chapter 9's program, taken from the notebook: the cells tagged "program"."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from tests.notebooks.chapters import released

LOSSES = 50
STORED = Path(__file__).with_name("losses_09.json")  # PyTorch's


def program(library):
    """The cells, as written for edutorch or, by the other name, for PyTorch."""
    cells = [
        "".join(cell["source"])
        for cell in released("09-cnn")["cells"]
        if "program" in cell["metadata"].get("tags", [])
    ]
    assert len(cells) == 8
    return [cell.replace("edutorch", library) for cell in cells]


def first_losses(library):
    """Train as the chapter does; the losses of the first steps."""
    names = {"__name__": "chapter"}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in program(library):
            exec(compile(cell, "<chapter 9>", "exec"), names)
    while len(names["losses"]) < LOSSES:
        names["train_epoch"]()
    return names["losses"][:LOSSES]


def farthest(ours, theirs):
    """The largest relative distance."""
    return max(abs(a - b) / abs(b) for a, b in zip(ours, theirs, strict=True))
