"""The chapters with their solutions: every cell runs, every check passes."""

from __future__ import annotations

import re

import pytest

from tests.notebooks.chapters import (
    NAMES,
    SECONDS,
    execute,
    marks,
    solved,
    text_of,
)

pytestmark = pytest.mark.notebook


@pytest.mark.parametrize("name", NAMES)
def test_solved_chapter_runs_in_time_and_passes_every_check(
    name, tmp_path, monkeypatch
):
    node, seconds = execute(solved(name), tmp_path, monkeypatch)
    assert seconds < SECONDS
    checks = [cell for cell in node["cells"] if marks(cell).get("grade")]
    assert checks
    assert all("✓" in text_of(cell) for cell in checks)
    if name.startswith("09"):
        _check_accuracy(node)


def _check_accuracy(node):
    said = [text_of(cell) for cell in node["cells"] if cell["cell_type"] == "code"]
    found = re.search(r"seed (\d+): ([\d.]+)% of (\d+) test digits", "\n".join(said))
    assert found is not None
    assert float(found[2]) >= 97.0
    assert int(found[3]) == 360
