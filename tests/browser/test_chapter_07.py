"""Chapter 7 as a learner runs it: in JupyterLab, with the race by mouse and keyboard."""

from __future__ import annotations

import re

import pytest

from tests.browser.chapters import assert_every_check_passes, press, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "07-optimizers"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def race(lab, lesson):
    view = lab.page.locator(".edutorch-optimizer_race")
    view.scroll_into_view_if_needed()
    view.get_by_test_id("surface").select_option("rosenbrock")
    view.get_by_test_id("surface").select_option("valley")  # as it was at first
    return view


def words(race, name):
    return race.get_by_test_id(name).locator("td").last


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_theory_and_trial_agree_in_four_digits(lesson):
    found = re.search(r"by trial ([\d.]+), by theory ([\d.]+)", lesson["bisect"])
    assert found[1] == found[2] == "0.2485"


def test_race_by_slider_and_keys_finds_the_edge(lab, race):
    race.get_by_test_id("step-slider").focus()
    lab.page.keyboard.press("End")
    race.get_by_test_id("learning-rate").focus()
    rate = race.get_by_test_id("learning-rate")
    for _ in range(100):  # 1% a key
        said = rate.get_attribute("aria-valuetext")
        if said == "0.1":
            break
        lab.page.keyboard.press("ArrowRight")
        lab.page.wait_for_function(
            "([e, said]) => e.getAttribute('aria-valuetext') !== said",
            arg=[rate.element_handle(), said],
        )
    lab.page.keyboard.press("ArrowLeft")
    wait_for(words(race, "SGD"), "arrived|on its way")
    press(lab, "ArrowRight", 6)
    wait_for(words(race, "SGD"), "diverged at step")
    wait_for(words(race, "momentum"), "arrived")


def test_race_by_buttons_goes_step_by_step(lab, race):
    at = race.get_by_test_id("SGD").locator("td").first
    race.get_by_test_id("reset").click()
    wait_for(at, "^0$")
    race.get_by_test_id("step").click()
    wait_for(at, "^1$")
    race.get_by_test_id("play").focus()
    lab.page.keyboard.press("Enter")
    wait_for(at, "^[1-9][0-9]$")
    lab.page.keyboard.press("Enter")
    wait_for(race.get_by_test_id("play"), "Play")


def test_race_begins_where_the_map_is_clicked(lab, race):
    ring = race.locator(".edr-start")
    before = ring.get_attribute("cx")
    box = race.get_by_test_id("map").bounding_box()
    race.get_by_test_id("map").click(
        position={"x": box["width"] * 0.75, "y": box["height"] * 0.25}
    )
    lab.page.wait_for_function(
        "([e, x]) => e.getAttribute('cx') !== x", arg=[ring.element_handle(), before]
    )
    assert float(ring.get_attribute("cx")) == pytest.approx(300, abs=3)
    lab.page.keyboard.press("ArrowLeft")  # the click has given it the focus
    lab.page.wait_for_function(
        "e => e.getAttribute('cx') < 295", arg=ring.element_handle()
    )


def test_race_on_the_saddle_waits(lab, race):
    race.get_by_test_id("surface").select_option("saddle")
    race.get_by_test_id("step-slider").focus()
    lab.page.keyboard.press("Home")
    press(lab, "ArrowRight", 60)
    wait_for(words(race, "SGD"), "on its way")
    wait_for(words(race, "Nesterov"), "arrived at step 38")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_race_fits_its_place(lab, race, pictures, theme, width):
    for name in ("learning-rate", "step-slider"):  # who diverges has most to say
        race.get_by_test_id(name).focus()
        lab.page.keyboard.press("End")
    wait_for(words(race, "SGD"), "diverged at step")
    wait_for(race.get_by_test_id("Adam").locator("td").first, "^300$")
    lab.fit(race, theme, width, pictures / f"race-{theme}-{width}.png")


def test_runs_stand_side_by_side(lab, lesson):
    view = lab.page.locator(".edutorch-run")
    wait_for(view.first, "Adam")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
