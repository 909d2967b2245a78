"""The chapters with their solutions: every cell runs, every check passes."""

from __future__ import annotations

import json
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
from tests.notebooks.program import CELLS, LOSSES, farthest, stored

PRINT_LOSSES = {
    "cell_type": "code",
    "id": "print-losses",
    "metadata": {},
    "source": f"print(losses[:{LOSSES}])",
    "outputs": [],
    "execution_count": None,
}

pytestmark = pytest.mark.notebook


@pytest.mark.parametrize("name", NAMES)
def test_solved_chapter_runs_in_time_and_passes_every_check(
    name, tmp_path, monkeypatch
):
    notebook = solved(name)
    if name in CELLS:
        notebook["cells"].append(PRINT_LOSSES)
    node, seconds = execute(notebook, tmp_path, monkeypatch)
    assert 0 < seconds < SECONDS
    checks = [cell for cell in node["cells"] if marks(cell).get("grade")]
    assert checks
    assert all("✓" in text_of(cell) for cell in checks)
    if name.startswith("09"):
        _check_accuracy(node)
    if name in CELLS:
        ours = json.loads(text_of(node["cells"][-1]))
        assert farthest(ours, stored(name)) <= 1e-4


def _check_accuracy(node):
    said = [text_of(cell) for cell in node["cells"] if cell["cell_type"] == "code"]
    found = re.search(r"seed (\d+): ([\d.]+)% of (\d+) test digits", "\n".join(said))
    assert found is not None
    assert float(found[2]) >= 97.0
    assert int(found[3]) == 360
