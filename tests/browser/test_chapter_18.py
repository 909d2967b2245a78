"""Chapter 18 as a learner runs it in JupyterLab."""

from __future__ import annotations

import pytest

from tests.browser.chapters import assert_every_check_passes
from tests.notebooks.chapters import solved

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
    assert_every_check_passes(NAME, lesson)


@pytest.fixture
def board(lab, lesson):
    view = lab.page.locator(".edutorch-replica_board")
    view.scroll_into_view_if_needed()
    return view


def test_ring_goes_on_by_button_and_by_key(lab, board):
    said = board.get_by_test_id("said")
    board.get_by_test_id("step").focus()
    lab.page.keyboard.press("Home")
    said.filter(has_text="Scatter").wait_for()
    board.get_by_test_id("next").click()
    said.filter(has_text="Local gradients").wait_for()
    board.get_by_test_id("step").focus()
    lab.page.keyboard.press("ArrowRight")
    said.filter(has_text="Reduce-scatter, step 1 of 3").wait_for()
    lab.page.keyboard.press("End")
    said.filter(has_text="gradient of one device").wait_for()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_board_fits_its_place(lab, board, pictures, theme, width):
    board.get_by_test_id("step").focus()
    lab.page.keyboard.press("Home")
    for _ in range(3):
        lab.page.keyboard.press("ArrowRight")
    lab.fit(board, theme, width, pictures / f"replicas-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
