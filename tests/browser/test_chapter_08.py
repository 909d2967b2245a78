"""Chapter 8 as a learner runs it: in JupyterLab, the lanes by mouse and keyboard."""

from __future__ import annotations

import pytest

from tests.browser.chapters import assert_every_check_passes, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "08-data"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def lanes(lab, lesson):
    view = lab.page.locator(".edutorch-worker_lanes")
    view.scroll_into_view_if_needed()
    return view


def to(lab, lanes, name, text, key="ArrowRight"):
    """Press an arrow key on a slider until it says `text`."""
    slider = lanes.get_by_test_id(name)
    slider.focus()
    for press in ["Home" if key == "ArrowRight" else "End", *[key] * 20]:
        lab.page.keyboard.press(press)
        lab.page.evaluate("() => new Promise(done => requestAnimationFrame(done))")
        if slider.get_attribute("aria-valuetext") == text:
            return
    raise AssertionError(f"{name} never was {text}")


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_cells_show_what_the_text_says_of_them(lesson):
    assert "shuffle=False: 10.0% right, answers [9]" in lesson["sorted"]
    assert "all people: 93% of the coins" in lesson["coin"]
    assert "0 workers: the second epoch is the first: False" in lesson["epochs"]
    assert "2 workers: the second epoch is the first: True" in lesson["epochs"]
    assert "Numbers [0, 0, 1, 1, 2, 2" in lesson["stream"]


def test_three_workers_end_the_waiting(lab, lanes):
    to(lab, lanes, "load", "60 ms")
    to(lab, lanes, "step", "20 ms")
    to(lab, lanes, "workers", "1")
    wait_for(lanes.get_by_test_id("facts"), "600 ms later")
    to(lab, lanes, "workers", "3")
    wait_for(lanes.get_by_test_id("facts"), "never waits")
    to(lab, lanes, "workers", "0")
    wait_for(lanes.get_by_test_id("facts"), "the trainer loads 960 ms, 75%")


def test_larger_store_carries_the_trainer_over_a_slow_batch(lab, lanes):
    for name, text in (("load", "30 ms"), ("step", "30 ms"), ("workers", "2")):
        to(lab, lanes, name, text)
    to(lab, lanes, "prefetch", "1")
    lanes.get_by_test_id("slow").check()
    wait_for(lanes.get_by_test_id("facts"), "180 ms later")
    to(lab, lanes, "prefetch", "2")
    wait_for(lanes.get_by_test_id("facts"), "30 ms later. At most 3")
    lanes.get_by_test_id("slow").uncheck()


def test_time_goes_on_by_button_and_by_key(lab, lanes):
    to(lab, lanes, "workers", "1")
    to(lab, lanes, "load", "60 ms")
    to(lab, lanes, "step", "20 ms")
    lanes.get_by_test_id("time").focus()
    lab.page.keyboard.press("Home")
    wait_for(lanes.get_by_test_id("lanes"), "waits for batch 0")
    lanes.get_by_test_id("next").click()
    wait_for(lanes.get_by_test_id("lanes"), "trains with batch 0")
    lanes.get_by_test_id("time").focus()
    lab.page.keyboard.press("ArrowRight")
    wait_for(lanes.get_by_test_id("lanes"), "waits for batch 1")
    lab.page.keyboard.press("End")
    wait_for(lanes.get_by_test_id("lanes"), "trainer ?is done")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_view_of_lanes_fits_its_place(lab, lanes, pictures, theme, width):
    to(lab, lanes, "workers", "3")
    lab.fit(lanes, theme, width, pictures / f"lanes-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
