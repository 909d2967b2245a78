"""The notebook of the twelve views, run in JupyterLab from top to bottom."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "notebooks" / "views.ipynb"
KINDS = (
    "graph", "stepper", "tensor", "gradient", "run", "memory", "memory_tree", "leaks",
    "timeline", "lanes", "nan", "error",
)  # fmt: skip


@pytest.fixture(scope="module")
def tour(lab):
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    lab.write_and_open("views.ipynb", notebook)
    for index, cell in enumerate(notebook["cells"]):
        if "raises-exception" in cell["metadata"].get("tags", ()):
            lab.start(index)
            lab.wait_for_end()
        elif cell["cell_type"] == "code":
            lab.run(index)
    return lab


@pytest.mark.parametrize("kind", KINDS)
def test_view_of_the_notebook_is_drawn(tour, kind, pictures):
    view = tour.page.locator(f".edutorch-{kind}").first
    view.wait_for()
    tour.picture(view, pictures / f"views-{kind}.png")
    assert "recorded yet" not in view.inner_text()


def test_page_reports_no_error(tour):
    assert tour.problems == []
    assert tour.outside == []
