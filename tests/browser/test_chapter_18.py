"""Chapter 18 as a learner runs it in JupyterLab."""

from __future__ import annotations

import pytest

from tests.notebooks.chapters import marks, solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "18-parallel"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    notebook = solved(NAME)
    lab.write_and_open(f"{NAME}.ipynb", notebook)
    printed = {}
    for i, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            lab.run(i, 300)
            printed[cell["id"]] = lab.printed(i)
    return printed


def test_chapter_passes_every_check(lesson):
    checks = [c["id"] for c in solved(NAME)["cells"] if marks(c).get("grade")]
    assert checks
    assert all("✓" in lesson[check] for check in checks)


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
