"""Views in a reopened notebook, with and without its kernel."""

from __future__ import annotations

import json

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from tests.browser.lab import LOST_VIEW, notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "again.ipynb"
MODEL = """
import edutorch as torch
from edutorch import nn, optim
from edutorch.widgets import GradientView, GraphView, MemoryView, live

model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
optimizer = optim.Adam(model.parameters())
views = GraphView(model), GradientView(model), MemoryView("cpu")

def train(steps):
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.randn(16, 4)).pow(2).mean().backward()
        optimizer.step()
"""
SHOW = ["views[0]", "views[1]", "views[2]", "live"]
NOTEBOOK = notebook_of(MODEL, *SHOW, "train(5)", "for v in views:\n    v.freeze()")
VIEWS = ("graph", "gradient", "memory")
STILLS = "img[src*='edutorch-still']"


@pytest.fixture(scope="module")
def saved(lab):
    """The notebook, run and saved; its kernel still runs."""
    lab.write_and_open(NAME, NOTEBOOK)
    for i in range(6):
        lab.run(i)
    lab.page.locator(".edutorch-gradient .edt-info", has_text="5 steps").wait_for()
    lab.save()
    return lab


def info(lab, view):
    return lab.page.locator(f".edutorch-{view} .edt-info").first


def test_views_when_the_page_is_loaded_again_go_on(saved):
    saved.open(NAME)
    saved.page.locator(".edutorch-live[data-live='1']").wait_for()
    info(saved, "gradient").get_by_text("5 steps").wait_for()
    saved.run(5)
    info(saved, "gradient").get_by_text("10 steps").wait_for()
    info(saved, "graph").get_by_text("step 9").wait_for()


def test_views_when_frozen_are_written_as_pictures_of_the_end(saved):
    for i in range(1, 6):
        saved.run(i)
    saved.run(6)
    saved.wait_for_pngs(len(VIEWS))
    saved.save()
    cells = json.loads((saved.folder / NAME).read_text())["cells"]
    for cell, word in zip(cells[1:4], ("step 14", "steps 0 to 14", "now"), strict=True):
        _, output = cell["outputs"]  # the live view, its picture
        assert word in "".join(output["data"]["text/plain"])
        assert "yet" not in "".join(output["data"]["image/svg+xml"])
        assert output["data"]["image/png"]
    for view in VIEWS:  # and each live view is there once, without its picture
        saved.wait_for_one(f".edutorch-{view}")
    pictures_there = saved.page.locator(STILLS).all()
    assert len(pictures_there) == len(VIEWS)
    assert not any(picture.is_visible() for picture in pictures_there)


def test_views_when_the_kernel_is_gone_show_what_they_recorded(saved, pictures):
    saved.close()
    saved.reopen(NAME, info(saved, "gradient").get_by_text("15 steps"))
    assert saved.trusted
    info(saved, "gradient").get_by_text("15 steps").wait_for()
    for view in VIEWS:
        box = saved.page.locator(f".edutorch-{view}")
        box.locator(".edt-frozen").wait_for()
        saved.picture(box, pictures / f"{view}-recorded.png")
    saved.page.locator("g.node").first.click()
    saved.page.get_by_test_id("detail").wait_for()


def test_buttons_when_the_kernel_is_gone_say_inactive(saved):
    saved.page.locator(".edutorch-live").get_by_text("inactive").wait_for()


def test_views_when_the_notebook_is_not_trusted_are_pictures(saved, pictures):
    saved.close()
    notebook = json.loads((saved.folder / NAME).read_text())
    notebook["cells"][0]["source"] += "\n# changed elsewhere"
    saved.write_and_open("strange.ipynb", notebook)
    assert not saved.trusted
    shown = saved.page.locator(".jp-OutputArea-output img")
    shown.nth(2).wait_for()
    assert shown.count() == len(VIEWS)
    saved.page.screenshot(path=pictures / "untrusted.png")


def test_views_when_their_state_was_not_saved_are_pictures(saved, pictures):
    saved.close()
    notebook = nbformat.reads((saved.folder / NAME).read_text(), as_version=4)
    del notebook.metadata["widgets"]  # as JupyterLab saves by default
    # the data folder of tests/browser/server.py
    NotebookNotary(data_dir=str(saved.folder.parent / "data")).sign(notebook)
    saved.write_and_open("stateless.ipynb", notebook)
    assert saved.trusted
    shown = saved.page.locator(STILLS)
    shown.nth(2).wait_for()
    assert shown.count() == len(VIEWS)
    saved.page.get_by_text(LOST_VIEW).nth(len(VIEWS)).wait_for()  # and of the buttons
    saved.page.screenshot(path=pictures / "stateless.png")
    assert len(saved.forget_lost_models()) == len(VIEWS) + 1


def test_page_asks_no_other_machine_and_reports_no_error(saved):
    assert saved.outside == []
    assert saved.problems == []
