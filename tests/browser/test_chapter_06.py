"""Chapter 6 as a learner runs it: in JupyterLab, logits moved by mouse and keyboard."""

from __future__ import annotations

import re

import pytest

from tests.browser.chapters import assert_every_check_passes, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "06-losses"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def sliders(lab, lesson):
    view = lab.page.locator(".edutorch-logit_sliders")
    view.scroll_into_view_if_needed()
    view.get_by_test_id("right").select_option("0")
    view.get_by_test_id("shift0").click()
    view.get_by_test_id("undecided").click()
    wait_for(view.get_by_test_id("verdict"), r"loss 1\.1\. On paper: the same")
    return view


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_raw_measurements_make_nan_of_the_loss_on_paper_only(lesson):
    paper, stable = lesson["raw"].splitlines()[1:3]
    assert paper.split()[-3:] == ["nan"] * 3
    assert "nan" not in stable


def test_squared_error_stays_wrong_longer_than_cross_entropy(lesson):
    steps = [int(n) for n in re.findall(r"half after (\d+) steps", lesson["swapped"])]
    assert steps[0] > 10 * steps[1]


def test_logit_by_arrow_keys_moves_bars_and_loss(lab, sliders):
    sliders.get_by_test_id("logit-1").focus()
    for _ in range(10):  # 0.1 a key
        lab.page.keyboard.press("ArrowRight")
    wait_for(sliders.get_by_test_id("p-1"), r"^0\.576$")
    wait_for(sliders.get_by_test_id("gradient-0"), r"^-0\.788$")
    wait_for(sliders.get_by_test_id("verdict"), r"loss 1\.55\.")


def test_logit_by_mouse_goes_to_its_end(lab, sliders):
    slider = sliders.get_by_test_id("logit-2")
    box = slider.bounding_box()
    slider.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    wait_for(sliders.get_by_test_id("p-2"), "^1$")
    wait_for(sliders.get_by_test_id("gradient-0"), "^-1$")
    wait_for(sliders.get_by_test_id("verdict"), r"loss 10\.")


def test_shift_of_all_logits_ends_the_loss_on_paper_at_89(lab, sliders):
    sliders.get_by_test_id("shift").focus()
    verdict = sliders.get_by_test_id("verdict")
    for shift, words in ((87, "the same"), (88, "the sum"), (89, r"exp\(89\) is inf")):
        while sliders.get_by_test_id("shift").input_value() != str(shift):
            lab.page.keyboard.press("ArrowRight")
        wait_for(verdict, rf"loss 1\.1\. On paper: {words}")
    sliders.get_by_test_id("shift-1000").click()
    wait_for(verdict, "loss 1.1. .* every exp is 0")


def test_another_class_is_right_when_chosen(sliders):
    sliders.get_by_test_id("right").select_option("2")
    sliders.get_by_test_id("sure-and-right").click()
    wait_for(sliders.get_by_test_id("p-2"), "^0.999$")
    wait_for(sliders.get_by_test_id("verdict"), "loss 6.71e-04")


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_sliders_view_fits_its_place(lab, sliders, pictures, theme, width):
    sliders.get_by_test_id("shift1000").click()
    lab.fit(sliders, theme, width, pictures / f"logits-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
