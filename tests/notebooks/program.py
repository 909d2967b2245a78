"""Training programs of the chapters, taken from the notebooks.

A chapter whose losses are compared with PyTorch's is a line in `CELLS`. Its cells
tagged "program" are a whole program, which also runs with PyTorch under edutorch's
name. They leave `losses`, a list with one number per step, and, where the list is
shorter than `LOSSES` then, `train_epoch()`, which appends to it. No cell without
the tag binds these two names to something else.

`EDUTORCH_STORE=1 python -m pytest tests/notebooks/test_same_losses.py` writes
`losses_NN.json` with PyTorch.
"""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

from tests.notebooks.chapters import released

# The chapters, and how many of their cells are tagged "program".
CELLS = {
    "05-modules": 5,
    "07-optimizers": 5,
    "09-cnn": 7,
    "10-inside": 5,
    "11-rnn": 3,
    "18-parallel": 4,
}
LOSSES = 50


def program(name, library):
    """The cells, as written for edutorch or, by the other name, for PyTorch."""
    cells = [
        "".join(cell["source"])
        for cell in released(name)["cells"]
        if "program" in cell["metadata"].get("tags", [])
    ]
    assert len(cells) == CELLS[name]
    return [cell.replace("edutorch", library) for cell in cells]


def first_losses(name, library):
    """Train as the chapter does; the losses of the first steps."""
    names = {"__name__": "chapter"}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in program(name, library):
            exec(compile(cell, f"<{name}>", "exec"), names)
    losses = names["losses"]
    while len(losses) < LOSSES:
        before = len(losses)
        names["train_epoch"]()
        assert len(losses) > before, "train_epoch() appends to losses"
    return losses[:LOSSES]


def stored(name):
    """PyTorch's losses, as `store` wrote them."""
    return json.loads(_path(name).read_text(encoding="utf-8"))["losses"]


def store(name, losses, version):
    """Write PyTorch's losses, and which PyTorch it was."""
    text = json.dumps({"pytorch": version, "losses": losses}, indent=1)
    _path(name).write_text(text + "\n", encoding="utf-8")


def farthest(ours, theirs):
    """The largest relative distance."""
    return max(abs(a - b) / abs(b) for a, b in zip(ours, theirs, strict=True))


def _path(name):
    return Path(__file__).with_name(f"losses_{name[:2]}.json")
