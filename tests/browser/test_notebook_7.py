"""All twelve views in Notebook 7: one document in the page, no panels around it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.browser.conftest import WINDOW
from tests.browser.lab import LABS_OWN, Lab, notebook_of
from tests.browser.server import running_server

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAME = "twelve.ipynb"
SETUP = """
%load_ext edutorch
import time

from sklearn.datasets import load_digits

import edutorch as torch
from edutorch import nn
from edutorch.nn import functional as F
from edutorch.widgets import (
    DeviceLanes, GradientView, GraphView, LeakFinder, MemoryTree, MemoryView, NaNTrail,
    Stepper, Timeline, live, show, track)

digits = load_digits()
images = torch.tensor(digits.images[:128] / 16, dtype=torch.float32)
labels = torch.tensor(digits.target[:128])
batches = list(zip(images.flatten(1).split(32), labels.split(32)))
model = nn.Sequential(nn.Linear(64, 8), nn.Tanh(), nn.Linear(8, 10))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

def train(batches, pause=0.0):
    for x, y in track(batches, name="digits"):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        time.sleep(pause)
    return loss
"""
WATCH = """
graph, gradients = GraphView(model), GradientView(model)
memory, owners = MemoryView("cpu"), MemoryTree("cpu")
finder, timeline, lanes = LeakFinder(), Timeline(), DeviceLanes()
stepper, trail = Stepper(), NaNTrail()
"""
SHOWN = (
    "graph", "gradients", "memory", "owners", "finder", "timeline", "lanes", "stepper",
    "trail", "live",
)  # fmt: skip
STEP = 2 + len(SHOWN)
TRAIN, VALUE, NAN, WRONG = range(STEP + 1, STEP + 5)
NOTEBOOK = notebook_of(
    SETUP,
    WATCH,
    *SHOWN,
    "loss = train(batches[:1])",
    "train(1000 * batches, pause=0.1)",
    "show(model[0].weight)",
    "nothing = torch.zeros(2, requires_grad=True)\nnothing.log().sum().backward()",
    "model(torch.ones(2, 63))",
)
VIEWS = (
    "graph", "gradient", "memory", "memory_tree", "leaks", "timeline", "lanes",
    "stepper", "nan", "run", "tensor", "error",
)  # fmt: skip
# Views of what trains, with the words that follow one training step.
WATCHING = {"graph": "step 0", "gradient": "1 step", "timeline": "1 step"}

# What Notebook says of itself: it has parts of JupyterLab, and not those they refer to.
# The last is thrown by its own program, also for an empty notebook (7.6).
NOTEBOOKS_OWN = re.compile(
    r"Menu entry for command '\S+' is duplicated\."
    r"|\[yjs#509\] Not same Y\.Doc"
    f"|{LABS_OWN.pattern}"
    r"|Cannot read properties of undefined \(reading 'schema'\)"
)

OPEN = """async () => {
  const app = window.jupyterapp;
  await app.restored;
  const book = app.shell.currentWidget;
  await book.context.ready;
  await book.sessionContext.ready;
  await book.sessionContext.session?.kernel.info;
  window.book = book;
}"""
OPENED = "() => window.jupyterapp?.shell?.currentWidget?.context"


class Notebook7(Lab):
    """A page of Notebook 7, which shows one notebook."""

    own = NOTEBOOKS_OWN

    def open(self, name: str) -> None:
        """Open a notebook of the server's folder and wait for its kernel."""
        address = f"{self.server.base}/notebooks/{name}?token={self.server.token}"
        self.page.goto(address)
        self.page.wait_for_function(OPENED)
        self.page.evaluate(OPEN)


@pytest.fixture(scope="module")
def book(executable, browser, pictures, tmp_path_factory):
    pytest.importorskip("notebook", minversion="7", reason="needs Notebook 7")
    home = tmp_path_factory.mktemp("notebook")
    with running_server(home, "notebook") as server:
        context = browser.new_context(viewport=WINDOW)
        book = Notebook7(server, context.new_page())
        book.write_and_open(NAME, NOTEBOOK)
        for index in range(STEP + 1):
            book.run(index)
        yield book
        book.page.screenshot(path=pictures / "notebook-7-last.png")
        book.close()
        context.close()


def view_of(book, kind):
    return book.page.locator(f".edutorch-{kind}").first


def rendered(book, kind):
    return int(view_of(book, kind).get_attribute("data-rendered"))


def test_views_follow_one_training_step(book):
    for kind, words in WATCHING.items():
        view_of(book, kind).locator(".edt-info", has_text=words).first.wait_for()


def test_views_are_updated_while_a_cell_trains(book):
    page = book.page
    page.locator(".edutorch-live[data-live='1']").wait_for()
    before = {kind: rendered(book, kind) for kind in WATCHING}
    book.start(TRAIN)
    for kind, count in before.items():
        page.wait_for_function(
            "([kind, most]) => document.querySelector(`.edutorch-${kind}`)"
            ".dataset.rendered > most",
            arg=[kind, count],
        )
    assert not book.ended


def test_buttons_pause_step_and_resume_the_cell(book, pictures):
    page, at = book.page, book.page.get_by_test_id("at")
    assert not book.ended
    page.get_by_test_id("pause").click()
    at.filter(has_text="In [").wait_for()
    before = at.inner_text()
    page.get_by_test_id("step").click()
    page.wait_for_function(
        "before => !['', before].includes("
        "document.querySelector('[data-testid=at]').textContent)",
        arg=before,
    )
    page.screenshot(path=pictures / "notebook-7-paused.png")
    page.get_by_test_id("resume").click()
    book.interrupt()


@pytest.fixture(scope="module")
def twelve(book):
    book.run(VALUE)
    book.run(NAN)
    book.start(WRONG)  # it fails, and a card says why
    book.wait_for_end()
    book.run(STEP)  # a whole step is the newest again
    return book


@pytest.mark.parametrize("kind", VIEWS)
def test_view_is_drawn_in_notebook_7(twelve, kind, pictures):
    view = view_of(twelve, kind)
    view.wait_for()
    twelve.picture(view, pictures / f"notebook-7-{kind}.png")
    assert "recorded yet" not in view.inner_text()
    assert view.evaluate("e => e.scrollWidth - e.clientWidth") <= 1


def test_still_pictures_below_live_views_are_hidden(twelve):
    stills = twelve.page.locator("img[src*='edutorch-still']").all()
    assert len(stills) == len(VIEWS) + 1  # training was shown in two cells
    assert not any(still.is_visible() for still in stills)


def test_keys_move_in_stepper_and_graph_and_leave_the_notebook_alone(twelve):
    page = twelve.page
    rows = view_of(twelve, "stepper").locator(".edt-rows")
    title = view_of(twelve, "stepper").locator(".edt-step h3")
    rows.press("Home")
    first = title.inner_text()
    rows.press("ArrowRight")
    assert title.inner_text() != first
    rows.press("b")
    assert "Backward" in title.inner_text()
    stage = view_of(twelve, "graph").locator(".edt-stage")
    stage.press("Home")
    first = stage.get_attribute("aria-label")
    stage.press("End")
    assert stage.get_attribute("aria-label") != first
    stage.press("Enter")
    page.get_by_test_id("detail").wait_for()
    stage.press("Escape")
    for letter in "abmdd":  # add above, add below, to Markdown, delete
        page.keyboard.press(letter)
    cells = page.evaluate("() => window.book.content.widgets.length")
    assert cells == len(NOTEBOOK["cells"])


def test_view_in_notebook_7_goes_to_the_side_a_strip_and_the_full_screen(
    twelve, pictures
):
    page, view = twelve.page, view_of(twelve, "gradient")
    view.get_by_test_id("side").click()
    side = page.locator(".edt-side > .edutorch-gradient")
    side.wait_for()
    page.wait_for_timeout(300)  # sizes are told in the next frames
    page.screenshot(path=pictures / "notebook-7-side.png")
    cell = page.locator(".jp-CodeCell").first.bounding_box()
    assert cell["x"] + cell["width"] <= side.bounding_box()["x"]
    page.get_by_role("button", name="Bring back").click()
    page.locator(".edt-side").wait_for(state="detached")
    view.get_by_test_id("compact").click()
    page.locator(".edutorch-gradient[data-compact]").wait_for()
    view.get_by_test_id("compact").click()
    view.get_by_test_id("fullscreen").click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.keyboard.press("f")
    page.wait_for_function("() => document.fullscreenElement === null")


def test_link_of_a_node_shows_the_cells_line(twelve):
    view_of(twelve, "graph").locator("g.node", has_text="tanh").first.click()
    twelve.page.get_by_test_id("source").locator("button").first.click()
    line = twelve.page.locator(".cm-line", has_text="model(x)").first
    assert line.evaluate("e => e.getAnimations().length") == 1


def test_page_asks_no_other_machine_and_reports_no_error(twelve):
    assert twelve.outside == []
    assert twelve.problems == []


def test_output_remains_when_the_notebook_is_reopened_without_its_kernel(
    twelve, pictures
):
    twelve.wait_for_text(SHOWN.index("gradients") + 2, "step")
    twelve.save()
    cells = json.loads(Path(twelve.folder / NAME).read_text())["cells"]
    stills = [cell for cell in cells if "image/svg+xml" in str(cell["outputs"])]
    assert len(stills) == len(VIEWS) + 1
    twelve.close()
    twelve.reopen(NAME, view_of(twelve, "error"))
    for kind in VIEWS:
        view_of(twelve, kind).locator(".edt-info").first.wait_for()
    twelve.page.screenshot(path=pictures / "notebook-7-reopened.png", full_page=True)
    assert not twelve.forget_lost_models()
    assert twelve.problems == []
