"""Chapter 4 as a learner runs it: in JupyterLab, with the ribbon by mouse and keyboard."""

from __future__ import annotations

import re

import pytest

from tests.browser.chapters import assert_every_check_passes, press, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "04-debugging"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def ribbon(lab, lesson):
    view = lab.page.locator(".edutorch-stack_ribbon")
    view.scroll_into_view_if_needed()
    view.get_by_test_id("program").select_option("xlogx")
    view.get_by_test_id("program").select_option("length")
    wait_for(view.get_by_test_id("words"), r"Forward, line 2: x \* x")
    view.get_by_test_id("x").fill("8")  # x = 1
    wait_for(view.get_by_test_id("words"), r"Forward, line 2: x \* x = 1\.")
    return view


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_stack_of_backward_does_not_name_the_function(lesson):
    assert "steps" in lesson["stack"]
    assert "length" not in lesson["stack"]


def test_network_that_is_cut_learns_all_the_same(lesson):
    found = re.findall(r"(\d+) of 178 right", lesson["cut-runs"])
    assert int(found[0]) == 178
    assert 150 < int(found[1]) < 178


def test_ribbon_by_mouse_shows_who_is_on_the_stack(ribbon):
    ribbon.get_by_test_id("next").click()
    wait_for(ribbon.get_by_test_id("stack"), r"length, line 3: return q\.sqrt\(\)")
    ribbon.get_by_test_id("step").fill("4")
    wait_for(ribbon.get_by_test_id("words"), "Backward of line 3")
    wait_for(ribbon.get_by_test_id("stack"), r"line 6: loss\.backward\(\)")
    assert "line 3" not in ribbon.get_by_test_id("stack").inner_text()
    ribbon.get_by_test_id("back").click()
    wait_for(ribbon.get_by_test_id("words"), "Backward of line 5")


def test_ribbon_by_keyboard_reaches_the_nan(lab, ribbon):
    ribbon.get_by_test_id("x").focus()
    press(lab, "ArrowLeft", 4)
    wait_for(ribbon.get_by_test_id("anomaly"), "MulBackward0 returned nan")
    ribbon.get_by_test_id("board").focus()
    press(lab, "End")
    wait_for(ribbon.get_by_test_id("words"), r"x\.grad = nan")
    press(lab, "ArrowUp")
    wait_for(ribbon.get_by_test_id("words"), "inf arrives")
    assert ribbon.locator(".esr-ribbon.esr-alarm").count() == 2


def test_ribbon_tells_all_steps_as_a_table(ribbon):
    ribbon.get_by_text("All steps as a table").click()
    rows = ribbon.get_by_test_id("rows").locator("tr")
    assert rows.count() == 7
    wait_for(rows.last, r"x\.grad = 2")
    ribbon.get_by_text("All steps as a table").click()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_ribbon_stays_within_its_place(lab, ribbon, pictures, theme, width):
    ribbon.get_by_test_id("program").select_option("where")
    ribbon.get_by_test_id("x").fill("4")
    ribbon.get_by_test_id("step").fill("6")
    lab.fit(ribbon, theme, width, pictures / f"ribbon-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
