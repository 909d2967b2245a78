"""MemoryTree in JupyterLab: groupings, keys, moments and a difference, with the kernel."""

from __future__ import annotations

import re

import pytest

from tests.browser.lab import notebook_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SHOW = """
import time
import edutorch as torch
from edutorch import nn
from edutorch.widgets import MemoryTree
from edutorch.widgets.format import size_text as words
torch.manual_seed(0)
torch.cuda.simulate(2, memory="16MB")
model = nn.Sequential(nn.Linear(256, 128), nn.ReLU(), nn.Linear(128, 10)).to("cuda")
optimizer = torch.optim.Adam(model.parameters())
x, y = torch.randn(64, 256, device="cuda"), torch.zeros(64, dtype=torch.long, device="cuda")

def train(steps, pause=0.0):
    for _ in range(steps):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        time.sleep(pause)

def tensors(*found):  # an independent count
    return sum(t.untyped_storage().rounded for t in found)

parameters = list(model.parameters())
memory = MemoryTree()
memory
"""
TRAIN = "train(20, pause=0.05)"
GROW = "kept = [x * k for k in range(3)]"
FIRST_LAYER = """tensors(*(t for p in model[0].parameters()
 for t in (p, p.grad, *(s for n, s in optimizer.state[p].items() if n != 'step'))))"""


@pytest.fixture(scope="module")
def view(lab):
    lab.write_and_open("memory-tree.ipynb", notebook_of(SHOW, TRAIN, GROW))
    lab.run(0)
    found = lab.page.locator(".edutorch-memory_tree, .edutorch-memory-tree").first
    found.wait_for()
    return found


def shown(lab, expression):
    """Bytes of the kernel, as the page writes them."""
    return lab.ask(f"words({' '.join(expression.split())})").strip("'")


def fact(view, name):
    return view.locator(f'[data-fact="{name}"]').inner_text()


def choose(view, label, option):
    picker = view.locator(".edt-subhead label", has_text=re.compile(f"^{label}"))
    picker.locator("select").select_option(value=option)


def press(view, face):
    view.locator(".edt-subhead button", has_text=re.compile(f"^{face}$")).click()


def row_of(view, name):
    head = view.page.get_by_role("rowheader", name=re.compile(name))
    return view.locator("tr", has=head)


def test_view_while_training_shows_modules(lab, view, pictures):
    lab.start(1)
    view.locator("th", has_text="Sequential").first.wait_for()
    lab.picture(view, pictures / "memory-tree-running.png")
    lab.wait_for_end()


def test_sums_of_the_page_are_those_of_the_simulated_gpu(lab, view):
    allocated = shown(lab, "torch.cuda.memory_allocated('cuda:0')")
    view.locator('[data-fact="now"]', has_text=allocated).wait_for()
    assert fact(view, "peak") == shown(lab, "torch.cuda.max_memory_allocated('cuda:0')")


def test_groups_of_each_way_are_sums_of_what_the_kernel_holds(lab, view):
    row = row_of(view, "^0$")
    assert row.locator("td").first.inner_text() == shown(lab, FIRST_LAYER)
    press(view, "Category")
    row = row_of(view, "^parameter$")
    assert row.locator("td").first.inner_text() == shown(lab, "tensors(*parameters)")
    press(view, "Tensor")
    row = row_of(view, "0.weight 128×256")
    sizes = row.locator("td:first-of-type").all_inner_texts()
    assert sizes == [shown(lab, "tensors(parameters[0])")] * 4
    press(view, "Line")
    view.get_by_role("rowheader", name="made in the backward pass").wait_for()
    press(view, "Module")


def test_keys_lead_into_a_module_and_out_again(lab, view, pictures):
    tiles, read = view.locator(".edt-chart"), view.locator(".edt-readout")
    tiles.focus()
    tiles.press("ArrowRight")
    read.filter(has_text="Sequential").wait_for()
    tiles.press("Enter")
    tiles.press("ArrowRight")
    tiles.press("Enter")
    here = view.locator(".edt-crumbs b")
    assert here.inner_text() == f"0: {shown(lab, FIRST_LAYER)}"
    tiles.press("ArrowRight")
    read.filter(has_text="0.weight").wait_for()
    assert shown(lab, "tensors(parameters[0])") in read.inner_text()
    lab.picture(view, pictures / "memory-tree-inside.png")
    tiles.press("Escape")
    assert here.inner_text().startswith("Sequential: ")
    tiles.press("Home")
    assert here.inner_text().startswith("all: ")


def test_marked_moment_compared_with_now_shows_what_was_kept(lab, view, pictures):
    press(view, "Mark")
    view.locator(".edt-readout", has_text="Saved as “mark 1”").wait_for()
    held = int(lab.ask("torch.cuda.memory_allocated('cuda:0')"))
    lab.run(2)
    choose(view, "Show", "now")
    choose(view, "compared with", "=mark 1")
    more = int(lab.ask("torch.cuda.memory_allocated('cuda:0')")) - held
    assert more == int(lab.ask("tensors(*kept)"))
    here = view.locator(".edt-crumbs b", has_text="▲ +")
    assert here.inner_text() == f"all: ▲ +{shown(lab, str(more))}"
    lab.picture(view, pictures / "memory-tree-difference.png")


def test_other_device_is_chosen_and_shows_its_own_bytes(lab, view):
    choose(view, "compared with", "")
    choose(view, "Device", "cpu")
    steps = "tensors(*(s['step'] for s in optimizer.state.values()))"
    view.locator(".edt-info", has_text="tensors on the CPU").wait_for()
    assert fact(view, "now") == lab.ask(f"words({steps})").strip("'")
    choose(view, "Device", "cuda:0")


def test_view_in_full_screen_uses_the_height(lab, view, pictures):
    tiles = view.locator(".edt-chart > svg")
    low = tiles.bounding_box()["height"]
    view.locator(".edt-chart").press("f")
    lab.page.wait_for_function("() => document.fullscreenElement !== null")
    lab.page.wait_for_timeout(300)
    lab.page.screenshot(path=pictures / "memory-tree-full.png")
    assert tiles.bounding_box()["height"] > low
    view.locator(".edt-chart").press("f")
    lab.page.wait_for_function("() => document.fullscreenElement === null")


@pytest.mark.parametrize("width", [1200, 800, 400, 280])
@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_view_in_every_theme_and_width_fits_its_place(
    lab, view, pictures, theme, width
):
    lab.fit(view, theme, width, pictures / f"memory-tree-{theme}-{width}.png")


@pytest.mark.parametrize("width", [800, 400])
def test_strip_shows_tiles_and_the_button_that_unfolds_it(lab, view, pictures, width):
    view.evaluate("(e, width) => { e.style.width = `${width}px` }", width)
    view.get_by_test_id("compact").click()
    lab.page.locator(".edutorch-memory_tree[data-compact]").wait_for()
    lab.page.wait_for_timeout(200)  # sizes are reported in the next frames
    lab.picture(view, pictures / f"memory-tree-strip-{width}.png")
    strip, tiles = view.bounding_box(), view.locator(".edt-chart svg").bounding_box()
    assert tiles["width"] > 0.9 * strip["width"]
    assert tiles["y"] + tiles["height"] < strip["y"] + strip["height"]
    button = view.get_by_test_id("compact")
    place = button.bounding_box()
    assert place["x"] + place["width"] < strip["x"] + strip["width"]
    button.click()
    view.locator("xpath=self::*[not(@data-compact)]").wait_for()


def test_page_reports_no_error(lab, view):
    assert lab.problems == [] and lab.outside == []
