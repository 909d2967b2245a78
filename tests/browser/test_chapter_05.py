"""Chapter 5 as a learner runs it: in JupyterLab, with the scale under a slider."""

from __future__ import annotations

import re

import pytest

from tests.browser.chapters import assert_every_check_passes, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "05-modules"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def scale(lab, lesson):
    view = lab.page.locator(".edutorch-init_scale")
    view.scroll_into_view_if_needed()
    view.get_by_test_id("depth").select_option("20")
    view.get_by_test_id("activation").select_option("relu")
    view.get_by_test_id("zero").click()
    wait_for(view.get_by_test_id("verdict"), "^Nothing")
    return view


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_only_one_of_four_scales_learns(lesson):
    shares = re.findall(r"([\d.]+)% right", lesson["train-deep-run"])
    learned = [float(share) > 50 for share in shares]
    assert learned == [False, False, True, False]


def test_scale_by_buttons_goes_from_nothing_to_too_large(scale):
    verdict = scale.get_by_test_id("verdict")
    for name, word in (
        ("too small", "Too small"),
        ("Xavier", "Too small"),
        ("Kaiming", "Good"),
        ("too large", "Too large"),
        ("zero", "Nothing"),
    ):
        scale.get_by_test_id(name).click()
        wait_for(verdict, f"^{word}")
        assert scale.get_by_test_id(name).get_attribute("aria-pressed") == "true"


def test_scale_by_keys_moves_the_slider_by_a_hundredth(lab, scale):
    scale.get_by_test_id("Kaiming").click()
    wait_for(scale.get_by_test_id("verdict"), "^Good")
    slider = scale.get_by_test_id("scale")
    slider.focus()
    before = float(slider.input_value())
    lab.page.keyboard.press("ArrowRight")
    lab.page.wait_for_function(
        "([e, before]) => Number(e.value) > before",
        arg=[slider.element_handle(), before],
    )
    assert float(slider.input_value()) == pytest.approx(before + 0.01)
    lab.page.keyboard.press("End")
    wait_for(scale.get_by_test_id("verdict"), "^Too large")
    lab.page.keyboard.press("Home")
    wait_for(scale.get_by_test_id("verdict"), "^Nothing")


def test_scale_by_mouse_goes_where_the_slider_is_clicked(scale):
    slider = scale.get_by_test_id("scale")
    box = slider.bounding_box()
    slider.click(position={"x": box["width"] * 0.47, "y": box["height"] / 2})
    wait_for(scale.get_by_test_id("verdict"), "^Good")
    assert float(slider.input_value()) == pytest.approx(1.41, abs=0.1)


def test_tanh_needs_a_smaller_scale_than_relu(scale):
    scale.get_by_test_id("activation").select_option("tanh")
    scale.get_by_test_id("Xavier").click()
    wait_for(scale.get_by_test_id("verdict"), "^Good")
    scale.get_by_test_id("too large").click()
    wait_for(scale.get_by_test_id("verdict"), "^Uneven: activations of size 0")


def test_layers_that_are_chosen_stand_in_the_table(scale):
    scale.get_by_test_id("depth").select_option("5")
    scale.get_by_test_id("Kaiming").click()
    scale.locator("summary").click()
    rows = scale.get_by_test_id("rows").locator("tr")
    wait_for(rows.last, "^5")
    assert rows.count() == 5
    assert scale.get_by_test_id("bars").locator("svg").count() == 5
    scale.locator("summary").click()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_scale_view_fits_its_place(lab, scale, pictures, theme, width):
    scale.get_by_test_id("Kaiming").click()
    wait_for(scale.get_by_test_id("verdict"), "^Good")
    lab.fit(scale, theme, width, pictures / f"scale-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
