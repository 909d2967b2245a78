"""Views and the training cell share a screen: low strips, and the side panel."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MODEL = """
import edutorch as torch
from edutorch import nn, optim
from edutorch.widgets import GradientView, GraphView, MemoryView, panel

model = nn.Sequential(
    nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Conv2d(8, 8, 3), nn.ReLU(),
    nn.Flatten(), nn.Linear(128, 32), nn.ReLU(), nn.Linear(32, 4))
optimizer = optim.SGD(model.parameters(), lr=0.1)
"""
VIEWS = """
graph, gradients, memory = GraphView(model), GradientView(model), MemoryView("cpu")
panel(graph, gradients, memory)
"""
TRAIN = """
for step in range(30):
    optimizer.zero_grad()
    loss = (model(torch.randn(16, 1, 8, 8)) ** 2).mean()
    loss.backward()
    optimizer.step()
print(f"loss {loss.item():.3f}")
"""
STRIPS = """
for view in (graph, gradients, memory):
    view.dock(False)
    view.compact()
"""
NAMES = "graph", "gradient", "memory"
VARIABLES = "graph", "gradients", "memory"


@pytest.fixture(scope="module")
def page(lab):
    lab.page.set_viewport_size({"width": 1920, "height": 1080})
    lab.write_and_open("screen.ipynb", notebook_of(MODEL, VIEWS, TRAIN, STRIPS))
    for i in range(3):
        lab.run(i)
    lab.page.locator(".edutorch-graph .edt-info", has_text="step 29").wait_for()
    return lab.page


def box(page, selector):
    return page.locator(selector).bounding_box()


def visible(page, selector):
    """Whether all of an element lies within the window."""
    place = box(page, selector)
    size = page.viewport_size
    return (
        place["x"] >= 0
        and place["y"] >= 0
        and place["x"] + place["width"] <= size["width"] + 1
        and place["y"] + place["height"] <= size["height"] + 1
    )


def narrow(page):
    """Whether the notebook leaves space for a panel."""
    notebook, whole = box(page, ".jp-Notebook"), box(page, ".jp-NotebookPanel")
    return notebook["width"] < 0.7 * whole["width"]


def test_panel_when_three_views_are_given_shows_them_beside_the_cells(
    page, lab, pictures
):
    for name in NAMES:
        page.locator(f".edt-side > .edutorch-{name}").wait_for()
        assert visible(page, f".edt-side > .edutorch-{name}")
    assert narrow(page)
    cell = page.locator(".jp-CodeCell").nth(2)
    cell.scroll_into_view_if_needed()
    page.screenshot(path=pictures / "screen-side.png")
    right = cell.bounding_box()
    assert right["x"] + right["width"] <= box(page, ".edt-side")["x"] + 1
    lab.theme("JupyterLab Dark")
    page.wait_for_timeout(300)
    page.screenshot(path=pictures / "screen-side-dark.png")
    lab.theme("JupyterLab Light")


def test_panel_when_training_runs_again_stays_and_follows(page, lab):
    lab.run(2)
    page.locator(".edt-side .edutorch-graph .edt-info", has_text="step 59").wait_for()
    lab.wait_for_text(1, "step 59")  # the output was written again
    page.wait_for_timeout(300)
    for name in NAMES:
        assert page.locator(f".edt-side > .edutorch-{name}").count() == 1
        assert page.locator(f".edutorch-{name}").count() == 1


def test_edge_when_arrows_are_pressed_changes_the_width(page):
    edge = page.get_by_role("separator", name="Width of the views")
    before = box(page, ".edt-side")["width"]
    edge.focus()
    edge.press("ArrowLeft")
    assert box(page, ".edt-side")["width"] == pytest.approx(before + 40, abs=1)
    edge.press("ArrowRight")
    assert box(page, ".edt-side")["width"] == pytest.approx(before, abs=1)


def test_view_when_its_cell_runs_again_is_replaced_at_the_side(page, lab):
    lab.run(1)
    lab.run(2)
    for name in NAMES:
        page.locator(f".edt-side > .edutorch-{name}").wait_for()
        lab.wait_for_one(f".edutorch-{name}")
    page.locator(".edt-side .edutorch-graph .edt-info", has_text="step").wait_for()


def test_side_when_the_key_is_pressed_takes_and_returns_a_view(page, lab):
    for name in NAMES:
        view = page.locator(f".edutorch-{name}")
        view.get_by_test_id("side").focus()
        page.keyboard.press("s")
        page.locator(f".jp-OutputArea .edutorch-{name}").wait_for()
    for name in VARIABLES:  # the kernel has heard of it, and has no more to send
        lab.until(f"{name}.docked", "False")
    assert page.locator(".edt-side").count() == 0
    assert not narrow(page)
    stage = page.locator(".edutorch-graph .edt-stage")
    stage.focus()
    page.keyboard.press("s")
    page.locator(".edt-side > .edutorch-graph").wait_for()
    assert narrow(page)
    lab.until("graph.docked", "True")
    page.locator(".edt-side .edt-stage:focus").wait_for()  # it moves with the view
    page.get_by_role("button", name="Show Graph here again").click()
    page.locator(".jp-OutputArea .edutorch-graph").wait_for()
    assert not narrow(page)


def test_strips_when_training_runs_share_the_screen_with_the_cell(page, lab, pictures):
    lab.run(3)
    for name in NAMES:
        view = page.locator(f".edutorch-{name}[data-compact]")
        view.wait_for()
        assert 150 <= view.bounding_box()["height"] <= 200
    lab.run(2)
    page.locator(".jp-CodeCell").nth(1).evaluate("e => e.scrollIntoView()")
    page.wait_for_timeout(300)
    page.screenshot(path=pictures / "screen-strips.png")
    assert (
        page.locator(".edutorch-graph .edt-plane").get_attribute("data-direction")
        == "right"
    )
    for name in NAMES:
        assert visible(page, f".edutorch-{name}")
    words = page.locator(".jp-OutputArea", has_text="loss 0").last
    assert words.bounding_box()["y"] < page.viewport_size["height"]


def test_strip_when_the_key_is_pressed_is_whole_again(page, lab):
    memory = page.locator(".edutorch-memory")
    memory.locator(".edt-chart").first.focus()
    page.keyboard.press("c")
    lab.until("memory.compacted", "False")
    assert memory.bounding_box()["height"] > 300


def test_view_when_the_kernel_restarts_stays_and_gives_its_place_back(page, lab):
    page.locator(".edutorch-graph").get_by_test_id("side").click()
    page.locator(".edt-side > .edutorch-graph").wait_for()
    page.evaluate("() => window.book.sessionContext.session.kernel.restart()")
    page.locator(".edt-side .edt-alert", has_text="No longer connected").wait_for()
    lab.run(0)
    lab.run(1)
    lab.run(2)
    page.locator(".edt-side > .edutorch-graph .edt-info", has_text="step 29").wait_for()
    lab.wait_for_one(".edutorch-graph")
    page.evaluate(
        "() => window.jupyterapp.commands.execute('notebook:clear-all-cell-outputs')"
    )
    page.locator(".edt-side").wait_for(state="detached")
    assert not narrow(page)


def test_page_reports_no_error(lab, page):
    assert lab.problems == []
    assert lab.outside == []
