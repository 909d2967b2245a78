"""Chapter 3 as a learner runs it: in JupyterLab, with the maps by mouse and keyboard."""

from __future__ import annotations

import pytest

from tests.browser.chapters import assert_every_check_passes, press, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "03-gradcheck"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def maps(lab, lesson):
    view = lab.page.locator(".edutorch-gradcheck_maps")
    view.scroll_into_view_if_needed()
    view.get_by_test_id("mistake").select_option("none")
    view.get_by_test_id("precision").select_option("float64")
    view.get_by_test_id("tolerance").select_option("0.000001")
    view.get_by_test_id("step").fill("30")
    return view


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_gradcheck_finds_what_the_losses_hide(lesson):
    wrong = [name for name in ("NoSlope", "NoMinus", "NoG") if name in lesson["found"]]
    assert len(wrong) == lesson["found"].count("False") == 3


def test_maps_by_mouse_show_a_forgotten_transpose(lab, maps):
    wait_for(maps.get_by_test_id("verdict"), "The check passes")
    maps.get_by_test_id("mistake").select_option("transpose")
    wait_for(maps.get_by_test_id("verdict"), "w: 16 of 16 are wrong")
    assert maps.locator(".egm-wrong").count() == 16
    maps.locator('[data-cell="x 2 3"]').first.hover()
    wait_for(maps.get_by_test_id("said"), r"^x\[2, 3\]: analytic")


def test_maps_by_keyboard_show_both_ends_of_the_v(lab, maps):
    maps.get_by_test_id("step").focus()
    press(lab, "Home")
    wait_for(maps.get_by_test_id("verdict"), "The check fails")
    press(lab, "End")
    wait_for(maps.get_by_test_id("verdict"), "The check fails")
    press(lab, "ArrowLeft", 15)
    wait_for(maps.get_by_test_id("verdict"), "The check passes")
    maps.get_by_test_id("board").focus()
    press(lab, "ArrowDown", 9)
    press(lab, "ArrowUp", 4)
    press(lab, "ArrowRight")
    wait_for(maps.get_by_test_id("said"), r"^b\[|^x\[|^w\[")


def test_maps_of_a_forgotten_unbroadcast_have_other_shapes(maps):
    maps.get_by_test_id("mistake").select_option("broadcast")
    wait_for(maps.get_by_test_id("verdict"), r"the shapes differ, \(4, 4\) and \(4,\)")
    assert maps.locator('[data-cell^="b "]').count() == 16 + 4


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_maps_stay_within_their_place(lab, maps, pictures, theme, width):
    maps.get_by_test_id("mistake").select_option("incoming")
    lab.fit(maps, theme, width, pictures / f"maps-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
