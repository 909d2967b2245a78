"""Chapter 17 as a learner runs it: in JupyterLab, the board by mouse and keyboard."""

from __future__ import annotations

import pytest

from tests.browser.chapters import assert_every_check_passes, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "17-memory"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def board(lab, lesson):
    view = lab.page.locator(".edutorch-allocator_board")
    view.scroll_into_view_if_needed()
    return view


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_cells_show_what_the_text_says_of_them(lesson):
    assert "2 launches" in lesson["counters"]
    assert "one by one: 1000 copies" in lesson["item"]
    assert "allocated 512 bytes, reserved 2097152" in lesson["one"]
    assert "4 worked" in lesson["full"]
    assert "with a graph 17.00 MiB" in lesson["chain"]
    assert "layers in a block: 4, 9.0 MiB" in lesson["checkpoint-peaks"]
    assert "without 50 µs" in lesson["clock"]
    assert "1024: 2.70 ms" in lesson["clock-events"]
    assert "race: thread" in lesson["race"]
    assert "losses keeps a tensor for each time" in lesson["finder-says"]


def test_program_goes_on_by_button_and_by_key_until_memory_is_full(lab, board):
    board.get_by_test_id("step").focus()
    lab.page.keyboard.press("Home")
    wait_for(board.get_by_test_id("said"), "Nothing is reserved yet")
    board.get_by_test_id("next").click()
    wait_for(board.get_by_test_id("said"), "512 bytes set aside, in a new segment")
    board.get_by_test_id("step").focus()
    lab.page.keyboard.press("ArrowRight")
    wait_for(board.get_by_test_id("said"), "b: 700 KiB requested")
    board.get_by_test_id("back").click()
    wait_for(board.get_by_test_id("said"), "Next: b = 700 KiB")
    board.get_by_test_id("step").focus()
    lab.page.keyboard.press("End")
    wait_for(board.get_by_test_id("said"), "Out of memory.*in pieces")


def test_reader_asks_where_a_request_would_go(lab, board):
    board.get_by_test_id("step").focus()
    lab.page.keyboard.press("Home")
    for _ in range(7):
        lab.page.keyboard.press("ArrowRight")
    board.get_by_test_id("request").focus()
    lab.page.keyboard.press("Home")
    wait_for(board.get_by_test_id("would"), "of 64 KiB now would go into segment 1")
    lab.page.keyboard.press("End")
    wait_for(board.get_by_test_id("would"), "new segment of 20 MiB")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_board_fits_its_place(lab, board, pictures, theme, width):
    board.get_by_test_id("step").focus()
    lab.page.keyboard.press("End")
    lab.fit(board, theme, width, pictures / f"board-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
