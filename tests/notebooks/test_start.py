"""The start page runs without changes and links to every chapter."""

from __future__ import annotations

import re

import pytest

from tests.notebooks.chapters import (
    NAMES,
    START,
    code_cells,
    error_of,
    execute,
    released,
    text_of,
)


def words():
    return "\n".join("".join(cell["source"]) for cell in released(START)["cells"])


def test_start_page_leads_to_every_chapter():
    linked = set(re.findall(r"\]\(([^)]+)\.ipynb\)", words()))
    assert linked == {*NAMES, "views"}


def test_start_page_holds_no_output():
    for cell in code_cells(released(START)):
        assert (cell["outputs"], cell["execution_count"]) == ([], None)


@pytest.mark.notebook
def test_start_page_runs_and_its_network_learns(tmp_path, monkeypatch):
    node, seconds = execute(released(START), tmp_path, monkeypatch)
    assert 0 < seconds < 60
    cells = code_cells(node)
    assert [error_of(cell) for cell in cells] == [""] * len(cells)
    loss = re.search(r"loss ([\d.]+)", "\n".join(map(text_of, cells)))
    assert loss is not None
    assert float(loss[1]) < 0.05
    assert all(cell["outputs"] for cell in cells[1:])
