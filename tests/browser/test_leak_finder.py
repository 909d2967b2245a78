"""LeakFinder in JupyterLab: leaks of a real notebook, found and read by keyboard."""

from __future__ import annotations

import pytest

from edutorch.inspect.leak_causes import CLEAR_ERROR, CLEAR_IPYTHONS
from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOW = """
import weakref
import edutorch as torch
from edutorch import nn, optim
from edutorch.widgets import LeakFinder
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = optim.Adam(model.parameters())
criterion = nn.MSELoss()
finder = LeakFinder(seconds=20)
finder
"""
RIGHT = """
for step in range(30):
    optimizer.zero_grad()
    loss = criterion(model(torch.randn(16, 4)), torch.zeros(16, 1))
    loss.backward()
    optimizer.step()
"""
LEAK = """
losses = []
def train(steps):
    for step in range(steps):
        optimizer.zero_grad()
        loss = criterion(model(torch.randn(16, 4)), torch.zeros(16, 1))
        loss.backward()
        optimizer.step()
        losses.append(loss)
train(40)
"""
OUT = """
shown = torch.ones(3) * 2
gone = weakref.ref(shown)
shown
"""
FAIL = """
def forward(x):
    activations = torch.ones(50, 3)
    caught.append(weakref.ref(activations))
    return activations @ x
caught = []
forward(torch.ones(5))
"""
FORGET = f"import gc, sys\n{CLEAR_ERROR}{CLEAR_IPYTHONS}"
RESET = "%xdel _4"
LINES = ".edt-lines li"


@pytest.fixture(scope="module")
def finder(lab):
    cells = SHOW, RIGHT, LEAK, OUT, RESET, FAIL, FORGET
    lab.write_and_open("leaks.ipynb", notebook_of(*cells))
    lab.run(0)
    lab.run(1)
    return lab.page.locator(".edutorch-leaks").first


def test_right_training_gives_no_alarm(lab, finder, pictures):
    finder.locator(".edt-verdict", has_text="Nothing grows in 30 steps").wait_for()
    lab.picture(finder, pictures / "leak-finder-right.png")


def test_leak_is_explained_when_its_cell_has_run(lab, finder, pictures):
    lab.run(2)
    finder.locator(".edt-change code", has_text="losses.append(loss.item())").wait_for()
    assert "stay alive" in finder.locator(".edt-verdict").inner_text()
    path = finder.locator(".edt-path").first.locator("code").all_inner_texts()
    assert path[0] == "losses"
    assert path[2] == ".grad_fn"
    row = finder.locator(LINES).first.inner_text()
    assert "loss = criterion(" in row
    assert "In [3]:5" in row
    nodes = int(lab.ask("finder.data['lines'][0]['nodes']"))
    assert f"{nodes} graph nodes" in row
    # an independent count: nodes that the losses lead to, without the newest one's
    assert nodes == 39 * int(lab.ask(COUNT))
    lab.picture(finder, pictures / "leak-finder.png")


COUNT = """(lambda walk: walk(walk, losses[5].grad_fn))(lambda walk, node: 0 if node is None
 or type(node).__name__ == 'AccumulateGrad' else 1 + sum(
 walk(walk, n) for n, _ in node.next_functions))""".replace("\n", "")


def test_charts_and_lines_are_read_by_keyboard(lab, finder):
    finder.locator(".edt-chart").focus()
    finder.locator(".edt-chart").press("ArrowLeft")
    readout = finder.locator(".edt-readout").inner_text()
    assert readout.startswith("step 69 · bytes")
    finder.locator(".edt-lines").focus()
    finder.locator(".edt-lines").press("ArrowDown")
    second = finder.locator(LINES).nth(1)
    assert second.get_attribute("aria-selected") == "true"
    finder.locator(".edt-lines").press("Enter")
    place = second.locator("div div").first.inner_text()
    finder.locator("article header").first.get_by_text(place).wait_for()


def test_out_cache_is_named_and_its_remedy_helps(lab):
    lab.run(3)
    told = lab.ask("(globals().pop('shown'), repr(finder.why(gone, 'shown')))[1]")
    assert "Out[4]" in told
    assert RESET in told
    lab.run(4)
    lab.until("gone() is None", "True")


def test_last_exception_is_named_and_its_remedy_helps(lab):
    lab.start(5)
    lab.wait_for_end()
    told = lab.ask("repr(finder.why(caught[0], 'activations'))")
    assert "forward()" in told
    assert "sys.last_" in told
    assert CLEAR_ERROR + CLEAR_IPYTHONS in told
    lab.run(6)
    lab.until("caught[0]() is None", "True")


@pytest.mark.parametrize("width", [800, 400, 280])
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_view_in_every_theme_and_width_fits_its_place(
    lab, finder, pictures, theme, width
):
    lab.fit(finder, theme, width, pictures / f"leak-finder-{theme}-{width}.png")


def test_full_screen_shows_all_of_it(lab, finder, pictures):
    page = lab.page
    finder.get_by_test_id("fullscreen").click()
    page.wait_for_function("() => document.fullscreenElement !== null")
    page.screenshot(path=pictures / "leak-finder-full.png")
    assert finder.evaluate("view => view.scrollWidth <= view.clientWidth")
    rows = finder.locator(".edt-lines")  # none of them is squeezed
    assert rows.evaluate("list => list.clientHeight >= list.scrollHeight - 1")
    page.evaluate("() => document.exitFullscreen()")
    page.wait_for_function("() => document.fullscreenElement === null")


def test_page_reports_no_error(lab, finder):
    assert lab.problems == [] and lab.outside == []
