"""Chapter 1 as a learner runs it: in JupyterLab, with views by mouse and keyboard."""

from __future__ import annotations

import pytest

from tests.browser.chapters import assert_every_check_passes, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "01-tensors"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def inspector(lab, lesson):
    view = lab.page.locator(".edutorch-stride_inspector")
    view.scroll_into_view_if_needed()
    view.get_by_test_id("reset").click()
    wait_for(view.get_by_test_id("caption"), r"^y = x: shape \(3, 4\)")
    view.get_by_test_id("view").locator("[data-at='0,0']").click()
    wait_for(view.get_by_test_id("walk"), r"^y\[0, 0\]")
    return view


def lit(inspector):
    """Which numbers of the memory belong to y."""
    return inspector.get_by_test_id("memory").locator(".esi-lit").count()


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_billion_numbers_take_four_bytes(lesson):
    assert lesson["01-037"].endswith("([1000000000]), 4)")


def test_view_after_view_by_mouse_is_lit_in_the_memory(inspector):
    caption = inspector.get_by_test_id("caption")
    inspector.get_by_test_id("transpose").click()
    wait_for(caption, r"x\.t\(\): shape \(4, 3\), strides \(1, 4\), offset 0, a view")
    inspector.get_by_test_id("drop a row").click()
    wait_for(caption, r"shape \(3, 3\), strides \(1, 4\), offset 1, a view")
    assert lit(inspector) == 9
    inspector.get_by_test_id("every 2nd column").click()
    wait_for(caption, r"shape \(3, 2\), strides \(1, 8\), offset 1, a view")
    assert lit(inspector) == 6
    inspector.get_by_test_id("view").locator("[data-at='2,1']").click()
    wait_for(inspector.get_by_test_id("walk"), r"^y\[2, 1\] is at 1 \+ .* = 11$")
    inspector.get_by_test_id("undo").click()
    wait_for(caption, r"shape \(3, 3\)")


def test_reshape_by_keyboard_copies_only_after_a_transpose(lab, inspector):
    caption = inspector.get_by_test_id("caption")
    for name, words in (
        ("reshape", r"x\.reshape\(4, 3\): .*, a view of x"),
        ("undo", "^y = x:"),
        ("transpose", r"x\.t\(\)"),
        ("reshape", r"strides \(4, 1\), offset 0, a copy, with its own memory"),
    ):
        inspector.get_by_test_id(name).focus()
        lab.page.keyboard.press("Enter")
        wait_for(caption, words)


def test_arrow_keys_walk_through_an_expanded_column(lab, inspector):
    inspector.get_by_test_id("expand").click()
    wait_for(inspector.get_by_test_id("caption"), r"strides \(4, 0\)")
    assert lit(inspector) == 3
    inspector.get_by_test_id("view").focus()
    for key, words in (
        ("ArrowRight", r"^y\[0, 1\] is at 0 \+ 0·4 \+ 1·0 = 0$"),
        ("ArrowDown", r"^y\[1, 1\] .* = 4$"),
        ("ArrowDown", r"^y\[2, 1\] .* = 8$"),
        ("ArrowLeft", r"^y\[2, 0\] .* = 8$"),
        ("ArrowUp", r"^y\[1, 0\] .* = 4$"),
    ):
        lab.page.keyboard.press(key)
        wait_for(inspector.get_by_test_id("walk"), words)


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_inspector_fits_its_place(lab, inspector, pictures, theme, width):
    inspector.get_by_test_id("transpose").click()
    inspector.get_by_test_id("drop a row").click()
    lab.fit(inspector, theme, width, pictures / f"strides-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
