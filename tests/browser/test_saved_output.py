"""A notebook saved after training contains the last state of its views."""

from __future__ import annotations

import json

import pytest

from tests.browser.lab import notebook_of
from tests.browser.test_reopened import MODEL, SHOW, VIEWS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "saved.ipynb"
NOTEBOOK = notebook_of(MODEL, *SHOW, "train(5)")
WORDS = ("step 4", "steps 0 to 4", "now")


@pytest.fixture(scope="module")
def rested(lab):
    """The notebook after training; nobody has frozen a view."""
    lab.write_and_open(NAME, NOTEBOOK)
    for i in range(len(SHOW) + 1):
        lab.run(i)
    graph = lab.page.locator(".edutorch-graph")
    graph.evaluate("view => { view.dataset.mine = 'yes'; }")
    lab.run(5)
    graph.locator(".edt-search").click()
    for i, word in enumerate(WORDS):
        lab.wait_for_text(i + 1, word)
    lab.wait_for_pngs(3)
    return lab


def test_output_when_the_kernel_rests_holds_the_last_state(rested):
    rested.save()
    cells = json.loads((rested.folder / NAME).read_text())["cells"]
    for cell, word in zip(cells[1:4], WORDS, strict=True):
        _, output = cell["outputs"]  # the live view, its picture
        assert word in "".join(output["data"]["text/plain"])
        assert "yet" not in "".join(output["data"]["image/svg+xml"])
        assert output["data"]["image/png"]


def test_view_when_its_output_is_written_anew_stays_as_it_was(rested):
    for view in VIEWS:
        rested.wait_for_one(f".edutorch-{view}")
    graph = rested.page.locator(".edutorch-graph[data-mine=yes]")
    assert graph.is_visible()
    graph.locator(".edt-search:focus").wait_for()
    rested.run(5)
    for view, word in zip(VIEWS, ("step 9", "10 steps", "CPU"), strict=True):
        info = rested.page.locator(f".edutorch-{view} .edt-info").first
        info.get_by_text(word).wait_for()


def test_page_reports_no_error(rested):
    assert rested.problems == []
