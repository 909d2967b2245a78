"""The views by keyboard; JupyterLab's one-letter shortcuts do not reach them."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MODEL = """
import edutorch as torch
from edutorch import nn, optim
from edutorch.widgets import GradientView, GraphView, MemoryView

block = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
model = nn.Sequential(block, nn.Linear(4, 1))
optimizer = optim.SGD(model.parameters(), lr=0.1)
views = GraphView(model), GradientView(model), MemoryView("cpu")

def train():
    for _ in range(4):
        optimizer.zero_grad()
        model(torch.ones(2, 4)).sum().backward()
        optimizer.step()
"""


@pytest.fixture(scope="module")
def page(lab):
    notebook = notebook_of(MODEL, "views[0]", "views[1]", "views[2]", "train()")
    lab.write_and_open("keys.ipynb", notebook)
    for i in range(len(notebook["cells"])):
        lab.run(i)
    for i, written in enumerate(("step 3", "steps 0 to 3", "now"), start=1):
        lab.wait_for_text(i, written)  # from then on nothing moves by itself
    for view, said in (("graph", "step 3"), ("gradient", "4 steps")):
        lab.page.locator(f".edutorch-{view} .edt-info", has_text=said).first.wait_for()
    return lab.page


@pytest.fixture
def stage(page):
    stage = page.locator(".edutorch-graph .edt-stage")
    stage.focus()
    stage.press("Home")
    return stage


def cells(page):
    return page.evaluate("() => window.book.content.widgets.length")


@pytest.mark.parametrize(
    ("way", "forward"), [("down", "ArrowDown"), ("right", "ArrowRight")]
)
def test_graph_when_arrows_are_pressed_follows_edges(page, stage, way, forward):
    plane = page.locator(".edutorch-graph .edt-plane")
    if plane.get_attribute("data-direction") != way:
        stage.press("l")
    page.locator(f".edutorch-graph .edt-plane[data-direction={way}]").wait_for()
    stage.press("Home")
    heard = []
    for _ in range(4):
        stage.press(forward)
        heard.append(stage.get_attribute("aria-label"))
    # From the input through the model: each is read aloud.
    for name, said in zip(("linear", "tanh", "linear", "sum"), heard, strict=True):
        assert said.startswith(f"op {name}")


def test_graph_when_enter_is_pressed_shows_the_details_until_escape(page, stage):
    detail = page.get_by_test_id("detail")
    stage.press("End")
    stage.press("Enter")
    detail.get_by_role("heading", name="sum").wait_for()
    stage.press("Escape")
    detail.wait_for(state="hidden")


def test_graph_when_a_box_is_folded_opens_with_enter(page, stage):
    frames = page.locator(".edutorch-graph g.frame")
    before = frames.count()
    stage.press("ArrowRight")  # drawn to the right by the test before
    stage.press("Shift+Enter")  # the frame around it
    assert frames.count() < before
    stage.press("Enter")
    assert frames.count() == before


def test_search_when_slash_is_pressed_finds_a_node(page, stage):
    stage.press("/")
    page.keyboard.type("tanh")
    page.keyboard.press("Enter")
    page.get_by_test_id("detail").get_by_role("heading", name="tanh").wait_for()
    page.keyboard.press("Escape")
    stage.press("Escape")


def test_letters_when_typed_into_a_view_do_not_edit_the_notebook(page, stage):
    before = cells(page)
    fold = page.locator(".edt-button", has_text="Fold").first
    for part in (stage, fold, page.locator(".edutorch-memory .edt-chart").first):
        part.focus()
        for letter in "abmdd":  # add above, add below, to Markdown, delete
            page.keyboard.press(letter)
    assert cells(page) == before


@pytest.mark.parametrize(
    ("view", "says"), [("gradient", "step 2 · "), ("memory", "total ")]
)
def test_chart_when_arrows_are_pressed_is_read(page, view, says):
    chart = page.locator(f".edutorch-{view} .edt-chart").first
    chart.focus()
    chart.press("End")
    chart.press("ArrowLeft")
    readout = page.locator(f".edutorch-{view}").get_by_test_id("readout")
    readout.get_by_text(says).wait_for()


def test_training_step_when_arrows_are_pressed_is_read(page):
    memory = page.locator(".edutorch-memory")
    memory.get_by_test_id("step-title").get_by_text("at most").wait_for()
    chart = memory.get_by_label("Memory in one training step", exact=False).last
    chart.focus()
    chart.press("Home")
    chart.press("ArrowRight")
    memory.get_by_test_id("readout").get_by_text(" ms · ").wait_for()


def test_page_reports_no_error(lab, page):
    assert lab.problems == []
    assert lab.outside == []
