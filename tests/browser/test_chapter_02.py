"""Chapter 2 as a learner runs it: in JupyterLab, with the graph by mouse and keyboard."""

from __future__ import annotations

import re

import pytest

from tests.browser.chapters import assert_every_check_passes, wait_for
from tests.notebooks.chapters import solved

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "02-autograd"


@pytest.fixture(scope="module")
def lesson(lab):
    """The chapter, run to its end; what each cell printed."""
    return lab.run_all(NAME, solved(NAME))


@pytest.fixture
def player(lab, lesson):
    view = lab.page.locator(".edutorch-graph_player")
    view.scroll_into_view_if_needed()
    view.get_by_test_id("graph").select_option("(a · b + a)²")
    view.get_by_test_id("calls").select_option("once")
    view.get_by_test_id("a").fill("3")
    view.get_by_test_id("b").fill("4")
    view.get_by_test_id("first").click()
    wait_for(view.get_by_test_id("words"), "^a = 3 and b = 4 are leaves")
    return view


def test_chapter_passes_every_check(lesson):
    assert_every_check_passes(NAME, lesson)


def test_one_walk_back_finds_what_301_runs_find(lesson):
    found = re.search(
        r"(\d+) runs; the slopes differ by (\S+) at most", lesson["trying"]
    )
    assert found[1] == "301"
    assert float(found[2]) < 1e-4


def test_graph_of_the_kernel_shows_the_leaf_once_with_both_arrows(lab, lesson):
    view = lab.page.locator(".edutorch-graph")
    view.scroll_into_view_if_needed()
    leaf = view.locator("[data-box]").filter(has_text=re.compile("∇ 150"))
    wait_for(leaf, "^a")
    assert leaf.count() == 1


def test_player_by_mouse_goes_forward_and_backward(lab, player):
    words = player.get_by_test_id("words")
    player.get_by_test_id("step").click()
    wait_for(words, r"^y = a · b = 3 · 4 = 12$")
    player.get_by_test_id("last").click()
    wait_for(words, r"30 \+ 120 = 150")
    assert player.locator('[data-node="a"]').text_content() == "a3∇ 150"
    player.locator('[data-node="z"]').click()
    wait_for(words, r"^z = y \+ a = 12 \+ 3 = 15$")
    player.locator('[data-node="z"]').click()
    wait_for(words, r"^z passes on: to y 30 · 1 = 30; to a 30 · 1 = 30")


def test_player_by_keyboard_counts_a_second_backward(lab, player):
    words = player.get_by_test_id("words")
    player.get_by_test_id("calls").select_option("twice")
    player.get_by_test_id("board").focus()
    for _ in range(8):
        lab.page.keyboard.press("ArrowRight")
    wait_for(words, "^The graph is built again; a and b keep .grad")
    lab.page.keyboard.press("End")
    wait_for(words, r"180 \+ 120 = 300")
    player.get_by_test_id("a").focus()
    lab.page.keyboard.press("Home")
    wait_for(words, r"b .* · \(-5\)")


def test_player_stops_at_a_constant(player):
    player.get_by_test_id("graph").select_option("z · z.detach()")
    player.get_by_test_id("last").click()
    wait_for(player.get_by_test_id("log"), "nothing to c, a constant")
    assert player.locator('[data-node="c"]').text_content() == "c = z.detach()12"


@pytest.mark.parametrize("theme", ["Light", "Dark"])
@pytest.mark.parametrize("width", [400, 900])
def test_player_fits_its_place(lab, player, pictures, theme, width):
    player.get_by_test_id("last").click()
    lab.fit(player, theme, width, pictures / f"player-{theme}-{width}.png")


def test_page_asks_no_other_machine_and_reports_no_error(lab, lesson):
    assert lab.outside == []
    assert lab.problems == []
