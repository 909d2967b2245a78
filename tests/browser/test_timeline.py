"""Timeline in JupyterLab: live bars, keys, zoom, sums and search, against the kernel."""

from __future__ import annotations

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOW = """
import time
import edutorch as torch
from edutorch import nn
from edutorch.widgets import Timeline
torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 10))
optimizer = torch.optim.Adam(model.parameters())
x, y = torch.randn(64, 1, 8, 8), torch.randint(0, 10, (64,))

def train(steps, pause=0.0):
    for _ in range(steps):
        optimizer.zero_grad()
        with torch.profiler.record_function("forward"):
            loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        time.sleep(pause)
timeline = Timeline()
timeline
"""
TRAIN = "train(30, pause=0.05)"


@pytest.fixture(scope="module")
def view(lab):
    lab.write_and_open("timeline.ipynb", notebook_of(SHOW, TRAIN))
    lab.run(0)
    found = lab.page.locator(".edutorch-timeline").first
    found.wait_for()
    return found


def test_view_while_training_shows_steps(lab, view, pictures):
    lab.start(1)
    view.locator(".edt-info", has_text="steps").first.wait_for()
    lab.picture(view, pictures / "timeline-running.png")
    lab.wait_for_end()


def test_sums_of_the_page_are_those_of_the_kernel(lab, view):
    view.locator(".edt-info", has_text="10 older steps dropped").wait_for()
    stage = view.locator(".edt-bars")
    stage.focus()
    stage.press("0")
    row = view.locator("tr", has=view.page.get_by_text("conv2d", exact=True))
    cells = row.locator("td").all_inner_texts()
    found = "next(r for r in timeline.totals('op') if r.name == 'conv2d')"
    assert cells[-1] == lab.ask(f"{found}.count") == "20"
    words = lab.ask(
        "__import__('edutorch.widgets.format').widgets.format.duration("
        f"{found}.own / 1e3)"
    )
    assert words.strip("'") == cells[0]


def test_keys_lead_from_a_step_down_to_an_op_and_to_its_backward(view, lab, pictures):
    stage, read = view.locator(".edt-bars"), view.locator(".edt-readout")
    stage.focus()
    stage.press("s")
    stage.press("Escape")
    for key in ("ArrowRight", "ArrowDown", "ArrowRight"):
        stage.press(key)
    read.filter(has_text="forward · named block").wait_for()
    for key in ("ArrowDown", "ArrowDown", "ArrowDown"):
        stage.press(key)
    read.filter(has_text="conv2d · operation").wait_for()
    assert "in 0: Conv2d" in read.inner_text()
    lab.picture(view, pictures / "timeline-selected.png")
    stage.press("l")
    read.filter(has_text="ConvolutionBackward0 · backward of an operation").wait_for()
    stage.press("Enter")
    view.locator('[data-testid="totals-title"]', has_text="part of step").wait_for()
    lab.picture(view, pictures / "timeline-zoomed.png")


def test_pointer_between_bars_reads_outside_operations(view):
    stage = view.locator(".edt-bars")
    stage.focus()
    stage.press("s")
    box = stage.bounding_box()
    read = view.locator(".edt-readout")
    for part in range(1, 60):  # somewhere in the row below the step, nothing runs
        stage.hover(position={"x": box["width"] * part / 60, "y": 50})
        if read.inner_text().startswith("outside operations"):
            break
    assert " · in step 29" in read.inner_text()


def test_search_finds_bars_by_name(view):
    search = view.locator("input[type=search]")
    search.fill("relu")
    view.locator(".edt-find", has_text="found").wait_for()
    search.press("Enter")
    assert "ReLU" in view.locator(".edt-readout").inner_text()
    search.fill("")


@pytest.mark.parametrize("width", [1200, 800, 400, 280])
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_timeline_in_every_theme_and_width_fits_its_place(
    lab, view, pictures, theme, width
):
    lab.fit(view, theme, width, pictures / f"timeline-{theme}-{width}.png")


def test_page_reports_no_error(lab, view):
    assert lab.problems == [] and lab.outside == []
