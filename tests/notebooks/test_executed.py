"""Released notebooks are executed: their checks fail, and nothing else does.

EDUTORCH_EXECUTED names a folder in which `make book` has left them executed; without
it they are executed here.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.notebooks.chapters import (
    NAMES,
    code_cells,
    error_of,
    execute,
    marks,
    released,
)

EXECUTED = os.environ.get("EDUTORCH_EXECUTED")

pytestmark = pytest.mark.notebook


@pytest.fixture
def executed(tmp_path, monkeypatch):
    """A function of a notebook's name: its executed cells."""

    def cells_of(name):
        if EXECUTED:
            path = Path(EXECUTED) / f"{name}.ipynb"
            node = json.loads(path.read_text(encoding="utf-8"))
        else:
            node, _ = execute(released(name), tmp_path, monkeypatch, allow_errors=True)
        assert sources(node) == sources(released(name))
        return node["cells"]

    return cells_of


def sources(notebook):
    return ["".join(cell["source"]) for cell in notebook["cells"]]


@pytest.mark.parametrize("name", NAMES)
def test_released_chapter_fails_every_check_and_nothing_else(name, executed):
    cells = code_cells({"cells": executed(name)})
    assert all(cell["execution_count"] for cell in cells)
    for cell in cells:
        expected = "CheckFailed" if marks(cell).get("grade") else ""
        assert error_of(cell) == expected, cell["source"]


def test_notebook_of_the_views_shows_twelve_views_of_what_ran(executed):
    cells = code_cells({"cells": executed("views")})
    for cell in cells:
        raises = "raises-exception" in cell["metadata"].get("tags", [])
        assert bool(error_of(cell)) is raises, cell["source"]
    texts = [
        "".join(output["data"]["text/plain"])
        for cell in cells
        for output in cell["outputs"]
        if "image/svg+xml" in output.get("data", {})
    ]
    assert len(texts) == 12
    for text in texts:
        assert "recorded yet" not in text
        assert "waits for" not in text
    whole = "\n".join(texts)
    for fact in (
        "conv2d(input, 0.weight, 0.bias)",
        "y = a · b: [0]: 2 · 3 = 6",
        "change it to: total += loss.item()",
        "sqrt made 1 nan of 2 values out of finite values",
        "inner sizes must be equal: 288 and 72",
        "cuda:0 (simulated GPU)",
    ):
        assert fact in whole
