"""Chapter 10 as a learner runs it: in JupyterLab, with the depth under a slider."""

from __future__ import annotations

import pytest

from tests.browser.chapters import assert_every_check_passes, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "10-inside"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def deep(lab, lesson):
    view = lab.page.locator(".edutorch-deep_gradients")
    view.scroll_into_view_if_needed()
    for name in ("skip", "norm"):
        view.get_by_test_id(name).uncheck()
    view.get_by_test_id("activation").select_option("relu")
    to(lab, view, 12)
    wait_for(view.get_by_test_id("verdict"), "^Does not learn")
    return view


def to(lab, view, depth):
    """Press arrow keys on the slider until there are so many layers."""
    slider = view.get_by_test_id("depth")
    slider.focus()
    for _ in range(30):
        at = int(slider.input_value())
        if at == depth:
            return
        lab.page.keyboard.press("ArrowRight" if at < depth else "ArrowLeft")
        lab.page.evaluate("() => new Promise(done => requestAnimationFrame(done))")
    raise AssertionError(f"never {depth} layers")


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_plain_network_stops_learning_as_it_becomes_deeper(lab, deep):
    to(lab, deep, 2)
    wait_for(deep.get_by_test_id("verdict"), "^Learns")
    lab.page.keyboard.press("End")
    wait_for(deep.get_by_test_id("verdict"), "^Does not learn")
    wait_for(deep.locator("output"), "^30 layers$")
    assert deep.get_by_test_id("gradients").locator("rect").count() == 30


def test_skips_and_batch_norm_by_mouse_let_a_deep_network_learn(deep):
    deep.get_by_test_id("skip").check()
    wait_for(deep.get_by_test_id("verdict"), "^Learns")
    deep.get_by_test_id("norm").check()
    wait_for(deep.get_by_test_id("verdict"), "^Learns")
    deep.get_by_test_id("skip").uncheck()
    wait_for(deep.get_by_test_id("verdict"), "times the last one's gradient")


def test_skips_by_keyboard_explode_in_thirty_layers(lab, deep):
    deep.get_by_test_id("skip").focus()
    lab.page.keyboard.press("Space")
    wait_for(deep.get_by_test_id("verdict"), "^Learns")
    deep.get_by_test_id("depth").focus()
    lab.page.keyboard.press("End")
    wait_for(deep.get_by_test_id("verdict"), "^Explodes")
    deep.get_by_test_id("activation").select_option("tanh")
    wait_for(deep.get_by_test_id("verdict"), "^(Hardly l|L)earns|^Explodes")


def test_depth_by_mouse_goes_where_the_slider_is_clicked(deep):
    slider = deep.get_by_test_id("depth")
    box = slider.bounding_box()
    slider.click(position={"x": 3, "y": box["height"] / 2})
    wait_for(deep.locator("output"), "^1 layer$")


def test_numbers_by_layer_stand_in_the_table(deep):
    deep.locator("summary").click()
    rows = deep.get_by_test_id("rows").locator("tr")
    wait_for(rows.last, "^12")
    assert rows.count() == 12
    deep.locator("summary").click()


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_depth_view_fits_its_place(lab, deep, pictures, theme, width):
    deep.get_by_test_id("skip").check()
    wait_for(deep.get_by_test_id("verdict"), "^Learns")
    lab.fit(deep, theme, width, pictures / f"depth-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
