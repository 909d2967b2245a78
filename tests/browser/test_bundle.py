"""A page or a saved notebook contains the bundle exactly once."""

from __future__ import annotations

import json

import pytest

from tests.browser.lab import OPEN, notebook_of
from tests.browser.test_reopened import MODEL, VIEWS

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ONE, TWO = "one.ipynb", "two.ipynb"
NOTEBOOK = notebook_of(MODEL, "for view in views:\n    display(view)\nlive", "train(5)")
BUNDLES = "() => globalThis[Symbol.for('edutorch.bundles')]?.size"
RESTART = "() => window.book.sessionContext.session.kernel.restart()"
SHOWN = """name => [...document.querySelectorAll(".jp-NotebookPanel")].map(
  book => book.querySelectorAll(`.edutorch-${name}`).length)"""
DRAWN = """names => names.every(
  name => window.book.node.querySelector(`.edutorch-${name}`))"""
STATE = "application/vnd.jupyter.widget-state+json"


def run_all(lab):
    for i in range(len(NOTEBOOK["cells"])):
        lab.run(i)


def wait_for_views(lab):
    """Until then their models may be missing in what is saved."""
    lab.page.wait_for_function(DRAWN, arg=[*VIEWS, "live"])


def bundles_in(path):
    widgets = json.loads(path.read_text())["metadata"]["widgets"][STATE]["state"]
    return [w["state"] for w in widgets.values() if "packed" in w["state"]]


@pytest.fixture(scope="module")
def two(lab):
    """Two notebooks, both run, in one page."""
    lab.write_and_open(ONE, NOTEBOOK)
    run_all(lab)
    wait_for_views(lab)
    lab.write(TWO, NOTEBOOK)
    lab.page.evaluate(OPEN, TWO)
    run_all(lab)
    wait_for_views(lab)
    return lab


def test_bundle_when_two_notebooks_are_open_is_evaluated_once(two):
    assert two.page.evaluate(BUNDLES) == 1
    for view in VIEWS:
        assert two.page.evaluate(SHOWN, view) == [1, 1]


def test_notebook_when_its_kernel_was_started_anew_holds_one_bundle(two):
    two.page.evaluate(RESTART)
    two.ask("None")  # by then the page has looked for widgets of the new kernel
    run_all(two)
    wait_for_views(two)
    two.save()
    assert len(bundles_in(two.folder / TWO)) == 1
    assert two.page.evaluate(BUNDLES) == 1


def test_view_when_its_notebook_has_no_kernel_is_drawn(two):
    two.close()
    two.reopen(TWO, two.page.locator(".edutorch-live"))
    wait_for_views(two)
    assert two.page.evaluate(BUNDLES) == 1


def test_saved_notebook_when_opened_and_run_again_holds_one_bundle(two):
    run_all(two)
    wait_for_views(two)
    two.save()
    assert len(bundles_in(two.folder / TWO)) == 1


def test_page_reports_no_error(two):
    # ipywidgets says so of an output that is drawn while it reads the new kernel's
    # widgets, and draws it again; the tests above wait for every view.
    two.forget_lost_models()
    assert two.problems == []
    assert two.outside == []
