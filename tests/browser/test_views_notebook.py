"""The notebook of the twelve views, run in JupyterLab from top to bottom."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "notebooks" / "views.ipynb"
KINDS = (
    "graph", "stepper", "tensor", "gradient", "run", "memory", "memory_tree", "leaks",
    "timeline", "lanes", "nan", "error",
)  # fmt: skip
# what uses the height of the full screen
CHARTS = {
    "gradient": ".edt-chart svg",
    "run": ".edt-chart svg",
    "memory": ".edt-chart svg",
    "lanes": ".edt-chart svg",
}

# Elements of a view that the tab key reaches, and what a screen reader calls them.
REACHED = ":is(button, input, select, [tabindex='0']):visible"
NAMES = """all => all.map((e) => e.ariaLabel || e.title || e.textContent.trim()
    || [...(e.labels ?? [])].map((label) => label.textContent.trim()).join())"""


@pytest.fixture(scope="module")
def tour(lab):
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    lab.write_and_open("views.ipynb", notebook)
    for index, cell in enumerate(notebook["cells"]):
        if "raises-exception" in cell["metadata"].get("tags", ()):
            lab.start(index)
            lab.wait_for_end()
        elif cell["cell_type"] == "code":
            lab.run(index)
    return lab


@pytest.mark.parametrize("kind", KINDS)
def test_view_of_the_notebook_is_drawn(tour, kind, pictures):
    view = tour.page.locator(f".edutorch-{kind}").first
    view.wait_for()
    tour.picture(view, pictures / f"views-{kind}.png")
    assert "recorded yet" not in view.inner_text()


@pytest.mark.parametrize("kind", KINDS)
def test_view_fills_the_full_screen(tour, kind, pictures):
    page = tour.page
    view = page.locator(f".edutorch-{kind}").first
    chart = view.locator(CHARTS[kind]).first if kind in CHARTS else None
    before = chart.bounding_box()["height"] if chart else 0
    full = view.get_by_test_id("fullscreen").first
    full.click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.wait_for_timeout(200)  # sizes are told in the next frames
    page.screenshot(path=pictures / f"views-{kind}-full.png")
    assert view.bounding_box() == {"x": 0, "y": 0, **page.viewport_size}
    assert view.evaluate("e => e.scrollWidth - e.clientWidth") <= 1
    assert full.get_attribute("aria-pressed") == "true"
    if chart:
        assert chart.bounding_box()["height"] > 1.5 * before
    page.evaluate("() => document.exitFullscreen()")
    page.wait_for_function("() => document.fullscreenElement === null")
    assert full.get_attribute("aria-pressed") == "false"


@pytest.mark.parametrize("kind", KINDS)
def test_view_is_worked_by_keyboard_and_its_parts_have_names(tour, kind):
    page = tour.page
    view = page.locator(f".edutorch-{kind}").first
    assert view.get_attribute("aria-label")
    names = view.locator(REACHED).evaluate_all(NAMES)
    assert len(names) > 1
    assert all(names), names
    view.get_by_test_id("fullscreen").first.focus()
    for full in ("true", "false"):
        page.keyboard.press("f")
        page.wait_for_function(
            f"() => (document.fullscreenElement !== null) === {full}"
        )


def test_page_asks_no_other_machine_and_reports_no_error(tour):
    assert tour.problems == []
    assert tour.outside == []
